"""Rows become dicts as plain Python does it row by row."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from pres_plugin.files.validation import numbered
from pres_plugin.formats.dicts import to_dicts

# There are few topics, so the rows of a topic are seldom contiguous. A row whose document is None
# means that its topic has no documents.
ROWS = st.dictionaries(
    st.tuples(st.sampled_from("cab"), st.sampled_from([None, *"zxy"])), st.integers(-1, 2)
)


@given(ROWS)
def test_documents_are_grouped_by_topic_in_the_order_of_the_rows(rows):
    frame = pl.DataFrame(
        [(*row, None if row[1] is None else value) for row, value in rows.items()],
        schema={"query_id": pl.String, "doc_id": pl.String, "relevance": pl.Int64},
        orient="row",
    )
    expected = {}
    for (topic, doc_id), value in rows.items():
        docs = expected.setdefault(topic, {})
        if doc_id is not None:
            docs[doc_id] = value
    found = to_dicts(numbered(frame, ["query_id"])[0], "relevance")
    assert [(t, list(docs.items())) for t, docs in found.items()] == [
        (t, list(docs.items())) for t, docs in expected.items()
    ]
