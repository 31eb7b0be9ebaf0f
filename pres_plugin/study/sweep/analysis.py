"""Score runs at many cutoffs, and find which runs lead at each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, groupby
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pres_plugin.kernel.topics import Floats
from pres_plugin.measures import Measure
from pres_plugin.measures.parsing import checked, ours_and_others, parse_all, read_any
from pres_plugin.messages import InputError, check_known, problems_of
from pres_plugin.output.tables import Table, as_measure, by_measure, column
from pres_plugin.output.words import DECIMALS, labels, names
from pres_plugin.ranking.scores import mean
from pres_plugin.scoring import best_first, direction, evaluators
from pres_plugin.study.arguments import MOST_CUTOFFS, ascending, positive, whole
from pres_plugin.study.result import Result, plot
from pres_plugin.study.runs import AnyQrels, AnyRuns, judged, ranked_runs

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

Indices = NDArray[np.intp]

#: The numbers of runs and measures that a picture shows.
CURVES = 50
CURVE_MEASURES = 8


@dataclass(frozen=True, eq=False)
class Sweep(Result):
    """The mean scores of R runs by M measures at C cutoffs.

    Attributes
    ----------
    runs, measures : tuple of str
        The names of the runs, and the measures without cutoffs.
    cutoffs : tuple of int
        The cutoffs, ascending.
    n_topics : int
        The number of topics over which the scores are averaged.
    values : ndarray of float64, shape (R, M, C)
        The mean scores.
    weights : ndarray of float64, shape (C,), optional
        The weights of the cutoffs, which sum to 1.
    """

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    cutoffs: tuple[int, ...]
    n_topics: int
    values: Floats
    weights: Floats | None = None

    @property
    def labels(self) -> dict[str, str]:
        """How reports call each measure."""
        return labels(self.measures)

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The tables below, without pandas, by the name of their file.

        `expected` is missing if the cutoffs have no weights.
        """
        tables = {"curves": self._best_first(self.values), "leaders": self._leaders()}
        if self.weights is not None:
            expected = self._best_first(self.values @ self.weights[:, None])
            tables["expected"] = expected.without("n_max")
        return tables

    def _best_first(self, values: Floats) -> Table:
        """Return a table of scores of shape (R, M, C), with one row per cutoff and run."""
        order = best_first(values[:, 0].T, self.measures[0]).ravel()
        cutoffs = np.repeat(range(values.shape[2]), len(self.runs))
        columns = {
            "n_max": np.take(self.cutoffs, cutoffs),
            "run": column(self.runs)[order],
            **by_measure(self.measures, values[order, :, cutoffs]),
        }
        return Table(columns, {"n_max": "Nmax"}, measures=self.measures)

    def _leaders(self) -> Table:
        rows = []
        for measure in self.compared:
            leads = self.leads(measure)
            called = {
                cutoff: names([*compress(self.runs, leads[:, i])])
                for i, cutoff in enumerate(self.cutoffs)
            }
            for same, [*cutoffs] in groupby(called, called.get):
                rows.append((measure, cutoffs[0], cutoffs[-1], same))
        leaders = pl.DataFrame(rows, ["measure", "first", "last", "leaders"], orient="row")
        return Table(
            leaders.to_dict(),
            {"first": "from Nmax", "last": "to Nmax"},
            measure=as_measure(self.measures),
        )

    def table(self) -> pd.DataFrame:
        """Return one row per cutoff and run, best run first, with one column per measure.

        If no value of the first measure is better, the lowest run comes first.
        """
        return self.tables["curves"].pandas()

    def by_run(self, measure: str) -> pd.DataFrame:
        """Return the scores by one measure: one row per run, one column per cutoff.

        The columns have the name of the measure.

        The best run at the last cutoff comes first, or the run with the lowest value by a measure
        for which neither high nor low values are better.
        """
        import pandas as pd

        runs, cutoffs = pd.Index(self.runs, name="run"), pd.Index(self.cutoffs, name=measure)
        return pd.DataFrame(self.scores_by(measure), runs, cutoffs).iloc[self.order(measure)]

    def expected(self) -> pd.DataFrame:
        """Return the weighted means over the cutoffs: one row per run, one column per measure.

        A weighted mean is the expected score if a user drawn at random checks each number of
        documents with the probability that is its weight. The best run by the first measure comes
        first.

        Raises
        ------
        InputError
            If the cutoffs have no weights.
        """
        if self.weights is None:
            raise InputError("the cutoffs have no weights; give them as {50: 0.5, 100: 0.5}")
        return self.tables["expected"].pandas()

    def leaders(self) -> pd.DataFrame:
        """Return the runs that lead: one row per measure and range of cutoffs.

        The columns are `measure`, `first` and `last`, which are the first and the last cutoff of a
        range, and `leaders`. All runs lead together whose means are equal to four decimals. Of
        many runs, only three are named. Measures for which neither high nor low values are better,
        such as LastRel, are left out.
        """
        return self.tables["leaders"].pandas()

    def scores_by(self, measure: str) -> Floats:
        """Return the scores by one measure, in an array of shape (R, C)."""
        check_known("measure", measure, self.measures, "measures")
        return self.values[:, self.measures.index(measure)]

    def order(self, measure: str) -> Indices:
        """Return the indices of the runs, best score at the last cutoff first."""
        return best_first(self.scores_by(measure)[:, -1], measure)

    @property
    def compared(self) -> list[str]:
        """The measures by which runs lead: none of one run, or without a better direction."""
        return [each for each in self.measures if len(self.runs) > 1 and direction(each)]

    def leads(self, measure: str) -> NDArray[np.bool_]:
        """Return whether each run leads at each cutoff, in an array of shape (R, C).

        Runs whose means are equal to four decimals lead together. By a measure without a direction,
        no run leads.
        """
        means = direction(measure) * self.scores_by(measure).round(DECIMALS)
        leads: NDArray[np.bool_] = (means == means.max(axis=0)) & (direction(measure) != 0)
        return leads

    def plot(self, ax: Axes | None = None, *, measure: str | None = None) -> Axes:
        """Draw one curve per run over Nmax.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw into, in your style. By default, pyplot makes a new figure.
        measure : str, optional
            The measure to draw, one of `measures`; by default the first one.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        InputError
            If the measure is unknown, or if `ax` is not axes.
        """
        return plot(self, ax, measure)


def sweep(
    qrels: AnyQrels, runs: AnyRuns, measures: Any, cutoffs: Iterable[int] | Mapping[int, float]
) -> Sweep:
    """Score runs at many cutoffs, ranking each run once.

    Parameters
    ----------
    qrels : Qrels
        The judgements; see :func:`pres_plugin.study.scoring.score`.
    runs : AnyRuns
        The runs by name; see :func:`pres_plugin.study.scoring.score`.
    measures : iterable of str or ir_measures.Measure
        Measures that accept a cutoff, written without one, such as PRES, R, AP or nDCG.
    cutoffs : iterable of int, or mapping of int to float
        The values of Nmax, at most 10,000. A mapping contains the weight of each value: a
        positive number below 10⁹, which is divided by the sum of all weights.
        :meth:`Sweep.expected` then returns the weighted means.

    Returns
    -------
    Sweep

    Raises
    ------
    InputError
        If a measure already has a cutoff, accepts none or cannot be computed, if a
        cutoff is not a positive whole number, if a weight is not a positive number, if there
        are too many cutoffs, or if the judgements or a run are invalid.

    Examples
    --------
    >>> from pres_plugin.study.sweep import sweep
    >>> qrels = {"q": {"a": 1}}
    >>> runs = {"mine": {"q": {"x": 3.0, "y": 2.0, "a": 1.0}}}
    >>> sweep(qrels, runs, ["PRES", "R"], [2, 4]).values[0].tolist()
    [[0.0, 0.5], [0.0, 1.0]]

    Three of four users check two results, and one checks four:

    >>> sweep(qrels, runs, ["PRES", "R"], {2: 3, 4: 1}).expected().to_dict("records")
    [{'run': 'mine', 'PRES': 0.125, 'R': 0.25}]
    """
    given, cutoffs = cutoffs, ascending("cutoff", cutoffs, whole, MOST_CUTOFFS)
    weights = _shares(given) if isinstance(given, Mapping) else None
    asked = swept_measures(measures, cutoffs[0])
    ours, others = ours_and_others(asked)
    judgements = judged(qrels, asked)
    swept = tuple(measure @ cutoff for measure in others for cutoff in cutoffs)
    evaluator = evaluators(judgements)
    names, values = [], []
    for run in ranked_runs(judgements, runs):
        means: dict[Any, Any] = {}
        with problems_of(run.where):
            for measure in ours:
                ranked = judgements.ranked(run, measure.document_choice)
                means[measure] = mean(
                    ranked.score(measure, np.reshape(cutoffs, (-1, 1))), run.order
                )
            if others:
                found = evaluator(swept).calc(run.docs).aggregated
                means |= {each: [found[each @ cutoff] for cutoff in cutoffs] for each in others}
        names.append(run.name)
        values.append([means[measure] for measure in asked])
    return Sweep(
        tuple(names),
        tuple(map(str, asked)),
        cutoffs,
        len(judgements.topics),
        np.array(values),
        weights,
    )


def _shares(weights: Mapping[int, float]) -> Floats:
    """Return the weights by ascending cutoff, divided by their sum."""
    # Numbers below a billion have a finite sum.
    checked = [
        positive(f"the weight of Nmax = {cutoff}", weight, 10**9)
        for cutoff, weight in sorted(weights.items())
    ]
    return np.array(checked) / sum(checked)


def swept_measures(asked: Any, cutoff: int) -> list[Any]:
    """Return measures without a cutoff, after checking that they can be computed at this one."""

    def swept(given: Any) -> Any:
        measure = read_any(given)
        if "cutoff" in measure.params:
            raise InputError(f"measure '{given}': a sweep sets the cutoff itself; leave it out")
        is_ours = isinstance(measure, Measure)
        if "cutoff" not in (measure.declaration.by_name if is_ours else measure.SUPPORTED_PARAMS):
            raise InputError(f"measure '{given}': it is the same at every Nmax; leave it out")
        checked(measure(cutoff=cutoff), str(given))
        return measure

    with problems_of():
        return parse_all(asked, swept)
