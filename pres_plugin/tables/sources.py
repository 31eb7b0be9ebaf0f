"""The judgements and runs to score, and the options for reading them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pres_plugin.tables.base import Reading
from pres_plugin.tables.collection_sizes import CollectionSizes


@dataclass(frozen=True)
class Sources:
    """The paths of the judgements and of the runs, and how to read both.

    Each of the `runs` is a name and a path; without a name, runs are called after their files.
    `run_names` are the runs to read from files that contain several; all of them if empty.
    """

    qrels: str
    runs: tuple[tuple[str | None, str], ...]
    run_reading: Reading
    qrels_format: str | None = None
    qrels_sheet: str | None = None
    run_names: tuple[str, ...] = ()
    collection_sizes: CollectionSizes | None = None

    @property
    def qrels_reading(self) -> Reading:
        """How to read the judgements."""
        sheet = self.qrels_sheet or self.run_reading.sheet
        return replace(self.run_reading, value="relevance", format=self.qrels_format, sheet=sheet)

    @property
    def paths(self) -> list[str]:
        """The path of the judgements and those of the runs."""
        return [self.qrels, *(path for _, path in self.runs)]
