"""Read runs and judgements in Parquet files.

Columns are named as in :mod:`pres_plugin.tables.columns`. A column `run` contains the names of
several runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import polars as pl

from pres_plugin.messages import shortened
from pres_plugin.tables.columns import TableFile
from pres_plugin.tables.opening import check_plain
from pres_plugin.tables.values import of_file

#: The number of rows to read at once. A million rows take twice the memory and no less time;
#: 100,000 rows take 35 MB less and a quarter more time.
ROWS = 250_000


class ParquetFile(TableFile):
    """A Parquet file, which is opened again for each batch."""

    signature: re.Pattern[bytes] = re.compile(b"PAR1")

    def prepare(self) -> None:
        """Read the names and types of the columns."""
        try:
            self.path.encode()
        except UnicodeEncodeError:
            raise self.error(
                "Parquet files can be read only at paths in UTF-8; rename the file or its folder"
            ) from None
        check_plain(self.path, self.name)
        with self._reading():
            self.set_names(self._scan().collect_schema().names())

    def batches(self) -> Iterator[pl.DataFrame]:
        """Yield up to ROWS rows at a time."""
        columns = self.columns
        rows = self._scan().select(pl.col(name).alias(kind) for kind, name in columns.items())
        with self._reading():
            n_rows = self._scan().select(pl.len()).collect().item()
        for start in range(0, n_rows, ROWS):
            with self._reading():
                found = rows.slice(start, ROWS).collect()
            with self.located():
                yield self.checked(
                    found.select(of_file(found[kind], name) for kind, name in columns.items())
                )

    def _scan(self) -> pl.LazyFrame:
        return pl.scan_parquet(self.path, hive_partitioning=False, glob=False)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn errors in the body into an InputError."""
        try:
            yield
        # Some damaged files make polars panic, and a panic is not an Exception.
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
            reason = next(iter(str(error).splitlines()), type(error).__name__)
            raise self.error(f"cannot be read as Parquet ({shortened(reason, 200)})") from None
