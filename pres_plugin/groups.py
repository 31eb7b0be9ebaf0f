"""Average scores over groups of topics, such as the sections of a patent classification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from pres_plugin.kernel.topics import Floats
from pres_plugin.messages import InputError, check_common_topic
from pres_plugin.scoring import is_count


def group_means(
    topics: Sequence[str], values: Floats, groups: Mapping[str, str], measures: Sequence[str] = ()
) -> tuple[list[str], list[int], Floats]:
    """Average scores over the topics of each group, and add up counts such as NumRel.

    .. versionadded:: 0.2.0

    Parameters
    ----------
    topics : sequence of str
        The T judged topics.
    values : ndarray of float64, shape (T, M) or (R, T, M)
        The scores by M measures on each topic, of one run or of R runs.
    groups : mapping of str to str
        The group of each topic. Judged topics that it lacks are in no group, and topics that are
        not judged are ignored.
    measures : sequence of str, optional
        The M measures. Without them, none is a count.

    Returns
    -------
    list of str
        The names of the G groups, in alphabetical order.
    list of int
        The number of topics per group.
    ndarray of float64, shape (G, M) or (R, G, M)
        The mean scores, and the sums of counts, as ir-measures computes them over all topics.

    Raises
    ------
    InputError
        If `groups` is not a mapping to strings, or contains no judged topic.

    Examples
    --------
    >>> import numpy as np
    >>> from pres_plugin.groups import group_means
    >>> scores = np.array([[0.5], [1.0], [0.25]])  # three topics, one measure
    >>> groups = {"t1": "A", "t2": "A", "t3": "B"}
    >>> names, sizes, means = group_means(["t1", "t2", "t3"], scores, groups)
    >>> names, sizes, means.tolist()
    (['A', 'B'], [2, 1], [[0.75], [0.25]])
    """
    if not (isinstance(groups, Mapping) and all(isinstance(each, str) for each in groups.values())):
        raise InputError(f"groups must map topics to groups (strings), got {groups!r:.60}")
    check_common_topic(groups, topics, "groups")
    rows = [row for row, topic in enumerate(topics) if topic in groups]
    # As objects, because numpy's strings lose NUL characters at their end.
    group_of = np.array([groups[topics[row]] for row in rows], dtype=object)
    names, number, sizes = np.unique(group_of, return_inverse=True, return_counts=True)
    sums = np.apply_along_axis(partial(np.bincount, number), -2, values[..., rows, :])
    are_counts = np.array([is_count(measure) for measure in measures] or [False])
    return names.tolist(), sizes.tolist(), sums / np.where(are_counts, 1, sizes[:, np.newaxis])
