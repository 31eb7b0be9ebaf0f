"""Runs with ranks and without scores: the score of a document is its negated rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pres_plugin.remedy import RemediedError, in_topic, quoted

if TYPE_CHECKING:
    import polars as pl

    from pres_plugin.formats.dicts import Dicts

#: The largest rank. Scores are compared as 32-bit floats, which represent every whole number up
#: to this one exactly.
MOST = 1 << 24


def check_rank(rank: int) -> None:
    """Raise a RemediedError unless this is a rank; some tools count from 0, others from 1."""
    if not 0 <= rank <= MOST:
        raise RemediedError(f"a rank must be from 0 to {MOST:,}, got {rank}")


def check_ranks(topics: Dicts) -> None:
    """Raise a RemediedError if two documents of a topic, scored by rank, have the same rank."""
    for query_id, docs in topics.items():
        if len(set(docs.values())) == len(docs):
            continue
        by_score: dict[float, str] = {}
        for doc_id, score in docs.items():
            if (other := by_score.setdefault(score, doc_id)) != doc_id:
                raise RemediedError(same_rank(query_id, other, doc_id, round(-score)))


def same_rank(query_id: str, doc_id: str, other: str, rank: int) -> str:
    """Return the problem with two documents that have the same rank."""
    return (
        f"topic {quoted(query_id)}: documents {quoted(doc_id)} and {quoted(other)} "
        f"both have rank {rank}"
    )


def with_scores(rows: pl.DataFrame) -> pl.DataFrame:
    """Add a column `score` to rows with ranks; raise a RemediedError for a rank out of range."""
    import polars as pl

    wrong = rows.filter(~pl.col("rank").is_between(0, MOST)).head(1)
    for row in wrong.iter_rows(named=True):
        try:
            check_rank(row["rank"])
        except RemediedError as error:
            where = in_topic(row["query_id"], row["doc_id"])
            raise RemediedError(f"{where}: {error.problem}") from None
    return rows.with_columns(
        pl.col("rank").cast(pl.Int64), score=(-pl.col("rank").cast(pl.Int64)).cast(pl.Float64)
    )
