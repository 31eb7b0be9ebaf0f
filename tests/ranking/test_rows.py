"""Ranks and repeated documents in tables, held against Python's own sorting and counting."""

import numpy as np
import polars as pl
import pytest
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


@given(st.lists(st.tuples(TOPIC, st.integers(0, 2))))
def test_equal_rows_have_equal_numbers(keys):
    table = pl.DataFrame(keys, schema=["topic", "run"], orient="row")
    numbers = rows.numbered(table).tolist() if keys else []
    assert len(set(zip(keys, numbers, strict=True))) == len(set(keys)) == len(set(numbers))
    assert set(numbers) == set(range(len(set(keys))))


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from("abcdefgh"))))
def test_repeated_values_are_found_in_their_own_ranking(keys):
    numbers = np.array([number for number, _ in keys], dtype=np.uint64)
    found = rows.repeated(numbers, pl.Series([doc for _, doc in keys], dtype=pl.String))
    assert found.tolist() == [i for i, key in enumerate(keys) if keys.count(key) > 1]


def test_values_with_equal_hashes_are_compared_themselves(monkeypatch):
    monkeypatch.setattr(pl.Series, "hash", lambda self: pl.zeros(len(self), pl.UInt64, eager=True))
    numbers = np.zeros(4, dtype=np.uint64)
    assert rows.repeated(numbers, pl.Series(["a", "b", "c", "b"])).tolist() == [1, 3]


@pytest.mark.parametrize("n_docs", [1, 1000])
def test_tied_documents_are_ordered_by_id_from_the_last(n_docs):
    docs = pl.Series([f"{i:04}" for i in range(n_docs)])
    numbers, wanted = np.zeros(n_docs, dtype=np.uint64), np.arange(n_docs)
    ranks = rows.ranks(numbers, np.zeros(n_docs, dtype=np.float32), docs, wanted)
    assert ranks.tolist() == list(range(n_docs, 0, -1))
