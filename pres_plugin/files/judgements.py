"""The judged documents of all topics, to rank runs in files and score them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import count, repeat
from typing import Any

import numpy as np
import polars as pl

from pres_plugin.files.run_files import RunFiles
from pres_plugin.formats.base import FileError
from pres_plugin.formats.sets import ScatteredError, Whole
from pres_plugin.kernel.topics import running_sum
from pres_plugin.measures import Measure
from pres_plugin.measures.measure import View
from pres_plugin.ranking.rows import Ints, hashes
from pres_plugin.ranking.scores import Ranked, RankedRun, collection_problems, ranked_by_view
from pres_plugin.remedy import quoted


class JudgedTopics:
    """The judged topics, each with the documents whose ranks the measures need.

    `topics` maps each topic's id to its 0-based number, in the order of the judgements.
    """

    def __init__(self, found: Iterable[Whole], views: Collection[View]) -> None:
        self.views = views
        self.topics: dict[str, int] = {}
        # As in trec_eval, documents with negative relevance are unjudged.
        least = min(0 if view.judged_only else view.rel for view in views)
        kept: list[pl.DataFrame] = []
        sizes: list[Ints] = []
        for whole in found:
            query_ids = whole.keys["query_id"].to_list()
            n_topics = len(self.topics)
            self.topics.update(zip(query_ids, count(n_topics), strict=False))
            if len(self.topics) < n_topics + len(query_ids):
                raise ScatteredError
            needed = (whole.rows["relevance"] >= least).fill_null(False)
            kept.append(whole.rows.filter(needed).select("doc_id", "relevance"))
            sizes.append(np.bincount(whole.topic[needed.to_numpy()], minlength=len(query_ids)))
        documents = pl.concat(kept)
        #: The D documents, topic by topic.
        self.doc_ids: pl.Series = documents["doc_id"].rechunk()
        #: The relevance of each document.
        self.relevance: Ints = documents["relevance"].to_numpy()
        #: A hash of each document.
        self.hashed = hashes(self.doc_ids)
        # The documents of topic t are starts[t] up to, but not including, starts[t + 1]. One more
        # topic, without documents, comes last. Topics of runs that are not judged share it.
        self._starts = running_sum(np.concatenate([*sizes, [0]]))

    def numbers(self, query_ids: Sequence[str]) -> Ints:
        """Return the number of each topic, or -1 if it is not judged."""
        found = map(self.topics.get, query_ids, repeat(-1))
        return np.fromiter(found, dtype=np.int64, count=len(query_ids))

    def documents(self, topics: Ints) -> tuple[Ints, Ints]:
        """Return the documents of some topics, and the position in `topics` of each one's topic.

        A topic is given by its number; -1 means that it is not judged.
        """
        first = self._starts[topics]
        sizes = self._starts[np.where(topics < 0, topics, topics + 1)] - first
        position = np.repeat(np.arange(len(topics)), sizes)
        shift = first - running_sum(sizes)[:-1]
        return np.arange(len(position)) + shift[position], position

    def dicts(self) -> dict[str, dict[str, int]]:
        """Return the relevance of each document, by topic."""
        doc_ids, relevance, starts = (
            self.doc_ids.to_list(),
            self.relevance.tolist(),
            self._starts.tolist(),
        )
        return {
            query_id: dict(zip(doc_ids[start:end], relevance[start:end], strict=True))
            for query_id, start, end in zip(self.topics, starts, starts[1:], strict=False)
        }

    def ranked(self, run: RankedRun) -> dict[View, Ranked]:
        """Return a run, ready to be scored, for each view."""
        names = list(self.topics)
        return ranked_by_view(
            self.views,
            run.ranks,
            self._starts[:-1],
            self.relevance,
            run.retrieved,
            lambda i: f"topic {quoted(names[i])}",
        )

    def check_collection(self, measure: Measure, path: str) -> None:
        """Raise a FileError if a topic has more relevant documents than the measure's N."""
        if measure.N is None:
            return
        names = list(self.topics)
        n = np.diff(running_sum(self.relevance >= measure.rel)[self._starts[:-1]])
        for _, problem in collection_problems(measure, n, lambda i: f"topic {quoted(names[i])}"):
            raise FileError(f"{path}: {problem}")


def read_judgements(files: RunFiles, measures: Sequence[Any]) -> JudgedTopics:
    """Read the judgements; raise a FileError if they are wrong, or a measure's N is too small."""
    views = dict.fromkeys(measure.view for measure in measures)
    [judged] = files.qrels.read(
        files.sources.duplicates, lambda found: JudgedTopics(found, list(views))
    )
    for measure in measures:
        judged.check_collection(measure, files.qrels.path)
    return judged
