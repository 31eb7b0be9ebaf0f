"""Ranks and repeated documents in tables, held against Python's own sorting and counting."""

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from pres_plugin.ranking import rows

TOPIC = st.sampled_from(["q1", "q2", "q10", ""])
DOC = st.text(st.characters(codec="utf-8"), max_size=2)
SCORE = st.sampled_from([0.0, -0.0, 1.5, -1.5, 1e-45, -1e-45, 3e38, np.inf, -np.inf]) | st.floats(
    width=32, allow_nan=False
)


@given(st.dictionaries(st.tuples(TOPIC, DOC), SCORE, min_size=1), st.randoms())
def test_ranks_follow_from_sorting_each_ranking(scores, rng):
    keys = list(scores)
    rng.shuffle(keys)
    table = pl.DataFrame(keys, schema=["topic", "doc"], orient="row")
    values = np.array([scores[key] for key in keys], dtype=np.float32)
    wanted = np.array(rng.sample(range(len(keys)), rng.randint(0, len(keys))), dtype=np.int64)
    ranks = rows.ranks(rows.numbered(table.select("topic")), values, table["doc"], wanted)
    for position, rank in zip(wanted.tolist(), ranks.tolist(), strict=True):
        topic, _ = keys[position]
        ranking = sorted(
            (key for key in keys if key[0] == topic),
            key=lambda key: (np.float32(scores[key]), key[1]),
            reverse=True,
        )
        assert ranking[rank - 1] == keys[position]


def test_values_with_equal_hashes_are_compared_themselves(monkeypatch):
    monkeypatch.setattr(pl.Series, "hash", lambda self: pl.zeros(len(self), pl.UInt64, eager=True))
    numbers = np.zeros(4, dtype=np.uint64)
    assert rows.repeated(numbers, pl.Series(["a", "b", "c", "b"])).tolist() == [1, 3]
