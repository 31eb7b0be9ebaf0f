"""The table of a comparison for a paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from string import ascii_lowercase
from typing import TYPE_CHECKING

from pres_plugin.remedy import listed
from pres_plugin.study.estimates import estimates
from pres_plugin.study.paper.scores import about_bold, about_means, cells_of, number, places_of
from pres_plugin.study.paper.table import Cell, PaperTable, software
from pres_plugin.study.sentences.methods import tested
from pres_plugin.study.sentences.words import name

if TYPE_CHECKING:
    from pres_plugin.study.cells import Estimate
    from pres_plugin.study.compare import Comparison

Marks = dict[tuple[str, str], str]


def comparison_table(comparison: Comparison, decimals: int = 4) -> PaperTable:
    """Return the means of a comparison as a table for a paper.

    Parameters
    ----------
    comparison : Comparison
        The comparison.
    decimals : int, default 4
        The number of decimals; -1 for full precision.

    Returns
    -------
    PaperTable
    """
    scores = comparison.scores
    runs = [scores.runs[r] for r in scores.order()]
    symbols = _symbols(comparison, runs)
    marks = _marks(comparison, symbols)
    columns = [_column(comparison, runs, measure, decimals, marks) for measure in scores.measures]
    rows = [
        ([symbols.get(run, ""), run] if symbols else [run], cells)
        for run, *cells in zip(runs, *columns, strict=True)
    ]
    heads = ["", "run"] if symbols else ["run"]
    return PaperTable(heads, scores.measures, rows, _caption(comparison, symbols))


def _column(
    comparison: Comparison, runs: Sequence[str], measure: str, decimals: int, marks: Marks
) -> list[Cell]:
    scores = comparison.scores
    all_means = estimates(
        scores, scores.measures.index(measure), comparison.columns.get("intervals")
    )
    of_run = dict(zip(scores.runs, all_means, strict=True))
    means = [of_run[run] for run in runs]
    bounds = (bound for mean in means for bound in (mean.low, mean.high))
    places = places_of(measure, [*means, *bounds], decimals)
    return [
        replace(
            cell,
            marks=marks.get((run, measure), ""),
            after=_brackets(mean, places),
        )
        for run, mean, cell in zip(runs, means, cells_of(measure, means, places), strict=True)
    ]


def _brackets(mean: Estimate, places: int) -> str:
    """Return the confidence interval of a mean in brackets, or nothing if there is none."""
    if math.isnan(mean.low):
        return ""
    return f" [{number(mean.low, places)}, {number(mean.high, places)}]"


def _symbols(comparison: Comparison, runs: Sequence[str]) -> dict[str, str]:
    """Return the letter or number of each run that marks refer to."""
    baselines = comparison.baselines
    if len(runs) == 1 or len(baselines) == 1:  # nothing to tell apart
        return {}
    marked = [run for run in runs if run in set(baselines)] if baselines else runs
    if len(marked) > len(ascii_lowercase):
        return {run: str(i) for i, run in enumerate(marked, start=1)}
    return dict(zip(marked, ascii_lowercase, strict=False))


def _marks(comparison: Comparison, symbols: dict[str, str]) -> Marks:
    """Return the marks of each run and measure.

    Without baselines, they are the symbols of the runs that are significantly lower. With
    baselines, they are an arrow for each baseline from which the run differs.
    """
    marked: dict[tuple[str, str], list[str]] = {}
    columns = (
        comparison.columns["pairs"][name] for name in ("first", "second", "measure", "verdict")
    )
    for first, second, measure, verdict in zip(*columns, strict=True):
        if not verdict.endswith("better"):
            continue
        is_higher = verdict.startswith("first")
        if comparison.baselines:
            mark = symbols.get(second, "") + ("↑" if is_higher else "↓")
            marked.setdefault((first, measure), []).append(mark)
        else:
            higher, lower = (first, second) if is_higher else (second, first)
            marked.setdefault((higher, measure), []).append(symbols[lower])
    return {key: _joined(marks) for key, marks in marked.items()}


def _joined(marks: Sequence[str]) -> str:
    """Return the marks of one value in order; successive numbers become a range."""
    if not marks[0].isdecimal():
        return "".join(sorted(marks))
    # Successive numbers differ from their positions by the same amount.
    numbers = sorted(map(int, marks))
    by_range = groupby(enumerate(numbers), lambda item: item[1] - item[0])
    ranges = [[number for _, number in group] for _, group in by_range]
    return ",".join(f"{r[0]}–{r[-1]}" if len(r) > 1 else f"{r[0]}" for r in ranges)


def _caption(comparison: Comparison, symbols: dict[str, str]) -> str:
    scores, how = comparison.scores, comparison.how
    n_runs = len(scores.runs)
    sentences = [about_means(scores.measures, len(scores.topics))]
    sentences += about_bold(scores.measures, n_runs)
    if n_runs > 1:
        n_pairs = len(comparison.columns["pairs"]) // len(scores.measures)
        sentences.append(f"{_about_marks(comparison, symbols)} ({tested(how, n_pairs)}).")
    if comparison.has_intervals:
        sentences.append(f"Brackets: {how.of_intervals()} ({how.of_resamples()}).")
    sentences.append(software(["pres-plugin", "ir-measures", "scipy", "numpy"]))
    return " ".join(sentences)


def _about_marks(comparison: Comparison, symbols: dict[str, str]) -> str:
    baselines = comparison.baselines
    if not baselines:
        return "Superscripts: the runs that are significantly lower"
    called = [f"{name(run)} ({symbols[run]})" if symbols else name(run) for run in baselines]
    plural = "" if len(baselines) == 1 else "s"
    return (
        f"Arrows: significantly higher (↑) or lower (↓) than the baseline{plural} {listed(called)}"
    )
