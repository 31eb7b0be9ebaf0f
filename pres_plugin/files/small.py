"""Score small text files as dicts.

Reading 100,000 lines in plain Python takes less time than importing polars.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pres_plugin.files.runs import Runs
from pres_plugin.files.scores import RunScores, check_collections, run_scores
from pres_plugin.files.tables import Table
from pres_plugin.formats.base import Duplicates
from pres_plugin.measures import Measure
from pres_plugin.ranking.inputs import Judgements
from pres_plugin.ranking.scores import Judged
from pres_plugin.remedy import quoted


class JudgedDicts:
    """The judgements in a small file, for scoring runs in small files."""

    def __init__(self, table: Table, measures: Sequence[Measure], duplicates: Duplicates) -> None:
        [file] = table.files
        self.measures = measures
        self.topics: dict[str, dict[str, int]] = file.dicts("relevance", duplicates)
        self._judgements = Judgements(self.topics)
        views = dict.fromkeys(measure.view for measure in measures)
        self._judged = Judged(self._judgements, views)
        check_collections(table.path, self)

    def at_least(self, relevance: int, query_ids: Iterable[str]) -> NDArray[np.int64]:
        """Count the documents of some topics that have at least this relevance."""
        relevant = self._judgements.at_least(relevance)
        return np.array([len(relevant[query_id]) for query_id in query_ids], dtype=np.int64)

    def scores_of(self, files: Sequence[Runs], duplicates: Duplicates) -> Iterator[list[RunScores]]:
        """Yield the scores of the run in each file, in order, or raise a FileError."""
        for runs in files:
            yield [self._scores(runs, duplicates)]

    def _scores(self, runs: Runs, duplicates: Duplicates) -> RunScores:
        [file] = runs.files
        run = file.dicts("score", duplicates)
        judged = {query_id: docs for query_id, docs in run.items() if query_id in self.topics}
        names = list(judged)
        found: dict[str, dict[str, float]] = {}
        problem = None
        ranked = {
            view: replace(of_view, name_of=lambda i: f"topic {quoted(names[i])}")
            for view, of_view in self._judged.rank(judged).items()
        }
        for measure in self.measures:
            of_view = ranked[measure.view]
            if problem is None:
                _, problem = next(of_view.problems(measure), (0, None))
            values = of_view.values(measure).tolist()
            found[str(measure)] = dict(zip(names, values, strict=True))
        largest = max(map(len, judged.values()), default=0)
        return run_scores(runs.name or file.run_name, run, largest, found, self.topics, problem)
