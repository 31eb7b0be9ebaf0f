"""Read the predictions that MTEB writes: an object of subsets, their splits, and their topics.

Each subset and split is a run. If there is only one, it is named after the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import polars as pl

from pres_plugin.messages import quoted
from pres_plugin.tables.base import DataFile, Value
from pres_plugin.tables.json import object_of, read_whole, rows_of

#: The key under which MTEB describes the model.
MODEL = "mteb_model_meta"

# A key, and what precedes and follows it.
_KEY = rb'\{\s*"(?:[^"\\]|\\.)*"\s*:\s*'


class MtebFile(DataFile):
    """Predictions that MTEB writes."""

    # The description of the model, or three objects.
    signature: re.Pattern[bytes] = re.compile(
        rb'\s*(?:\{\s*"mteb_model_meta"\s*:|' + 2 * _KEY + rb"\{)"
    )

    def prepare(self) -> None:
        """Read whether there are several runs."""
        self.has_runs: bool = sum(len(splits) for splits in self._read().values()) > 1

    def batches(self, value: Value) -> Iterator[pl.DataFrame]:
        """Yield the rows of each subset and split."""
        if value == "relevance":
            raise self.error("predictions of MTEB are runs, not judgements")
        for subset, splits in self._read().items():
            for split, topics in splits.items():
                with self.located(f"{subset}/{split}: "):
                    rows = rows_of(object_of(topics, "an object with topics").items(), value)
                if self.has_runs:
                    run = pl.lit(f"{self.run_name}/{subset}/{split}").alias("run")
                    rows = rows.select(run, pl.all())
                yield rows

    def _read(self) -> dict[str, dict[str, object]]:
        content = read_whole(self)
        with self.located():
            subsets = object_of(content, "an object of subsets")
            subsets.pop(MODEL, None)
            return {
                subset: object_of(splits, f"an object of splits in {quoted(subset)}")
                for subset, splits in subsets.items()
            }
