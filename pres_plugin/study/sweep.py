"""Show how scores and the order of runs change with the cutoff."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pres_plugin.adapters.ir_measures.any_measure import ours_from_ranks
from pres_plugin.adapters.ir_measures.scoring import Evaluator
from pres_plugin.measures import Measure
from pres_plugin.ranking.scores import Ranked
from pres_plugin.study.columns import Columns, from_rows
from pres_plugin.study.directions import has_direction
from pres_plugin.study.evaluators import for_each_run
from pres_plugin.study.inputs import (
    Qrels,
    Runs,
    ascending,
    check_known,
    checked_n_max,
    checked_qrels,
    named_runs,
    problems_of,
    swept_measures,
)
from pres_plugin.study.limits import MOST_CUTOFFS
from pres_plugin.study.ranks import RankedRun, RelevantDocuments
from pres_plugin.study.scoring import best_first
from pres_plugin.study.sentences.sweep import sweep_sentences

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

Indices = NDArray[np.intp]

# The columns of the table of changes.
_CHANGES = ("measure", "ahead_before", "ahead_after", "before", "after", "n_max", "value")

# The number of cutoffs times topics to score at once.
_CELLS_AT_ONCE = 1_000_000

# ir-measures collects all scores of a run before it averages them, 300 bytes per score.
_SCORES_AT_ONCE = 200_000


@dataclass(frozen=True, eq=False)
class Sweep:
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
    """

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    cutoffs: tuple[int, ...]
    n_topics: int
    values: NDArray[np.float64]

    def table(self) -> pd.DataFrame:
        """Return one row per cutoff and run, best run first, with one column per measure.

        If no value of the first measure is better, the lowest run comes first.
        """
        import pandas as pd

        rows = [
            (cutoff, self.runs[r], *self.values[r, :, c])
            for c, cutoff in enumerate(self.cutoffs)
            for r in best_first(self.values[:, 0, c], self.measures[0])
        ]
        return pd.DataFrame(rows, columns=["n_max", "run", *self.measures])

    def by_run(self, measure: str) -> pd.DataFrame:
        """Return the scores by one measure: one row per run, one column per cutoff.

        The columns have the name of the measure.

        The best run at the last cutoff comes first, or the run with the lowest value by a measure
        for which neither high nor low values are better.
        """
        import pandas as pd

        check_known("measure", measure, self.measures, "measures")
        by_run = self.run_columns(measure)
        runs, *scores = by_run.values.values()
        index = pd.Index(runs, name="run")
        columns = pd.Index(self.cutoffs, name=measure)
        return pd.DataFrame(np.array(scores).T, index=index, columns=columns)

    def run_columns(self, measure: str) -> Columns:
        """Return the runs, in the order of :meth:`by_run`, and one column per cutoff."""
        scores = self.values[:, self.measures.index(measure)]
        order = best_first(scores[:, -1], measure)
        runs = [self.runs[i] for i in order]
        at_cutoffs = dict(zip(self.cutoffs, scores[order].T, strict=True))
        return Columns({"run": runs, **at_cutoffs}, measure)

    def changes(self) -> pd.DataFrame:
        """Find where two runs change places: one row per measure and change.

        `ahead_before` leads at the cutoff `before`, and `ahead_after` at the cutoff `after`.
        Between them, the lines that connect the scores first meet at `n_max` and `value`. Runs
        that tie and then separate in the same order have not changed places. LastRel and other
        measures for which neither high nor low values are better are left out.
        """
        return self.change_columns().frame()

    def change_columns(self) -> Columns:
        """Return the columns of :meth:`changes`."""
        return self._changes[0]

    def largest_changes(self, most: int) -> Columns:
        """Return up to `most` rows of :meth:`changes`, those with the largest swing first.

        The swing of a change is by how much the difference of the two runs changes from `before`
        to `after`.
        """
        changes, swings = self._changes
        largest = np.argsort(-swings.round(12), kind="stable")[:most]
        return Columns({name: np.asarray(changes[name])[largest] for name in _CHANGES})

    @cached_property
    def _changes(self) -> tuple[Columns, NDArray[np.float64]]:
        """Return the columns of :meth:`changes`, and the swing of each change."""
        at, runs = np.array(self.cutoffs), np.array(self.runs, dtype=object)
        found: list[tuple[NDArray[Any], ...]] = []
        directed = [(m, name) for m, name in enumerate(self.measures) if has_direction(name)]
        for m, measure in directed:
            for i in range(len(self.runs) - 1):
                # By how much run i is ahead of each later run.
                ahead = np.round(self.values[i, m] - self.values[i + 1 :, m], 12)
                later, a, b = _changes_of_sign(ahead)
                swing = np.abs(ahead[later, b] - ahead[later, a])
                # They meet before the next cutoff, or there if they tie.
                share = ahead[later, a] / (ahead[later, a] - ahead[later, a + 1])
                n_max = at[a] + share * (at[a + 1] - at[a])
                value = np.interp(n_max, at, self.values[i, m])
                is_ahead, j = ahead[later, a] > 0, later + i + 1
                before, after = runs[np.where(is_ahead, i, j)], runs[np.where(is_ahead, j, i)]
                names = np.full(len(later), measure, dtype=object)
                found.append((names, before, after, at[a], at[b], n_max, value, swing))
        columns = [np.concatenate(parts) for parts in zip(*found, strict=True)]
        if not columns or not len(columns[0]):
            return from_rows(_CHANGES, []), np.empty(0)
        *of_changes, swings = columns
        return Columns(dict(zip(_CHANGES, of_changes, strict=True))), swings

    def _repr_html_(self) -> str:
        """Return the sentences, the main table and the picture for a notebook."""
        from pres_plugin.study.html.notebook import in_notebook
        from pres_plugin.study.reports.sweep import curves

        return in_notebook(self.sentences(), curves(self))

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
        StudyError
            If the measure is unknown, or if `ax` is not axes.
        """
        from pres_plugin.study.pictures.sweep import plot_curves

        return plot_curves(self, ax, measure)

    def sentences(self) -> list[str]:
        """Describe in three to six sentences which runs lead, and where the lead changes.

        Ties are those to four decimals. By measures such as LastRel, no run leads.
        """
        return sweep_sentences(self)


def sweep(qrels: Qrels, runs: Runs, measures: Any, cutoffs: Iterable[int]) -> Sweep:
    """Score runs at many cutoffs, in one pass over each run.

    Parameters
    ----------
    qrels : Qrels
        The judgements; see :func:`pres_plugin.study.scoring.score`.
    runs : Runs
        The runs by name; see :func:`pres_plugin.study.scoring.score`.
    measures : iterable of str or ir_measures.Measure
        Measures that accept a cutoff, written without one, such as PRES, R, AP or nDCG.
    cutoffs : iterable of int
        The values of Nmax, at most 10,000.

    Returns
    -------
    Sweep

    Raises
    ------
    StudyError
        If a measure already has a cutoff, accepts none or cannot be computed, if a
        cutoff is not a positive whole number, if there are too many cutoffs, or if the
        judgements or a run are invalid.

    Examples
    --------
    >>> from pres_plugin.study.sweep import sweep
    >>> qrels = {"q": {"a": 1}}
    >>> runs = {"mine": {"q": {"x": 3.0, "y": 2.0, "a": 1.0}}}
    >>> sweep(qrels, runs, ["PRES", "R"], [2, 4]).values[0].tolist()
    [[0.0, 0.5], [0.0, 1.0]]
    """
    cutoffs = checked_cutoffs(cutoffs)
    asked = swept_measures(measures, cutoffs[0])
    qrels = checked_qrels(qrels)
    relevant = RelevantDocuments(qrels)
    by_ranks = ours_from_ranks(asked)
    others = {(m, c): m @ c for m in asked if m not in by_ranks for c in cutoffs}
    size = max(1, _SCORES_AT_ONCE // len(qrels))
    at_once = [list(others.values())[i : i + size] for i in range(0, len(others), size)]
    evaluators = for_each_run(partial(_evaluators, at_once, qrels), len(at_once), qrels)
    names, values = [], []
    for name, run in named_runs(runs, qrels):
        of_ours = _means(relevant, relevant.rank(name, run), by_ranks.values(), cutoffs)
        means = dict(zip(by_ranks, of_ours, strict=True))
        aggregated: dict[Any, float] = {}
        with problems_of(name):
            for evaluator in evaluators():
                aggregated |= evaluator.calc_aggregate(run)
        for measure in asked:
            if measure not in by_ranks:
                means[measure] = [aggregated[others[measure, cutoff]] for cutoff in cutoffs]
        names.append(name)
        values.append([means[measure] for measure in asked])
    return Sweep(
        tuple(names), tuple(map(str, asked)), cutoffs, len(relevant.topics), np.array(values)
    )


def checked_cutoffs(cutoffs: Iterable[int]) -> tuple[int, ...]:
    """Return the values of Nmax, ascending, each once."""
    return ascending("cutoff", cutoffs, checked_n_max, MOST_CUTOFFS)


def sweep_of_ranks(
    relevant: RelevantDocuments,
    runs: Iterable[RankedRun],
    measures: Mapping[Any, Measure],
    cutoffs: Iterable[int],
) -> Sweep:
    """Score runs that have already been ranked; see :func:`sweep`.

    `measures` maps each requested measure to ours.
    """
    cutoffs = checked_cutoffs(cutoffs)
    names, values = [], []
    for run in runs:
        names.append(run.name)
        values.append(_means(relevant, run, measures.values(), cutoffs))
    measured = tuple(map(str, measures))
    return Sweep(tuple(names), measured, cutoffs, len(relevant.topics), np.array(values))


def _means(
    relevant: RelevantDocuments,
    run: RankedRun,
    measures: Iterable[Measure],
    cutoffs: Sequence[int],
) -> list[list[float]]:
    """Return the means of a run by each measure, at each cutoff."""
    size = max(1, _CELLS_AT_ONCE // len(relevant.topics))
    blocks = [np.array(cutoffs[i : i + size])[:, None] for i in range(0, len(cutoffs), size)]
    by_rel: dict[int, Ranked] = {}
    means = []
    with problems_of(run.name):
        for measure in measures:
            if measure.rel not in by_rel:
                by_rel[measure.rel] = relevant.ranked(run, measure.rel)
            scores = (by_rel[measure.rel].score(measure, block) for block in blocks)
            means.append([mean for block in scores for mean in block.mean(axis=1).tolist()])
    return means


def _evaluators(at_once: Iterable[list[Any]], qrels: Qrels) -> Iterator[Evaluator]:
    for measures in at_once:
        with problems_of("qrels"):
            evaluator = Evaluator(measures, qrels)
        yield evaluator


def _changes_of_sign(values: NDArray[np.float64]) -> tuple[Indices, Indices, Indices]:
    """Find where values change their sign along a row: the rows, and the columns before and after.

    Zeros in between do not count.
    """
    columns = np.arange(values.shape[1])
    last_signed = np.maximum.accumulate(np.where(values != 0, columns, 0), axis=1)[:, :-1]
    rows, steps = np.nonzero(np.take_along_axis(values, last_signed, axis=1) * values[:, 1:] < 0)
    return rows, last_signed[rows, steps], steps + 1
