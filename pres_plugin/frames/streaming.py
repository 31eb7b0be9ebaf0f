"""Rows that come in pieces, passed on by whole topics.

Scoring a topic takes all of its rows. Runs mostly hold the rows of a topic
together, so that a topic is complete as soon as another one begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl

__all__ = ["by_whole_topics"]


def by_whole_topics(frames: Iterable[pl.DataFrame], keys: list[str]) -> Iterator[pl.DataFrame]:
    """The same rows in the same order, cut where a topic ends.

    Parameters
    ----------
    frames : iterable of DataFrame
        Pieces of a run, cut anywhere.
    keys : list of str
        The columns that tell topics apart.

    Yields
    ------
    DataFrame
        Of each topic all rows, as long as no other topic stands between them.
        The last topic of a piece is held back until rows of another one come, so
        what is held is a piece and the largest topic.

    Examples
    --------
    >>> import polars as pl
    >>> from pres_plugin.frames.streaming import by_whole_topics
    >>> pieces = [pl.DataFrame({"query_id": list(ids)}) for ids in ("aab", "b", "bc")]
    >>> ["".join(whole["query_id"]) for whole in by_whole_topics(pieces, ["query_id"])]
    ['aa', 'bbb', 'c']
    """
    held: list[pl.DataFrame] = []
    open_topic: tuple[object, ...] | None = None
    for frame in frames:
        if frame.is_empty():
            continue
        last = frame.select(keys).row(-1)
        is_last = frame.select(
            pl.all_horizontal(
                pl.col(key) == pl.lit(value) for key, value in zip(keys, last, strict=True)
            )
        ).to_series()
        before, rest = frame.filter(~is_last), frame.filter(is_last)
        if last == open_topic:
            held.append(rest)
            if not before.is_empty():
                yield before
        else:
            if whole := [part for part in (*held, before) if not part.is_empty()]:
                yield pl.concat(whole)
            held, open_topic = [rest], last
    if held:
        yield pl.concat(held)
