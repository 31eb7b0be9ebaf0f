"""Score runs, topic by topic, by any measures of ir-measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pres_plugin.kernel.topics import Floats
from pres_plugin.output.tables import Table, by_measure, column
from pres_plugin.scoring import best_first, computed_by, score_runs
from pres_plugin.study.arguments import checked_measures
from pres_plugin.study.runs import AnyQrels, AnyRuns, judged, ranked_runs

__all__ = ["Scores", "score"]

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of R runs on T topics by M measures.

    Attributes
    ----------
    runs, topics, measures : tuple of str
        The names of the runs, topics and measures.
    values : ndarray of float64, shape (R, T, M)
        The score of each run on each topic.
    means : ndarray of float64, shape (R, M)
        The mean of each run over all topics, computed as in ir-measures.
    computed_by : tuple of str
        The packages that computed the scores.
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[str, ...]
    values: Floats
    means: Floats
    computed_by: tuple[str, ...] = ("pres-plugin", "numpy")

    def order(self) -> NDArray[np.intp]:
        """Return the indices of the runs, best run by the first measure first.

        If no value of the measure is better than another, the lowest comes first. Runs
        that tie keep their order.
        """
        return best_first(self.means[:, 0], self.measures[0])

    def table(self) -> pd.DataFrame:
        """Return the means: one row per run, in :meth:`order`, and one column per measure."""
        return self.all_means().pandas().set_index("run")

    def all_means(self) -> Table:
        """Return :meth:`table` for reports."""
        return self.rows(self.means[:, np.newaxis], self.order())

    def by_topic(self) -> pd.DataFrame:
        """Return all scores: one row per run and topic, one column per measure."""
        return self.all_scores().pandas().set_index(["run", "query_id"])

    def all_scores(self) -> Table:
        """Return :meth:`by_topic` for reports."""
        return self.rows(self.values, query_id=self.topics)

    def rows(self, values: Floats, order: Any = slice(None), **names: Sequence[Any]) -> Table:
        """Return a table with K rows per run, and one column per measure.

        Parameters
        ----------
        values : ndarray of float64, shape (R, K, M)
            The values of all runs.
        order : ndarray of int64 or slice, optional
            The indices of the runs in the order of the table; by default, in that of `runs`.
        **names : sequence
            More columns with what the K rows of each run are about, such as topics.
        """
        run, row = np.indices(values.shape[:2]).reshape(2, -1)
        columns = {
            "run": column(self.runs)[order][run],
            **{name: column(each)[row] for name, each in names.items()},
            **by_measure(self.measures, values[order]),
        }
        return Table(columns, {"query_id": "topic"}, measures=self.measures)


def score(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: Any,
) -> Scores:
    """Score runs by several measures, reading and ranking each run once.

    Parameters
    ----------
    qrels : Qrels
        The relevance of each judged document, by topic: a dict of dicts, or of lists of relevant
        documents; a dataframe with columns of known names, as in :func:`pres_plugin.frames.score`;
        or another form that ir-measures accepts.
    runs : AnyRuns
        The runs, by name. A run contains the score of each document, by topic, in one of the same
        forms. Lists contain documents, best first.
    measures : iterable of str or ir_measures.Measure
        Anything ir-measures can parse.

    Returns
    -------
    Scores
        A topic that a run lacks scores as one without results: 0, or N by Effort.

    Raises
    ------
    InputError
        If a measure, the judgements or a run cannot be scored.

    Examples
    --------
    >>> from pres_plugin.study.scoring import score
    >>> qrels = {"q": {"a": 1, "b": 1}}
    >>> runs = {"one": {"q": {"x": 2.0, "a": 1.0}}, "two": {"q": {"a": 2.0, "b": 1.0}}}
    >>> score(qrels, runs, ["PRES@10", "AP"]).table().to_dict("index")
    {'two': {'PRES@10': 1.0, 'AP': 1.0}, 'one': {'PRES@10': 0.45, 'AP': 0.25}}
    """
    asked = checked_measures(measures)
    judgements = judged(qrels, asked)
    names, values, means = score_runs(judgements, ranked_runs(judgements, runs), asked)
    measured = tuple(map(str, asked))
    return Scores(tuple(names), judgements.topics, measured, values, means, computed_by(asked))
