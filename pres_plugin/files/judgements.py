"""Read judgements, either reduced to what the measures need or as dicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pres_plugin.files.parallel import in_order
from pres_plugin.files.prefetch import ahead
from pres_plugin.files.scores import RunScores, check_collections
from pres_plugin.files.streaming import Rows, by_whole_topics, together
from pres_plugin.files.tables import ScatteredError, Table, judgement_table
from pres_plugin.files.validation import numbered, once_each
from pres_plugin.formats.base import Duplicates, Reading
from pres_plugin.formats.dicts import Dicts, to_dicts
from pres_plugin.kernel.topics import running_sum
from pres_plugin.measures import Measure
from pres_plugin.measures.measure import View

_KEPT: dict[str, Any] = {"doc_id": pl.String, "relevance": pl.Int64}


class JudgedTopics:
    """The judged topics, each with the documents whose ranks the measures need.

    `rows` are the judgements. `topics` maps each topic's id to its 0-based number, in the
    order of the judgements. Raise an UnclearError if a document occurs twice in a topic and
    `duplicates` is 'error', and a ScatteredError if a topic returns in a later piece.
    """

    def __init__(
        self, rows: Rows, measures: Sequence[Measure], duplicates: Duplicates = "error"
    ) -> None:
        self.measures = measures
        self.topics: dict[str, int] = {}
        #: The views of the judgements that the measures need.
        self.views: list[View] = list(dict.fromkeys(measure.view for measure in measures))
        # As in trec_eval, documents with negative relevance are unjudged.
        least = min(0 if view.judged_only else view.rel for view in self.views)
        kept = [pl.DataFrame(schema=_KEPT)]
        sizes: list[NDArray[np.int64]] = []
        for frame in ahead(by_whole_topics(rows, ["query_id"], duplicates)):
            numbers, topics = numbered(frame, ["query_id"])
            judged, _ = once_each(numbers, duplicates)
            for query_id in topics["query_id"].to_list():
                if self.topics.setdefault(query_id, number := len(self.topics)) != number:
                    raise ScatteredError
            judged = judged.filter(pl.col("relevance") >= least).sort("topic", maintain_order=True)
            kept.append(judged.select(list(_KEPT)))
            sizes.append(np.bincount(judged["topic"].to_numpy(), minlength=topics.height))
        #: The `doc_id` and `relevance` of the documents, topic by topic.
        self.documents: pl.DataFrame = pl.concat(kept)
        # One more topic, without documents, comes last. Topics that are not judged share it.
        self._starts = running_sum(np.concatenate([*sizes, [0]]))
        # Running counts by minimum relevance: element i says how many of the first i documents
        # have at least this relevance. Cached, because each piece of a run needs them.
        self._up_to: dict[int, NDArray[np.int64]] = {}

    def dicts(self) -> dict[str, dict[str, int]]:
        """Return the relevance of each document in `documents`, by topic."""
        doc_ids, relevances = (column.to_list() for column in self.documents)
        ends = self._starts.tolist()
        return {
            query_id: dict(zip(doc_ids[start:end], relevances[start:end], strict=True))
            for query_id, start, end in zip(self.topics, ends, ends[1:], strict=False)
        }

    def scores_of(self, files: Sequence[Any], duplicates: Duplicates) -> Iterator[list[RunScores]]:
        """Yield the scores of the runs in each file, in order, or raise a FileError."""
        return in_order(lambda runs: runs.scores(self, duplicates), files)

    def wanted(self, query_ids: Iterable[str]) -> pl.DataFrame:
        """Return the documents of some topics whose ranks are needed.

        The columns are `topic` (Int64: the topic's position in `query_ids`), `doc_id`,
        `relevance`, and `document` (Int64: the document's row in `documents`).
        """
        numbers = self._numbers(query_ids)
        sizes = self._starts[numbers + 1] - self._starts[numbers]
        topic = np.repeat(np.arange(len(numbers)), sizes)
        shift = self._starts[numbers] - running_sum(sizes)[:-1]
        rows = np.arange(len(topic)) + shift[topic]
        return self.documents[rows].with_columns(
            topic=pl.Series(topic, dtype=pl.Int64), document=pl.Series(rows, dtype=pl.Int64)
        )

    def at_least(self, relevance: int, query_ids: Iterable[str]) -> NDArray[np.int64]:
        """Count the documents of some topics that have at least this relevance."""
        numbers = self._numbers(query_ids)
        if relevance not in self._up_to:
            counts = self.documents["relevance"].to_numpy() >= relevance
            self._up_to[relevance] = running_sum(counts)
        up_to = self._up_to[relevance]
        return up_to[self._starts[numbers + 1]] - up_to[self._starts[numbers]]

    def _numbers(self, query_ids: Iterable[str]) -> NDArray[np.int64]:
        not_judged = len(self.topics)
        numbers = [self.topics.get(query_id, not_judged) for query_id in query_ids]
        return np.array(numbers, dtype=np.int64)


def read_judgements(
    path: str,
    measures: Sequence[Measure],
    duplicates: Duplicates,
    until: ExitStack,
    reading: Reading | None = None,
) -> JudgedTopics:
    """Read the judgements in a file, or in a folder of parts such as Spark writes.

    Temporary files, such as a copy of standard input, are deleted when `until` is closed.
    Raise a FileError if the judgements cannot be read, or if a measure's N is too small for them.
    """
    return judged_topics(judgement_table(path, until, reading), measures, duplicates)


def judged_topics(
    table: Table, measures: Sequence[Measure], duplicates: Duplicates
) -> JudgedTopics:
    """Read judgements, as :func:`read_judgements` does."""
    [judged] = table.read(duplicates, lambda rows: JudgedTopics(rows, measures, duplicates))
    check_collections(table.path, judged)
    return judged


def judged_dicts(
    path: str, duplicates: Duplicates, until: ExitStack, reading: Reading | None = None
) -> Dicts:
    """Read all judgements as dicts: the relevance of each document, by topic."""

    def dicts(rows: Rows) -> Dicts:
        once, _ = once_each(numbered(together(rows, duplicates), ["query_id"])[0], duplicates)
        return to_dicts(once, "relevance")

    [judged] = judgement_table(path, until, reading).read(duplicates, dicts)
    return judged
