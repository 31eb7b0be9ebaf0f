"""The pairs of runs of a comparison, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pres_plugin.remedy import listed
from pres_plugin.study.sentences.words import alternatives, name, names, p_value, value_of

if TYPE_CHECKING:
    from pres_plugin.study.columns import Columns
    from pres_plugin.study.compare import Comparison

_SIGNS = {"first better": 1, "second better": -1}


@dataclass(frozen=True, eq=False)
class Pairs:
    """The rows of the table of pairs that belong to one measure."""

    measure: str
    table: Columns
    #: For each pair: 1 if the first run is significantly better, -1 if the second one is.
    sign: NDArray[np.int64]
    #: For each pair: whether the difference is significant, but the mean points the other way.
    disagrees: NDArray[np.bool_]

    @property
    def undecided(self) -> NDArray[np.intp]:
        """The rows of the pairs whose difference is not significant."""
        return np.flatnonzero((self.sign == 0) & ~self.disagrees)

    def named(self, row: int) -> str:
        """Name a pair and its difference, with the run first that is significantly higher."""
        first, second, difference, p = self.row(row)
        by = value_of(self.measure, difference)
        return f"{name(first)} over {name(second)} (difference {by}, {p_value(p)})"

    def row(self, row: int) -> tuple[str, str, float, float]:
        """Return the runs of a pair, their difference and its p-value.

        The run that is significantly higher comes first, or else the one with the higher mean.
        """
        first, second, difference, p = (
            self.table[column][row] for column in ("first", "second", "difference", "p_value")
        )
        if self.sign[row] < 0 or (self.sign[row] == 0 and difference < 0):
            return second, first, -difference, p
        return first, second, difference, p


def pairs_by(comparison: Comparison, measure: str) -> Pairs:
    """Return the rows of the table of pairs that belong to one measure."""
    measures = comparison.scores.measures
    # The rows of each pair are adjacent, one per measure.
    table = comparison.columns["pairs"].rows(slice(measures.index(measure), None, len(measures)))
    verdicts = table["verdict"]
    sign = np.array([_SIGNS.get(each, 0) for each in verdicts], dtype=np.int64)
    return Pairs(measure, table, sign, verdicts == "test and mean disagree")


def pairs_of_runs(comparison: Comparison) -> str:
    """Return the singular noun phrase for these pairs, such as "pair of runs"."""
    if not comparison.baselines:
        return "pair of runs"
    plural = "" if len(comparison.baselines) == 1 else "s"
    return f"pair with the baseline{plural} {names(comparison.baselines)}"


def plural_of(of_pairs: str) -> str:
    """Return the plural of a noun phrase from :func:`pairs_of_runs`."""
    return of_pairs.replace("pair", "pairs", 1)


def of_all(number: int, n_pairs: int, of_pairs: str) -> str:
    """Return a number of pairs, out of all pairs."""
    if number == 0:
        return f"no {of_pairs}"
    if number == n_pairs:
        return f"all {n_pairs:,} {plural_of(of_pairs)}"
    return f"{number:,} of the {n_pairs:,} {plural_of(of_pairs)}"


def out_of(number: int, n_pairs: int) -> str:
    """Return a number of pairs in a sentence that has already named all of them."""
    return "none" if number == 0 else "all" if number == n_pairs else f"{number:,}"


def whether(yes: Sequence[str], no: Sequence[str], verb: str, verb_not: str) -> str:
    """Return one verb with the measures for which it is true, and the other with the rest."""
    if not yes:
        return f"{verb_not} by {alternatives(no)}"
    return f"{verb} by {listed(yes)}" + (f", but not by {alternatives(no)}" if no else "")
