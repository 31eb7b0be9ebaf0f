"""Values, and what captions say about them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pres_plugin.remedy import listed
from pres_plugin.study.directions import has_direction
from pres_plugin.study.sentences.words import count, value_of

# The measures of which ir-measures reports the sum over the topics, not the mean.
_SUMS = re.compile(r"Num(Q|Rel|Ret)\b")


def number(measure: str, value: float, decimals: int) -> str:
    """Return a value of a measure for a table; -1 decimals give full precision."""
    if value != value:  # NaN
        return "–"
    if decimals < 0:
        return str(float(value))
    return value_of(measure, value, decimals).replace(",", "")


def about_means(measures: Sequence[str], n_topics: int) -> str:
    """Say over how many topics the means are."""
    sums = [measure for measure in measures if _SUMS.match(measure)]
    are_sums = f"; {listed(sums)}: sums" if sums else ""
    return f"Means over {count(n_topics, 'topic')}{are_sums}."


def about_bold(measures: Sequence[str], n_runs: int, each: str = "each measure") -> list[str]:
    """Say which values are bold, if any are."""
    if n_runs < 2:
        return []
    without = [measure for measure in measures if not has_direction(measure)]
    none = f"No value of {listed(without)} is bold, because none is better." if without else ""
    if len(without) == len(measures):
        return []
    return list(filter(None, [f"Bold: the best value by {each}.", none]))
