"""Read the predictions that MTEB writes: an object of subsets, their splits, and their topics.

Each subset and split is a run. If there is only one, it is named after the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import polars as pl

from pres_plugin.tables.base import DataFile, Reading, Value
from pres_plugin.tables.json import documents_by_topic, read_whole, rows_of

#: The key under which MTEB describes the model.
MODEL = "mteb_model_meta"

_STRING = rb'"(?:[^"\\]|\\.)*"'
_THREE_LEVELS = re.compile(rb"\s*" + (rb"\{\s*" + _STRING + rb"\s*:\s*") * 2 + rb"\{")
_MODEL = re.compile(rb'\s*\{\s*"mteb_model_meta"\s*:')


class MtebFile(DataFile):
    """Predictions that MTEB writes."""

    def prepare(self) -> None:
        """Read whether there are several runs."""
        self.has_runs: bool = sum(len(splits) for splits in self._read().values()) > 1

    @classmethod
    def recognises(cls, start: bytes, reading: Reading) -> bool:
        """Return whether a file begins with MTEB's description of a model, or three objects."""
        return any(pattern.match(start) for pattern in (_MODEL, _THREE_LEVELS))

    def batches(self, value: Value) -> Iterator[pl.DataFrame]:
        """Yield the rows of each subset and split."""
        if value == "relevance":
            raise self.error("predictions of MTEB are runs, not judgements")
        for subset, splits in self._read().items():
            for split, topics in splits.items():
                with self.located(f"{subset}/{split}: "):
                    rows = rows_of(documents_by_topic(topics, value), value)
                if self.has_runs:
                    run = pl.lit(f"{self.run_name}/{subset}/{split}").alias("run")
                    rows = rows.select(run, pl.all())
                yield rows

    def _read(self) -> dict[str, dict[str, object]]:
        subsets = read_whole(self, "an object of subsets")
        subsets.pop(MODEL, None)
        if not all(isinstance(splits, dict) for splits in subsets.values()):
            raise self.error("expected an object of splits in each subset")
        found: dict[str, dict[str, object]] = subsets
        return found
