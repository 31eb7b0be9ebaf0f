"""The means of a comparison as a table for a paper."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from string import ascii_lowercase

import polars as pl

from pres_plugin.messages import listed
from pres_plugin.output.paper import caption, paper
from pres_plugin.output.tables import column
from pres_plugin.output.words import name, one_topic
from pres_plugin.study.compare.analysis import VERDICTS, Comparison


def table(found: Comparison, fmt: str, decimals: int) -> str:
    """Return the means with marks of significant differences, best run first."""
    measures, means = found.scores.measures, found.tables["means"]
    runs = means["run"].to_list()
    symbols = _symbols(found, runs)
    if symbols:
        letters = pl.DataFrame({"": [symbols.get(run, "") for run in runs]})
        means = means.with_frame(letters.hstack(means.frame))
    about = _caption(found, symbols)
    return paper(fmt, means, measures, about, decimals, _marks(found, symbols))


def _symbols(found: Comparison, runs: list[str]) -> dict[str, str]:
    """Return the letter or number of each run that marks refer to."""
    if not found.is_tested or len(found.baselines) == 1:  # nothing to tell apart
        return {}
    # Write the names as in the tables.
    marked = column(found.baselines).to_list() or runs
    are_few = len(marked) <= len(ascii_lowercase)
    symbols = ascii_lowercase if are_few else map(str, range(1, len(marked) + 1))
    return dict(zip(marked, symbols, strict=False))


def _marks(found: Comparison, symbols: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Return the marks of each run and measure.

    Without baselines, they are the symbols of the runs that are significantly worse. With
    baselines, they are an arrow for each baseline from which the run differs.
    """
    marks = defaultdict(list)
    pairs = found.tables["pairs"].frame.select("verdict", "measure", "first", "second")
    for verdict, measure, first, second in pairs.iter_rows():
        if verdict in VERDICTS[:2]:
            better, worse = (first, second) if verdict == VERDICTS[0] else (second, first)
            if found.baselines:
                marks[first, measure].append(symbols.get(second, "") + "↓↑"[better == first])
            else:
                marks[better, measure].append(symbols[worse])
    between = "," if len(symbols) > len(ascii_lowercase) else ""
    return {key: between.join(each) for key, each in marks.items()}


def _caption(found: Comparison, symbols: Mapping[str, str]) -> str:
    """Return what the marks and brackets mean, with the settings and the software."""
    scores, how = found.scores, found.how
    packages, said = [*scores.computed_by], one_topic(len(scores.topics))
    if found.is_tested:
        tested = "Superscripts name the runs that are significantly worse"
        if found.baselines:
            called = [name(each) for each in found.baselines]
            if symbols:
                called = [f"{n} ({s})" for n, s in zip(called, symbols.values(), strict=True)]
            tested = (
                "Arrows mark runs that are significantly better (↑) or worse (↓) than the "
                f"baseline{'s' if symbols else ''} {listed(called)}"
            )
        drawn = f", {how.of_resamples()}" if how.test == "randomization" else ""
        said.append(f"{tested} ({how.of_tests(found.n_pairs)}{drawn}).")
    if found.has_intervals:
        said.append(f"Brackets: {how.of_intervals()} ({how.of_resamples()}).")
    if found.is_tested or found.has_intervals:
        packages.append("scipy")
    return caption(scores.measures, len(scores.topics), len(scores.runs), packages, *said)
