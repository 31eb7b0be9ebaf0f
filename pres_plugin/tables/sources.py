"""The judgements and runs to score, and the options for reading them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pres_plugin.tables.base import Duplicates, Names, Reading
from pres_plugin.tables.collection_sizes import CollectionSizes


@dataclass(frozen=True)
class Sources:
    """The paths of the judgements and of the runs, and how to read both.

    Each of the `runs` is a name and a path; without a name, runs are called after their files.
    `run_names` are the runs to read from files that contain several; all of them if empty.
    """

    qrels: str
    runs: tuple[tuple[str | None, str], ...]
    duplicates: Duplicates = "error"
    qrels_format: str | None = None
    run_format: str | None = None
    topic_field: str | None = None
    qrels_field: str | None = None
    sheet: str | None = None
    qrels_sheet: str | None = None
    columns: Names = field(default_factory=dict)
    run_names: tuple[str, ...] = ()
    families: Mapping[str, str] | str | None = None
    collection_sizes: CollectionSizes | None = None

    @property
    def qrels_reading(self) -> Reading:
        """How to read the judgements."""
        return self._reading(self.qrels_format, self.qrels_field, self.qrels_sheet or self.sheet)

    @property
    def run_reading(self) -> Reading:
        """How to read each run."""
        return self._reading(self.run_format, None, self.sheet)

    def _reading(self, format: str | None, qrels_field: str | None, sheet: str | None) -> Reading:
        for_both = self.columns, self.duplicates, self.families
        return Reading(format, self.topic_field, qrels_field, sheet, *for_both)

    @property
    def paths(self) -> list[str]:
        """The path of the judgements and those of the runs."""
        return [self.qrels, *(path for _, path in self.runs)]
