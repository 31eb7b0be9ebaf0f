"""Judgements in a frame, as the measures asked for see them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pres_plugin.files.rows import ScatteredError, numbered, once_each
from pres_plugin.files.streaming import by_whole_topics
from pres_plugin.kernel.topics import running_sum
from pres_plugin.measures import Measure
from pres_plugin.measures.measure import View
from pres_plugin.ranking.scores import collection_problems

__all__ = ["Judged", "by_collection_size"]

_KEPT: dict[str, Any] = {"doc_id": pl.String, "relevance": pl.Int64}


class Judged:
    """The judgements of some topics, for some measures.

    Of each topic only those documents are kept whose ranks are needed.

    Parameters
    ----------
    judgements : DataFrame or iterable of DataFrame
        Columns `query_id`, `doc_id` (String) and `relevance` (Int64); in pieces, cut
        anywhere.
    measures : iterable of Measure
        What runs are to be scored by.
    duplicates : {'error', 'first', 'last'}, default 'error'
        Which row counts of a document that a topic holds twice.

    Attributes
    ----------
    topics : dict of str to int
        The topics, in the order of the judgements, and the place of each.
    views : list of View
        Those of the measures.

    Raises
    ------
    RowsError
        If a topic holds a document twice.
    ScatteredError
        If, in pieces, a topic comes back after other topics.
    """

    def __init__(
        self,
        judgements: pl.DataFrame | Iterable[pl.DataFrame],
        measures: Iterable[Measure],
        duplicates: Literal["error", "first", "last"] = "error",
    ) -> None:
        self.topics: dict[str, int] = {}
        self.views: list[View] = list(dict.fromkeys(measure.view for measure in measures))
        # As trec_eval has it, a document of negative relevance is not judged.
        least = min(0 if view.judged_only else view.rel for view in self.views)
        kept = [pl.DataFrame(schema=_KEPT)]
        sizes: list[NDArray[np.int64]] = []
        for frame in by_whole_topics(judgements, ["query_id"]):
            rows, topics = numbered(frame, ["query_id"])
            rows, _ = once_each(rows, duplicates)
            for query_id in topics["query_id"].to_list():
                if self.topics.setdefault(query_id, place := len(self.topics)) != place:
                    raise ScatteredError
            rows = rows.filter(pl.col("relevance") >= least).sort("topic", maintain_order=True)
            kept.append(rows.select(list(_KEPT)))
            sizes.append(np.bincount(rows["topic"].to_numpy(), minlength=topics.height))
        self._documents = pl.concat(kept)
        # Behind the last topic is one without documents, for those that are not judged.
        self._starts = running_sum(np.concatenate([*sizes, [0]]))

    def wanted(self, query_ids: Iterable[str]) -> pl.DataFrame:
        """The documents of some topics whose ranks are needed.

        Returns
        -------
        DataFrame
            Columns `topic` (Int64), the place of the topic in `query_ids`; `doc_id`
            and `relevance`.
        """
        places = self._places(query_ids)
        sizes = np.diff(self._starts)[places]
        topic = np.repeat(np.arange(len(places)), sizes)
        shift = self._starts[places] - running_sum(sizes)[:-1]
        rows = np.arange(len(topic)) + shift[topic]
        return self._documents[rows].with_columns(topic=pl.Series(topic, dtype=pl.Int64))

    def at_least(self, relevance: int, query_ids: Iterable[str]) -> NDArray[np.int64]:
        """How many documents of some topics are of at least this relevance."""
        places = self._places(query_ids)
        up_to = running_sum(self._documents["relevance"].to_numpy() >= relevance)
        return up_to[self._starts[places + 1]] - up_to[self._starts[places]]

    def check_collection_size(self, measures: Iterable[Measure]) -> None:
        """Raise a MeasureError if a measure's N is below the relevant documents of a topic."""
        names = list(self.topics)
        for measure in by_collection_size(measures):
            n = self.at_least(measure.rel, self.topics)
            for _, problem in collection_problems(measure, n, lambda i: f"topic {names[i]!r}"):
                raise problem

    def _places(self, query_ids: Iterable[str]) -> NDArray[np.int64]:
        not_judged = len(self.topics)
        places = [self.topics.get(query_id, not_judged) for query_id in query_ids]
        return np.array(places, dtype=np.int64)


def by_collection_size(measures: Iterable[Measure]) -> list[Measure]:
    """The measures with an N, in the order in which ir-measures would check them."""
    with_n = [measure for measure in measures if measure.N is not None]
    return sorted(with_n, key=lambda m: (m.name, m.N, m.cutoff or 0, m.rel))
