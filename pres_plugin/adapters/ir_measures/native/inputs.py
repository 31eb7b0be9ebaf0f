"""Runs and qrels in each form that ir-measures takes, as dicts of dicts.

What form it is, ir-measures decides; what it does not take, it refuses itself.
Its own conversion makes a namedtuple of each row of a DataFrame, which costs
more than scoring does.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from typing import Any

from ir_measures.util import QrelsConverter, RunConverter

__all__ = ["qrels_dicts", "run_dicts"]

Dicts = dict[Any, dict[Any, Any]]


def qrels_dicts(qrels: Any) -> Dicts:
    """Of each topic, the relevance of each document; the last of a document judged twice."""
    converter = QrelsConverter(qrels)
    form, _ = converter.predict_type()
    if form == "pd_dataframe":
        return _from_frame(converter.qrels, "relevance")
    dicts: Dicts = converter.as_dict_of_dict()
    return dicts


def run_dicts(run: Any) -> Dicts:
    """Of each topic, the score of each document; the last of a document retrieved twice."""
    converter = RunConverter(run)
    form, _ = converter.predict_type()
    if form == "pd_dataframe":
        return _from_frame(converter.run, "score")
    if form == "namedtuple_iter":
        return _from_scored_docs(converter.run)
    dicts: Dicts = converter.as_dict_of_dict()
    return dicts


# Rows of a topic mostly come together: it is looked up once for all of them.


def _from_frame(frame: Any, value: str) -> Dicts:
    dicts: Dicts = {}
    doc_ids, numbers = frame["doc_id"].to_numpy(), frame[value].to_numpy()
    start = 0
    for query_id, rows in groupby(frame["query_id"].tolist()):
        end = start + len(list(rows))
        # A list for each topic stays in the processor's cache until it is done with.
        of_topic = zip(doc_ids[start:end].tolist(), numbers[start:end].tolist(), strict=True)
        dicts.setdefault(query_id, {}).update(of_topic)
        start = end
    return dicts


def _from_scored_docs(scored_docs: Iterable[Any]) -> Dicts:
    dicts: Dicts = {}
    for query_id, rows in groupby(scored_docs, key=attrgetter("query_id")):
        docs = dicts.setdefault(query_id, {})
        for row in rows:
            docs[row.doc_id] = row.score
    return dicts
