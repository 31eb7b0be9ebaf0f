"""Read ASReview's projects and simulations as runs and judgements.

Each dataset is a topic. Prior knowledge is neither ranked nor judged, as in ASReview's loss and in
:mod:`pres_plugin.adapters.asreview`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pres_plugin.formats.asreview.project import Screening, read_screening
from pres_plugin.formats.base import DataFile, Duplicates, FileError, Value
from pres_plugin.formats.dicts import Dicts, from_dicts
from pres_plugin.formats.input.opening import shown_as

if TYPE_CHECKING:
    import polars as pl


class AsreviewFile(DataFile):
    """A project or simulation: a run, the judgements for this run, or both."""

    ending: str = ".asreview"

    def pieces(self, value: Value) -> Iterator[pl.DataFrame]:
        """Yield all rows in one piece."""
        yield from_dicts(self.dicts(value, "error"), value)

    def dicts(self, value: Value, duplicates: Duplicates, run: str | None = None) -> Dicts:
        """Return the labels, or scores that follow the order of screening, by dataset."""
        screenings = read_screening(self.path, self.name)
        if value == "relevance":
            return {dataset: _labels(screening) for dataset, screening in screenings.items()}
        scores = {name: _scores(each) for name, each in screenings.items() if each.screened}
        if not scores:
            raise FileError(f"{shown_as(self.name)}: only prior knowledge has been screened")
        return scores


def _scores(screening: Screening) -> dict[str, float]:
    """Return scores from the number of screened records down to 1."""
    n_screened = len(screening.screened)
    return {record: float(n_screened - i) for i, record in enumerate(screening.screened)}


def _labels(screening: Screening) -> dict[str, int]:
    priors = set(screening.priors)
    return {record: label for record, label in screening.labels.items() if record not in priors}
