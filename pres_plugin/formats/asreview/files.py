"""Read ASReview's projects and simulations as runs and judgements.

Each dataset is a topic. Prior knowledge comes first in the ranking, and is judged. So the labels
in one simulation are judgements for all simulations on the same data, whatever they began with.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pres_plugin.formats.asreview.project import Screening, read_screening
from pres_plugin.formats.base import DataFile, Duplicates, Value
from pres_plugin.formats.dicts import Dicts, from_dicts

if TYPE_CHECKING:
    import polars as pl


class AsreviewFile(DataFile):
    """A project or simulation: a run, and judgements for runs on the same data."""

    endings: tuple[str, ...] = (".asreview",)

    def pieces(self, value: Value) -> Iterator[pl.DataFrame]:
        """Yield all rows in one piece."""
        yield from_dicts(self.dicts(value, "error"), value)

    def dicts(self, value: Value, duplicates: Duplicates, run: str | None = None) -> Dicts:
        """Return the labels, or scores that follow the order of screening, by dataset."""
        screenings = read_screening(self.path, self.name)
        if value == "relevance":
            return {dataset: dict(each.labels) for dataset, each in screenings.items()}
        return {dataset: _scores(each) for dataset, each in screenings.items()}


def _scores(screening: Screening) -> dict[str, float]:
    """Return scores from the number of labelled records down to 1."""
    ranking = [*screening.priors, *screening.screened]
    return {record: float(len(ranking) - i) for i, record in enumerate(ranking)}
