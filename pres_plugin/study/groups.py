"""Average scores over groups of topics, such as the sections of a patent classification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pres_plugin.kernel.topics import Floats, Ints
from pres_plugin.remedy import no_common_topic
from pres_plugin.study.inputs import StudyError


class Groups:
    """The G groups of T topics.

    Parameters
    ----------
    topics : sequence of str
        The judged topics.
    group_of : mapping of str to str
        The group of each topic. Judged topics that it lacks are in no group, and topics that are
        not judged are ignored.

    Raises
    ------
    StudyError
        If `group_of` is not a mapping to strings, or contains no judged topic.

    Examples
    --------
    >>> import numpy as np
    >>> from pres_plugin.study.groups import Groups
    >>> groups = Groups(["t1", "t2", "t3"], {"t1": "A", "t2": "A", "t3": "B"})
    >>> scores = np.array([[0.5], [1.0], [0.25]])  # three topics, one measure
    >>> groups.names, groups.sizes.tolist(), groups.means(scores).tolist()
    (['A', 'B'], [2, 1], [[0.75], [0.25]])
    """

    def __init__(self, topics: Sequence[str], group_of: Mapping[str, str]) -> None:
        is_mapping = isinstance(group_of, Mapping)
        if not is_mapping or not all(isinstance(group, str) for group in group_of.values()):
            raise StudyError(f"groups must map topics to groups (strings), got {group_of!r:.60}")
        if problem := no_common_topic(group_of, topics, "groups"):
            raise StudyError(problem)
        #: The names of the groups, in alphabetical order.
        self.names: list[str] = sorted({group_of[topic] for topic in topics if topic in group_of})
        self._chosen = [[group_of.get(topic) == name for topic in topics] for name in self.names]
        #: The number of topics per group, shape (G,).
        self.sizes: Ints = np.sum(self._chosen, axis=1)

    def means(self, values: Floats) -> Floats:
        """Return the mean scores per group.

        Parameters
        ----------
        values : ndarray of float64, shape (T, M) or (R, T, M)
            The scores by M measures on each topic, of one run or of R runs.

        Returns
        -------
        ndarray of float64, shape (G, M) or (R, G, M)
        """
        return np.stack([values[..., each, :].mean(axis=-2) for each in self._chosen], axis=-2)
