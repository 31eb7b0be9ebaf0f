"""Format scores as text for people and programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import numpy as np
import polars as pl

from pres_plugin.output.tables import Table
from pres_plugin.output.words import decimal

#: The formats of :func:`formatted`.
FORMATS = ("table", "tsv", "csv", "json")

#: The formats of tables for papers; see :func:`pres_plugin.output.paper.paper`.
PAPERS = ("markdown", "latex")


def formatted(fmt: str, table: Table, measures: Sequence[str], places: int) -> str:
    """Return scores in one of FORMATS, with a number of decimals (-1 for full precision).

    The table has one column per measure; a text for programs has one row per value.
    """
    if fmt == "table":
        return f"{table.printed(places)}\n"
    scores = table.frame.select(measures).to_numpy()
    texts = [decimal(value, places) for value in scores.ravel()]
    rows = table.without(*measures).rows(np.arange(len(scores)).repeat(len(measures)))
    long = rows.with_frame(
        rows.frame.with_columns(
            measure=pl.Series([*measures] * len(scores)), value=pl.Series(texts)
        )
    )
    if fmt == "csv":
        return long.frame.write_csv()
    if fmt == "tsv":
        return long.write_tsv() or ""
    value = pl.col("value").cast(float)
    finite = pl.when(value.is_finite()).then(value)
    return as_json(long.frame.with_columns(finite).to_dicts())


def as_json(content: object) -> str:
    """Return JSON, in ASCII if the encoding of standard output may lack other characters."""
    in_utf8 = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    return json.dumps(content, indent=2, ensure_ascii=not in_utf8) + "\n"
