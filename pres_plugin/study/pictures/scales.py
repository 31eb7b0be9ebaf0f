"""Decide which measures share an axis."""

from __future__ import annotations

import numpy as np

from pres_plugin.study.directions import has_direction
from pres_plugin.study.scoring import Scores

# Means are computed with rounding errors.
_LARGEST = 1 + 1e-9


def scales(scores: Scores) -> list[list[int]]:
    """Return the indices of the measures on each axis: first the scores, then others alone.

    Scores lie between -1 and 1. Ranks, counts and gains have an axis of their own.

    >>> import numpy as np
    >>> from pres_plugin.study.pictures.scales import scales
    >>> from pres_plugin.study.scoring import Scores
    >>> means = np.array([[0.5, 4321.0, 0.4]])
    >>> scales(Scores(("run",), ("q",), ("PRES@100", "LastRel", "AP"), means[:, None], means))
    [[0, 2], [1]]
    """
    large = np.abs(scores.means).max(axis=0, initial=0) > _LARGEST
    of_scores: list[int] = []
    alone: list[list[int]] = []
    for m, name in enumerate(scores.measures):
        if large[m] or not has_direction(name):
            alone.append([m])
        else:
            of_scores.append(m)
    return [of_scores, *alone] if of_scores else alone
