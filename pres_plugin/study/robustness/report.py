"""Build the report of a test of robustness: the mean τ and its range, per fraction and measure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import comb
from typing import Any

import numpy as np

from pres_plugin.messages import listed
from pres_plugin.output.words import (
    MOST_MEASURES,
    count,
    decimal,
    in_full,
    labels,
    percent,
)
from pres_plugin.study import result
from pres_plugin.study.output.parts import Picture, Section
from pres_plugin.study.output.report import Report
from pres_plugin.study.robustness.analysis import Robustness
from pres_plugin.study.robustness.picture import lowest_tau


@result.report.register(Robustness)
def report(found: Robustness, command: str = "") -> Report:
    """Return the report of a test of robustness; `command` makes it again."""
    # If τ is undefined everywhere, there is nothing to show.
    results = [] if np.isnan(found.kendall_tau).all() else list(parts(found))
    return Report(
        f"{count(len(found.runs), 'run')} with part of the judgements",
        f"{count(found.n_samples, 'sample')} per fraction, seed {found.seed}; "
        f"means of {count(found.n_topics, 'topic')}.",
        results,
        command,
        [*sentences(found), *in_full(found.measures)],
    )


def parts(found: Robustness) -> Iterator[Picture | Section]:
    """Yield the tables and the picture of τ, in reading order."""
    title, tables = "Agreement with the order by all judgements (Kendall's τ)", found.tables
    yield Section(
        "tau-by-fraction",
        f"{title}, by fraction",
        tables["tau-by-fraction"],
        "τ is 1 if a sample of the judgements gives the same order of runs as all judgements, "
        "and -1 if it gives the reverse order. The lowest, mean and highest τ are taken over "
        "the samples of each fraction.",
    )
    yield Picture(
        "lowest-tau",
        "Lowest τ by fraction of relevant documents kept",
        partial(lowest_tau, found),
        "Kendall's τ between the order of the runs by a sample of the relevant documents and "
        "their order by all of them; it is 1 if both are the same. The lowest τ of each "
        "fraction is drawn in full colour, the other samples faintly.",
    )
    views = [(f"{title}, by sample", tables["by-sample"])]
    yield Section("tau", f"{title}, by sample", tables["tau"], printed=False, views=views)


def sentences(found: Robustness) -> Iterator[str]:
    """Describe how well the first measures keep the order of the runs, and what remains open."""
    taus = np.ma.masked_invalid(found.kendall_tau[:, :, :MOST_MEASURES])
    n_undefined = taus.size - taus.count()
    why = "all runs have the same score with the sample or with all judgements"
    if n_undefined == taus.size:
        why = "there is only one run" if len(found.runs) == 1 else why
        yield f"Kendall's τ is undefined, because {why}."
        return
    yield f"The lowest τ over all samples is {_by_measure(found, taus.min(axis=(0, 1)))}."
    fewest_kept = taus[0]
    if fewest_kept.count():
        varies = np.ma.ptp(fewest_kept, axis=0).max()
        yield (
            f"With {percent(found.fractions[0])} of the relevant documents kept, the mean τ is "
            f"{_by_measure(found, fewest_kept.mean(axis=0))}; between samples of this size, τ "
            f"differs by up to {decimal(varies)}."
        )
    yield (
        f"Without ties, τ falls by {decimal(2 / comb(len(found.runs), 2))} for each reversed pair "
        f"of the {count(len(found.runs), 'run')}."
    )
    if n_undefined:
        yield f"τ is undefined for {n_undefined:,} of {taus.size:,} values, because {why}."


def _by_measure(found: Robustness, taus: Any) -> str:
    """Return the values that are defined, with their measures, the highest first."""
    order = (-taus).argsort(kind="stable")[: taus.count()]
    called = list(labels(found.measures).values())
    return listed([f"{decimal(taus[m])} by {called[m]}" for m in order])
