"""Average scores over groups of topics, such as the sections of a patent classification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pres_plugin.kernel.topics import Floats
from pres_plugin.remedy import no_common_topic
from pres_plugin.study.inputs import StudyError


def group_means(
    topics: Sequence[str], values: Floats, groups: Mapping[str, str]
) -> tuple[list[str], list[int], Floats]:
    """Average scores over the topics of each group.

    Parameters
    ----------
    topics : sequence of str
        The T judged topics.
    values : ndarray of float64, shape (T, M) or (R, T, M)
        The scores by M measures on each topic, of one run or of R runs.
    groups : mapping of str to str
        The group of each topic. Judged topics that it lacks are in no group, and topics that are
        not judged are ignored.

    Returns
    -------
    list of str
        The names of the G groups, in alphabetical order.
    list of int
        The number of topics per group.
    ndarray of float64, shape (G, M) or (R, G, M)
        The mean scores.

    Raises
    ------
    StudyError
        If `groups` is not a mapping to strings, or contains no judged topic.

    Examples
    --------
    >>> import numpy as np
    >>> from pres_plugin.study.groups import group_means
    >>> scores = np.array([[0.5], [1.0], [0.25]])  # three topics, one measure
    >>> groups = {"t1": "A", "t2": "A", "t3": "B"}
    >>> names, sizes, means = group_means(["t1", "t2", "t3"], scores, groups)
    >>> names, sizes, means.tolist()
    (['A', 'B'], [2, 1], [[0.75], [0.25]])
    """
    if not (isinstance(groups, Mapping) and all(isinstance(each, str) for each in groups.values())):
        raise StudyError(f"groups must map topics to groups (strings), got {groups!r:.60}")
    if problem := no_common_topic(groups, topics, "groups"):
        raise StudyError(problem)
    names = sorted({groups[topic] for topic in topics if topic in groups})
    chosen = [[groups.get(topic) == name for topic in topics] for name in names]
    means = [values[..., each, :].mean(axis=-2) for each in chosen]
    return names, list(map(sum, chosen)), np.stack(means, axis=-2)
