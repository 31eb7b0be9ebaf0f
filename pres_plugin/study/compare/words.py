"""Describe a comparison of runs in a few sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from pres_plugin.remedy import listed
from pres_plugin.study.compare.analysis import VERDICTS, Comparison
from pres_plugin.study.output.words import MOST_MEASURES, count, decimal, name, names, p_value
from pres_plugin.study.statistics.corrections import CORRECTIONS
from pres_plugin.study.statistics.resampling import Resampling
from pres_plugin.study.statistics.tests import TESTS

# What follows from the verdict on the first pair, which contains the best run.
_SO = dict.fromkeys(VERDICTS, "significant") | {
    "not significant": "not significant, so it remains open which run is better",
    "test and mean disagree": "significant, but the test favours the run with the lower mean",
}


def sentences(found: Comparison) -> list[str]:
    """Say which runs are best, whether significantly, and where PRES and AP disagree.

    Means that are equal to four decimals count as ties.
    """
    runs = found.scores.runs
    phrases: dict[str, list[str]] = {}
    for measure in found.scores.measures[:MOST_MEASURES]:
        value, tied = _best(found, measure)
        phrase = f"{names(tied)} {'has' if len(tied) == 1 else 'share'} the highest mean"
        if len(tied) == len(runs):
            phrase = f"{'Both' if len(runs) == 2 else f'All {len(runs):,}'} runs have the same mean"
        if len(runs) == 1:
            phrase = f"The only run, {name(runs[0])}, has the mean"
        phrases.setdefault(phrase, []).append(f"{measure} ({value})")
    said = [" ".join(f"{phrase} {listed(values)}." for phrase, values in phrases.items())]
    alike: dict[bytes, list[str]] = {}
    for run, values in zip(runs, found.scores.values.round(12), strict=True):
        alike.setdefault(values.tobytes(), []).append(run)
    if same := [names(each) for each in alike.values() if len(each) > 1]:
        said.append(f"Identical, with the same scores on every topic: {'; '.join(same[:3])}.")
    return said if len(alike) == 1 else [*said, *_differences(found)]


def _best(found: Comparison, measure: str) -> tuple[str, list[str]]:
    """Return the highest mean by a measure, and the runs that have it."""
    means = found.scores.means[:, found.scores.measures.index(measure)]
    highest, by_run = decimal(means.max()), zip(found.scores.runs, means, strict=True)
    return highest, [run for run, mean in by_run if decimal(mean) == highest]


def _differences(found: Comparison) -> Iterator[str]:
    measures, how, pairs = found.scores.measures, found.how, found.tables["pairs"].frame
    n_topics = count(len(found.scores.topics), "topic")
    n_pairs = len(pairs) // len(measures)
    top = pairs.row(0, named=True)
    in_brackets = p_value(top["p_value"])
    if found.has_intervals:
        bounds = f"{decimal(top['low'])} to {decimal(top['high'])}"
        in_brackets = f"{how.level} interval {bounds}, {in_brackets}"
    if top["equal"] < len(found.scores.topics):
        yield (
            f"The difference in {measures[0]} between {name(top['first'])} and "
            f"{name(top['second'])} is {decimal(top['difference'])} ({in_brackets}): "
            f"{_SO[top['verdict']]}."
        )
    of = f" of {count(n_pairs, 'pair')}"
    if found.baselines:
        of += f" with {names(found.baselines)}"
    significant = found.tables["verdicts"].frame.select("measure", *VERDICTS[:2]).rows()
    (measure, *counts), *others = significant[:MOST_MEASURES]
    numbers = [f"{sum(counts)}{of} in {measure}"]
    numbers += [f"{first + second} in {measure}" for measure, first, second in others]
    # All topics differ in the same direction, by almost the same amount.
    clear = np.linspace(1, 1 + 1e-9, len(found.scores.topics))
    smallest, _ = TESTS[how.test](clear[None], Resampling(how.resamples, how.seed))
    least = CORRECTIONS[how.correction](np.repeat(smallest, n_pairs))[0]
    differ = f"Differences are significant for {listed(numbers)}"
    if least >= how.alpha:
        differ = f"No difference can be significant, because no p-value can be below {least:.3g}"
    yield f"{differ} ({how.of_tests()}; {n_topics})."
    by_name = {re.split(r"\W", measure)[0]: measure for measure in reversed(measures)}
    if {"PRES", "AP"} <= by_name.keys():
        both = [by_name["PRES"], by_name["AP"]]
        first, second = (pairs.filter(measure=each)["difference"] for each in both)
        best = [_best(found, each)[1] for each in both]
        runs = "the same run" if best[0] == best[1] else "different runs"
        disagree = (first * second < 0).sum()
        yield f"{listed(both)} rank {runs} first and disagree on {disagree}{of}."
