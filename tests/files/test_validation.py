"""Rows are numbered by topic, and checked, as plain Python does it row by row."""

import re

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pres_plugin.files import validation
from pres_plugin.files.validation import Pile, check_scores, numbered, once_each
from pres_plugin.formats.base import UnclearError
from pres_plugin.remedy import RemediedError

# Few topics and documents: most topics are scattered, and most documents repeated.
ROWS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), max_size=12)
SCHEMA = {"query_id": pl.String, "doc_id": pl.String, "row": pl.Int64}


def frame(rows):
    numbered_rows = [(*row, i) for i, row in enumerate(rows)]
    return pl.DataFrame(numbered_rows, schema=SCHEMA, orient="row")


@given(ROWS)
def test_topics_are_numbered_in_the_order_of_their_first_rows(rows):
    got, topics = numbered(frame(rows), ["query_id"])
    order = list(dict.fromkeys(topic for topic, _ in rows))
    assert topics.rows() == [(topic,) for topic in order]
    assert got.select(list(SCHEMA)).equals(frame(rows))
    assert got["topic"].to_list() == [order.index(topic) for topic, _ in rows]


@given(ROWS)
def test_topics_of_two_columns_are_numbered_by_both(rows):
    got, topics = numbered(frame(rows), ["doc_id", "query_id"])
    order = list(dict.fromkeys((doc_id, topic) for topic, doc_id in rows))
    assert topics.select("doc_id", "query_id").rows() == order
    assert got["topic"].to_list() == [order.index((doc_id, topic)) for topic, doc_id in rows]


@given(ROWS, st.sampled_from(["first", "last"]))
def test_one_row_of_a_repeated_document_is_kept(rows, duplicates):
    in_topics, topics = numbered(frame(rows), ["query_id"])
    kept, sizes = once_each(in_topics, duplicates)
    of_document = {}
    for i, row in enumerate(rows):
        if duplicates == "last" or row not in of_document:
            of_document[row] = i
    order = topics["query_id"].to_list()
    expected = sorted(of_document.values())
    if len(expected) < len(rows):
        expected.sort(key=lambda i: order.index(rows[i][0]))
    assert kept["row"].to_list() == expected
    assert sizes.tolist() == [sum(row[0] == topic for row in of_document) for topic in order]


@given(ROWS)
def test_a_repeated_document_is_an_error_that_names_it(rows):
    in_topics, _ = numbered(frame(rows), ["query_id"])
    repeated = [row for row in rows if rows.count(row) > 1]
    if not repeated:
        assert once_each(in_topics, "error")[0].equals(in_topics)
        return
    topic, doc_id = repeated[0]
    said = f"document '{doc_id}' is in topic '{topic}' twice"
    with pytest.raises(RemediedError, match=said):
        once_each(in_topics, "error")


@pytest.mark.parametrize("scores", [[], [0.0], [float("inf"), -0.0, float("-inf")]])
def test_every_number_is_a_score(scores):
    check_scores(pl.DataFrame({"score": scores}, schema={"score": pl.Float64}))


def test_the_first_score_that_is_nan_is_named():
    scores = [1.0, float("nan"), float("nan")]
    rows = pl.DataFrame({"query_id": list("ppq"), "doc_id": list("xyz"), "score": scores})
    with pytest.raises(RemediedError, match=re.escape("topic 'p', document 'y': the score is NaN")):
        check_scores(rows)


# A topic returns after a document was dropped.
@example([[("a", "y"), ("a", "y"), ("b", "x")], [("a", "x")]], "first", 1)
@given(st.lists(ROWS, min_size=1), st.sampled_from(["error", "first", "last"]), st.integers(1, 9))
def test_rows_are_piled_up_as_if_repeated_documents_were_dropped_at_the_end(
    pieces, duplicates, limit
):
    rows = [row for piece in pieces for row in piece]
    try:
        expected = once_each(numbered(frame(rows), ["query_id"])[0], duplicates)[0]
    except UnclearError:
        expected = None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(validation, "ROWS_UNTIL_CHECK", limit)
        pile = Pile(["query_id"], duplicates)
        try:
            start = 0
            for piece in pieces:
                pile.add(frame(rows)[start : start + len(piece)])
                start += len(piece)
            got = once_each(numbered(pile.rows(), ["query_id"])[0], duplicates)[0]
        except UnclearError:
            got = None
    assert (got is None) == (expected is None)
    assert got is None or got.equals(expected)


def test_a_pile_does_not_grow_with_repeated_documents(monkeypatch):
    monkeypatch.setattr(validation, "ROWS_UNTIL_CHECK", 10)
    pile = Pile(["query_id"], "first")
    for _ in range(99):
        pile.add(frame([("a", "x"), ("a", "y")]))
    assert pile.rows().height <= 12
