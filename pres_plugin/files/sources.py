"""The judgements and runs to score, and the options for reading them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pres_plugin.files.collection_sizes import CollectionSizes
from pres_plugin.formats.base import Duplicates, Reading


@dataclass(frozen=True)
class Sources:
    """The paths of the judgements and of the runs, and how to read both.

    Each of the `runs` is a name and a path; without a name, runs are called after their files.
    `run_names` are the runs to read from files that contain several; all of them if empty.
    """

    qrels: str
    runs: tuple[tuple[str | None, str], ...]
    duplicates: Duplicates = "error"
    qrels_reading: Reading = field(default_factory=Reading)
    run_reading: Reading = field(default_factory=Reading)
    run_names: tuple[str, ...] = ()
    families: Mapping[str, str] | str | None = None
    collection_sizes: CollectionSizes | None = None

    @property
    def paths(self) -> list[str]:
        """The path of the judgements and those of the runs."""
        return [self.qrels, *(path for _, path in self.runs)]
