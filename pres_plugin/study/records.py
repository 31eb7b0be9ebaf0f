"""Write a table as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pandas as pd

# The number of rows to write at a time.
_CHUNK = 10_000

# Columns of mixed values may contain numbers of NumPy.
_encoded = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, default=lambda value: value.item()
).encode


def json_records(frame: pd.DataFrame) -> Iterator[str]:
    """Yield the rows of a table as JSON objects, one per line, some thousands at a time.

    Numbers that are not finite become null. Each column is encoded as a whole, and texts
    that it repeats only once, because tables may have millions of rows.
    """
    keys = [_encoded(str(column)).replace("%", "%%") for column in frame.columns]
    record = "{" + ", ".join(f"{key}: %s" for key in keys) + "}"
    between = "\n"
    for start in range(0, len(frame), _CHUNK):
        rows = frame.iloc[start : start + _CHUNK]
        columns = [_encoded_column(rows[column]) for column in rows.columns]
        yield between + ",\n".join(record % row for row in zip(*columns, strict=True))
        between = ",\n"


def _encoded_column(column: pd.Series) -> list[str]:
    if pd.api.types.is_numeric_dtype(column):
        return [_as_json(value) for value in column.tolist()]
    encoded = lru_cache(maxsize=None, typed=True)(_as_json)  # typed, since 1 == True
    return [encoded(value) for value in column.tolist()]


def _as_json(value: Any) -> str:
    return "null" if isinstance(value, float) and not math.isfinite(value) else _encoded(value)
