"""Rows that come in pieces are passed on by whole topics, in their order and as early as can be."""

from itertools import groupby, pairwise

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pres_plugin.files.streaming import by_whole_topics

# Few topics, so that one often ends where a piece does, or comes back after others.
PIECES = st.lists(st.lists(st.sampled_from("abc"), max_size=6), max_size=8)


def frames(pieces):
    """Make a frame of each piece, with a number for each row."""
    n_rows = 0
    for piece in pieces:
        numbers = range(n_rows, n_rows + len(piece))
        schema = {"query_id": pl.String, "row": pl.Int64}
        yield pl.DataFrame({"query_id": piece, "row": numbers}, schema=schema)
        n_rows += len(piece)


def topics(frame):
    """Return the topic of each stretch of rows."""
    return [topic for topic, _ in groupby(frame["query_id"].to_list())]


@given(PIECES)
def test_all_rows_come_in_order_and_no_topic_is_cut(pieces):
    passed_on = list(by_whole_topics(frames(pieces), ["query_id"], "error"))
    rows = [row for frame in passed_on for row in frame.rows()]
    assert rows == list(zip("".join(map("".join, pieces)), range(len(rows)), strict=True))
    assert all(topics(frame) for frame in passed_on)
    for frame, after in pairwise(passed_on):
        assert topics(frame)[-1] != topics(after)[0]


@given(PIECES)
def test_only_the_last_topic_waits_for_the_next_piece(pieces):
    seen = []

    def read():
        for frame in frames(pieces):
            seen.extend(frame["query_id"])
            yield frame

    passed_on = 0
    for frame in by_whole_topics(read(), ["query_id"], "error"):
        passed_on += frame.height
        waiting = seen[passed_on:]
        assert len(set(waiting)) <= 1


@given(PIECES)
def test_topics_of_several_columns_are_told_apart_by_all_of_them(pieces):
    joined = [frame.with_columns(run=pl.lit("r")) for frame in frames(pieces)]
    runs = [frame.select(run="query_id", query_id="run", row="row") for frame in joined]
    expected = [frame["row"].to_list() for frame in by_whole_topics(joined, ["query_id"], "error")]
    for several in (joined, runs):
        got = by_whole_topics(several, ["run", "query_id"], "error")
        assert [frame["row"].to_list() for frame in got] == expected


def test_a_topic_of_many_pieces_comes_in_one():
    pieces = [["a", "b"], ["b"], [], ["b", "b"], ["b", "c"]]
    passed_on = by_whole_topics(frames(pieces), ["query_id"], "error")
    assert ["".join(frame["query_id"]) for frame in passed_on] == ["a", "bbbbb", "c"]


@pytest.mark.parametrize("pieces", [[], [[]], [[], []]])
def test_without_rows_nothing_is_passed_on(pieces):
    assert list(by_whole_topics(frames(pieces), ["query_id"], "error")) == []


def test_a_frame_of_all_rows_is_passed_on_as_it_is():
    frame = pl.DataFrame({"query_id": ["a", "b", "a"]})
    (only,) = by_whole_topics(frame, ["query_id"], "error")
    assert only is frame
