"""Regroup pieces of rows so that each piece ends where a topic ends.

Scoring a topic needs all of its rows. In most runs they are contiguous, so a topic is
complete as soon as another one begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import polars as pl

from pres_plugin.files.validation import Pile
from pres_plugin.formats.base import Duplicates

Rows: TypeAlias = pl.DataFrame | Iterator[pl.DataFrame]
"""All rows together, or in pieces."""


def by_whole_topics(
    rows: pl.DataFrame | Iterable[pl.DataFrame], keys: list[str], duplicates: Duplicates
) -> Iterator[pl.DataFrame]:
    """Yield the same rows in the same order, cut where a topic ends.

    The columns `keys` identify a topic. A single frame, which contains all rows, is not cut.
    The last topic of a piece waits until another topic begins, so one piece and the largest
    topic must fit in memory. Raise an UnclearError if `duplicates` is 'error' and many waiting
    rows repeat a document.
    """
    if isinstance(rows, pl.DataFrame):
        yield rows
        return
    waiting: Pile | None = None
    open_topic: tuple[object, ...] | None = None
    for frame in rows:
        if frame.is_empty():
            continue
        last = frame.select(keys).row(-1)
        is_other = pl.any_horizontal(pl.col(key).ne_missing(last[i]) for i, key in enumerate(keys))
        n_last = frame.height - (frame.select(is_other.arg_true().last() + 1).item() or 0)
        whole, rest = frame.head(frame.height - n_last), frame.tail(n_last)
        if whole.is_empty() and last == open_topic and waiting is not None:
            waiting.add(rest)
            continue
        if waiting is not None:
            yield pl.concat([waiting.rows(), whole])
        elif not whole.is_empty():
            yield whole
        waiting, open_topic = Pile(keys, duplicates), last
        waiting.add(rest)
    if waiting is not None:
        yield waiting.rows()


def together(rows: Rows, duplicates: Duplicates) -> pl.DataFrame:
    """Return all rows of a run or the judgements in one frame.

    Raise an UnclearError if `duplicates` is 'error' and many rows repeat a document.
    """
    if isinstance(rows, pl.DataFrame):
        return rows
    pile = Pile(["query_id"], duplicates)
    for piece in rows:
        pile.add(piece)
    return pile.rows()
