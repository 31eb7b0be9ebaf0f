"""Judgements in a frame, as the measures asked for see them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pres_plugin.frames.measures import Measure
from pres_plugin.frames.rows import RowsError
from pres_plugin.measures import collection_too_small

__all__ = ["Judged", "View", "by_collection_size"]


class View(NamedTuple):
    """What measures have to have in common to be computed from the same ranks."""

    rel: int
    judged_only: bool

    @classmethod
    def of(cls, measure: Measure) -> View:
        """The view of a measure."""
        return cls(measure.rel, measure.judged_only)


class Judged:
    """The judgements of some topics, for some measures.

    Parameters
    ----------
    judgements : DataFrame
        Columns `query_id` (String), `doc_id` (String) and `relevance` (Int64),
        each document of a topic once.
    measures : iterable of Measure
        What runs are to be scored by.

    Attributes
    ----------
    topics : dict of str to None
        The topics, in the order of the judgements.
    views : list of View
        Those of the measures.
    wanted : DataFrame
        The judgements whose documents' ranks are needed.
    """

    def __init__(self, judgements: pl.DataFrame, measures: Iterable[Measure]) -> None:
        ids = judgements["query_id"].unique(maintain_order=True).to_list()
        self.topics: dict[str, None] = dict.fromkeys(ids)
        self.views = list(dict.fromkeys(map(View.of, measures)))
        # As trec_eval has it, a document of negative relevance is not judged.
        least = min(0 if view.judged_only else view.rel for view in self.views)
        self.wanted = judgements.filter(pl.col("relevance") >= least)
        levels = {0 for view in self.views if view.judged_only} | {v.rel for v in self.views}
        self._counts = {level: self._count(level) for level in levels}

    def relevant(self, topics: Iterable[str], view: View) -> NDArray[np.int64]:
        """How many documents of each topic are relevant."""
        return self._of(topics, view.rel)

    def judged(self, topics: Iterable[str]) -> NDArray[np.int64]:
        """How many documents of each topic are judged; for measures with `judged_only`."""
        return self._of(topics, 0)

    def check_collection_size(self, measures: Iterable[Measure]) -> None:
        """Raise a RowsError if a measure's N is below the relevant documents of a topic."""
        for measure in by_collection_size(measures):
            relevant = self.relevant(self.topics, View.of(measure)).tolist()
            for query_id, n in zip(self.topics, relevant, strict=True):
                if measure.N is not None and n > measure.N:
                    raise RowsError(collection_too_small(measure, query_id, n))

    def _of(self, topics: Iterable[str], level: int) -> NDArray[np.int64]:
        counts = self._counts[level]
        return np.array([counts.get(topic, 0) for topic in topics], dtype=np.int64)

    def _count(self, level: int) -> dict[str, int]:
        chosen = self.wanted.filter(pl.col("relevance") >= level)
        return dict(chosen.group_by("query_id").len().iter_rows())


def by_collection_size(measures: Iterable[Measure]) -> list[Measure]:
    """The measures with an N, in the order in which ir-measures would check them."""
    with_n = [measure for measure in measures if measure.N is not None]
    return sorted(with_n, key=lambda m: (m.name, m.N, m.cutoff or 0, m.rel))
