"""The judged documents of all topics, to rank runs in files and score them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import count, repeat
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pres_plugin.files.run_files import RunFiles
from pres_plugin.formats.base import FileError
from pres_plugin.formats.sets import Whole, dicts_of
from pres_plugin.kernel.topics import running_sum
from pres_plugin.measures import Measure, MeasureError
from pres_plugin.measures.measure import View
from pres_plugin.measures.parsing import check_sizes
from pres_plugin.ranking.rows import Ints, UInts, hashes
from pres_plugin.ranking.scores import RankedView, RunRanks, check_collection, ranked_by_view
from pres_plugin.ranking.unmatched import MOST_IDS
from pres_plugin.remedy import quoted


class JudgedTopics:
    """The T judged topics, each with the documents whose ranks the measures need."""

    def __init__(self, found: Iterable[Whole], views: Collection[View]) -> None:
        self._views = views
        #: The size of each topic's collection, if it is known.
        self.n_docs: Ints | None = None
        #: The 0-based number of each topic, in the order of the judgements.
        self.topics: dict[str, int] = {}
        # As in trec_eval, documents with negative relevance are unjudged.
        least = min(0 if view.judged_only else view.rel for view in views)
        kept: list[pl.DataFrame] = []
        sizes: list[Ints] = []
        some_ids: list[pl.Series] = []
        some_sizes: list[Ints] = []
        for whole in found:
            query_ids = whole.keys["query_id"].to_list()
            self.topics.update(zip(query_ids, count(len(self.topics)), strict=False))
            needed = (whole.rows["relevance"] >= least).fill_null(False)
            kept.append(whole.rows.filter(needed).select("doc_id", "relevance"))
            sizes.append(np.bincount(whole.topic[needed.to_numpy()], minlength=len(query_ids)))
            n = whole.ranks_of_topics()[0]
            position = np.arange(n.sum()) - running_sum(n)[whole.topic]
            some_ids.append(whole.rows["doc_id"].filter(position < MOST_IDS))
            some_sizes.append(np.minimum(n, MOST_IDS))
        documents = pl.concat(kept)
        #: The D documents, topic by topic.
        self.doc_ids: pl.Series = documents["doc_id"].rechunk()
        #: The relevance of each document.
        self.relevance: Ints = documents["relevance"].to_numpy()
        #: A hash of each document.
        self.hashed: UInts = hashes(self.doc_ids)
        # The documents of topic t are starts[t] up to, but not including, starts[t + 1].
        self._sizes = np.concatenate(sizes)
        self._starts = running_sum(self._sizes)
        # The same for some judged documents of each topic, whatever their relevance.
        self._some_ids = pl.concat(some_ids)
        self._some_starts = running_sum(np.concatenate(some_sizes))
        names = list(self.topics)
        self._name_of = lambda i: f"topic {quoted(names[i])}"

    def numbers(self, query_ids: NDArray[Any]) -> Ints:
        """Return the number of each topic, or -1 if it is not judged."""
        found = map(self.topics.get, query_ids, repeat(-1))
        return np.fromiter(found, dtype=np.int64, count=len(query_ids))

    def documents(self, topics: Ints) -> tuple[Ints, Ints]:
        """Return the documents of some topics, and the position in `topics` of each one's topic.

        A topic is given by its number; one that is not judged has no documents.
        """
        sizes = np.where(topics < 0, 0, self._sizes[topics])
        position = np.repeat(np.arange(len(topics)), sizes)
        shift = self._starts[topics] - running_sum(sizes)[:-1]
        return np.arange(len(position)) + shift[position], position

    def dicts(self) -> dict[str, dict[str, int]]:
        """Return the relevance of each document, by topic."""
        return dicts_of(self.topics, self._starts, self.doc_ids, pl.Series(self.relevance))

    def judged_ids(self, query_id: str) -> dict[str, None]:
        """Return the ids of some judged documents of a topic, whatever their relevance."""
        start, end = self._some_starts[self.topics[query_id] :][:2].tolist()
        return dict.fromkeys(self._some_ids[start:end].drop_nulls())

    def ranked(self, run: RunRanks) -> dict[View, RankedView]:
        """Return a run, ready to be scored, for each view."""
        starts, relevance = self._starts, self.relevance
        return ranked_by_view(
            self._views, run.ranks, starts, relevance, run.retrieved, self._name_of, self.n_docs
        )

    def check_collection(self, measure: Measure, path: str) -> None:
        """Raise a FileError if a topic has more relevant documents than N."""
        n = np.diff(running_sum(self.relevance >= measure.rel)[self._starts])
        try:
            check_collection(measure, n, self._name_of, n_docs=self.n_docs)
        except MeasureError as error:
            raise FileError(f"{path}: {error}") from None


def read_judgements(files: RunFiles, measures: Sequence[Measure]) -> JudgedTopics:
    """Read the judgements; raise a FileError if they are wrong, or if N is too small.

    Raise a MeasureError if N is missing.
    """
    sizes = files.sources.collection_sizes
    check_sizes(measures, sizes)
    views = list(dict.fromkeys(measure.view for measure in measures))
    duplicates = files.sources.duplicates
    [judged] = files.qrels.read(duplicates, lambda found: JudgedTopics(found, views))
    if sizes:
        judged.n_docs = sizes.of(judged.topics, measures)
    for measure in measures:
        judged.check_collection(measure, files.qrels.path)
    return judged
