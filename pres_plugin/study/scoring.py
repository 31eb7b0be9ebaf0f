"""Score runs, topic by topic, by any measures of ir-measures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pres_plugin.measures import Measure
from pres_plugin.study.columns import Columns
from pres_plugin.study.directions import has_direction
from pres_plugin.study.inputs import (
    Qrels,
    Runs,
    checked_measures,
    checked_qrels,
    named_runs,
    problems_of,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


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
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[str, ...]
    values: NDArray[np.float64]
    means: NDArray[np.float64]

    def order(self) -> NDArray[np.intp]:
        """Return the indices of the runs, best run by the first measure first.

        If no value of the measure is better than another, the lowest comes first. Runs
        that tie keep their order.
        """
        return best_first(self.means[:, 0], self.measures[0])

    def table(self) -> pd.DataFrame:
        """Return the means: one row per run, in :meth:`order`, and one column per measure."""
        return self.means_in_order().frame(index="run")

    def means_in_order(self) -> Columns:
        """Return the columns of :meth:`table`."""
        order = self.order()
        runs = [self.runs[i] for i in order]
        return Columns({"run": runs, **dict(zip(self.measures, self.means[order].T, strict=True))})

    def by_topic(self) -> pd.DataFrame:
        """Return all scores: one row per run and topic, one column per measure."""
        import pandas as pd

        return pd.DataFrame(
            self.values.reshape(-1, len(self.measures)),
            index=pd.MultiIndex.from_product([self.runs, self.topics], names=["run", "query_id"]),
            columns=list(self.measures),
        )

    def _repr_html_(self) -> str:
        """Return the means and their picture for a notebook."""
        from pres_plugin.study.html.notebook import in_notebook
        from pres_plugin.study.reports.scores import means

        return in_notebook([], means(self))

    def plot(self, ax: Axes | None = None, *, measures: Iterable[str] | None = None) -> Axes:
        """Draw the mean scores: one row per run, best run by the first measure on top.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw into, in your style. By default, pyplot makes a new figure.
        measures : iterable of str, optional
            The measures to draw. By default, those whose scores lie between -1 and 1, because
            ranks and counts need an axis of their own.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        StudyError
            If a measure is unknown or none is given, or if `ax` is not axes.
        """
        from pres_plugin.study.pictures.compare import plot_scores

        return plot_scores(self, ax, measures)


def best_first(scores: NDArray[np.float64], measure: str) -> NDArray[np.intp]:
    """Return the indices of the runs, best score first; ties keep their order.

    If no value of the measure is better than another, the lowest comes first.
    """
    # Round, because the last digits of a mean depend on the order of the topics.
    rounded = np.round(scores, 12)
    return np.argsort(-rounded if has_direction(measure) else rounded, kind="stable")


def score(qrels: Qrels, runs: Runs, measures: Any) -> Scores:
    """Score runs by several measures, reading each run once.

    Parameters
    ----------
    qrels : dict of str to dict of str to int
        The relevance of each judged document, by topic.
    runs : dict of str to run, or iterable of (str, run)
        The runs, by name. A run contains the score of each document, by topic.
    measures : iterable of str or ir_measures.Measure
        Anything ir-measures can parse.

    Returns
    -------
    Scores
        A topic that a run lacks scores 0.

    Raises
    ------
    StudyError
        If a measure, the judgements or a run cannot be scored.

    Examples
    --------
    >>> from pres_plugin.study.scoring import score
    >>> qrels = {"q": {"a": 1, "b": 1}}
    >>> runs = {"one": {"q": {"x": 2.0, "a": 1.0}}, "two": {"q": {"a": 2.0, "b": 1.0}}}
    >>> score(qrels, runs, ["PRES@10", "AP"]).table().to_dict("index")
    {'two': {'PRES@10': 1.0, 'AP': 1.0}, 'one': {'PRES@10': 0.45, 'AP': 0.25}}
    """
    from pres_plugin.adapters.ir_measures.scoring import Evaluator

    asked = checked_measures(measures)
    qrels = checked_qrels(qrels)
    row = {topic: i for i, topic in enumerate(qrels)}
    column = {measure: j for j, measure in enumerate(asked)}
    with problems_of("qrels"):
        evaluator = Evaluator(asked, qrels)
    # The measures of ir-measures accept NaN scores, but order them arbitrarily. Ours reject them.
    ours_check_runs = any(isinstance(measure, Measure) for measure in asked)
    names, values, means = [], [], []
    for name, run in named_runs(runs, qrels, check=not ours_check_runs):
        with problems_of(name):
            results = evaluator.calc(run)
        of_run = np.zeros((len(qrels), len(asked)))
        for metric in results.per_query:
            of_run[row[metric.query_id], column[metric.measure]] = metric.value
        names.append(name)
        values.append(of_run)
        means.append([results.aggregated[measure] for measure in asked])
    return Scores(
        tuple(names),
        tuple(qrels),
        tuple(map(str, asked)),
        np.array(values, dtype=np.float64),
        np.array(means, dtype=np.float64),
    )
