"""Ranks and repeated documents in tables, held against Python's own sorting and counting."""

import numpy as np
import polars as pl

from pres_plugin.ranking import rows


def test_values_with_equal_hashes_are_compared_themselves(monkeypatch):
    monkeypatch.setattr(pl.Series, "hash", lambda self: pl.zeros(len(self), pl.UInt64, eager=True))
    numbers, ids = np.zeros(4, dtype=np.uint64), pl.Series(["a", "b", "c", "b"])
    assert rows.repeated(numbers, ids, rows.hashes(ids)).tolist() == [1, 3]
