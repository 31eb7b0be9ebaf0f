"""Rows that come in pieces, passed on by whole topics.

Scoring a topic takes all of its rows. Runs mostly hold the rows of a topic
together, so that a topic is complete as soon as another one begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl

__all__ = ["by_whole_topics"]


def by_whole_topics(
    rows: pl.DataFrame | Iterable[pl.DataFrame], keys: list[str]
) -> Iterator[pl.DataFrame]:
    """The same rows in the same order, cut where a topic ends.

    Parameters
    ----------
    rows : DataFrame or iterable of DataFrame
        All rows in one frame, which is passed on as it is, or pieces, cut anywhere.
    keys : list of str
        The columns that tell topics apart.

    Yields
    ------
    DataFrame
        Of each topic all rows, as long as no other topic stands between them.
        The last topic of a piece is held back until another one begins, so what is
        held is a piece and the largest topic.

    Examples
    --------
    >>> import polars as pl
    >>> from pres_plugin.files.streaming import by_whole_topics
    >>> pieces = [pl.DataFrame({"query_id": list(ids)}) for ids in ("aab", "b", "bc")]
    >>> ["".join(whole["query_id"]) for whole in by_whole_topics(pieces, ["query_id"])]
    ['aa', 'bbb', 'c']
    """
    if isinstance(rows, pl.DataFrame):
        yield rows
        return
    held: list[pl.DataFrame] = []
    open_topic: tuple[object, ...] | None = None
    key = pl.col(keys[0]) if len(keys) == 1 else pl.struct(keys)
    for frame in rows:
        if frame.is_empty():
            continue
        last = frame.select(keys).row(-1)
        n_last = frame.select(key.rle().struct.field("len").last()).item()
        whole, rest = frame.head(frame.height - n_last), frame.tail(n_last)
        if whole.is_empty() and last == open_topic:
            held.append(rest)
            continue
        if held or not whole.is_empty():
            yield pl.concat([*held, whole])
        held, open_topic = [rest], last
    if held:
        yield pl.concat(held)
