"""A test of robustness in three to six sentences."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pres_plugin.remedy import listed
from pres_plugin.study.sentences.words import (
    DECIMALS,
    MOST_MEASURES,
    capitalised,
    count,
    decimal,
    percent,
)

if TYPE_CHECKING:
    from pres_plugin.study.robustness import Robustness

#: Kendall's τ by measure, each of shape (F, S): one row per fraction, one column per sample.
Taus = dict[str, NDArray[np.float64]]

# Why τ is undefined.
_SAME_SCORE = "all runs have the same score with the sample or with all judgements"


def robustness_sentences(found: Robustness) -> list[str]:
    """Describe a test of robustness in three to six sentences."""
    taus = {
        measure: found.kendall_tau[:, :, m]
        for m, measure in enumerate(found.measures[:MOST_MEASURES])
    }
    if all(np.isnan(of_measure).all() for of_measure in taus.values()):
        return list(_undefined(found))
    return list(_defined(found, taus))


def _undefined(found: Robustness) -> Iterator[str]:
    why = "there is only one run" if len(found.runs) == 1 else _SAME_SCORE
    yield f"Kendall's τ is undefined, because {why}."
    yield "So nothing is known about how well the measures keep the order of the runs."
    yield f"The means are over {count(found.n_topics, 'topic')}."


def _defined(found: Robustness, taus: Taus) -> Iterator[str]:
    lowest = {
        measure: round(float(np.nanmin(of)), DECIMALS)
        for measure, of in taus.items()
        if not np.isnan(of).all()
    }
    best = _best(lowest)
    left_out = len(found.measures) > MOST_MEASURES
    yield f"Among the first {MOST_MEASURES} measures, {best}" if left_out else capitalised(best)
    yield from _first_changes(found, taus, list(lowest))
    yield from _spread(found, taus, list(lowest))
    missing = {measure: int(np.isnan(of).sum()) for measure, of in taus.items()}
    undefined = [
        f"{_of_samples(number, taus[measure].size)} by {measure}"
        for measure, number in missing.items()
        if number
    ]
    if undefined:
        yield f"τ is undefined for {listed(undefined)}, because {_SAME_SCORE}."
    pairs = comb(len(found.runs), 2)
    if pairs == 1:
        yield "With 2 runs, τ is 1 if they keep their order, and -1 if they change places."
    else:
        yield (
            f"With {len(found.runs):,} runs, there are {pairs:,} pairs; without ties, τ falls by "
            f"{decimal(2 / pairs)} for each pair whose order is reversed."
        )


def _of_samples(number: int, n_samples: int) -> str:
    if number == n_samples:
        return f"all {n_samples:,} samples" if n_samples > 1 else "the only sample"
    return f"{number:,} of the {n_samples:,} samples"


def _best(lowest: dict[str, float]) -> str:
    """Say by which measures the lowest τ is highest."""
    highest = max(lowest.values())
    best = [measure for measure, tau in lowest.items() if tau == highest]
    others = [(measure, tau) for measure, tau in lowest.items() if tau < highest]
    if len(lowest) == 1:
        return f"by {best[0]}, the lowest τ over all samples is {decimal(highest)}."
    if not others:
        return f"by {listed(best)}, the lowest τ over all samples is the same, {decimal(highest)}."
    its = "its" if len(best) == 1 else "their"
    compared = listed([f"{decimal(tau)} for {measure}" for measure, tau in others])
    return (
        f"the order of the runs changes least by {listed(best)}: {its} lowest τ over all samples "
        f"is {decimal(highest)}, compared with {compared}."
    )


def _first_changes(found: Robustness, taus: Taus, measures: list[str]) -> Iterator[str]:
    """Say at which fraction the order by each measure begins to change."""
    changes: dict[float, list[str]] = {}
    never = []
    for measure in measures:
        changed = np.flatnonzero((taus[measure].round(DECIMALS) < 1).any(axis=1))
        if len(changed):
            changes.setdefault(found.fractions[changed[-1]], []).append(measure)
        else:
            never.append(measure)
    if changes:
        text = "As fewer relevant documents are kept, the order first changes "
        texts = [
            f"at {percent(fraction)} by {_merged(found, changes[fraction])}"
            for fraction in sorted(changes, reverse=True)
        ]
        text += listed(texts) if len(texts) == len(measures) - len(never) else _with_commas(texts)
        yield text + (f"; it never changes by {listed(never)}." if never else ".")
    else:
        yield f"The order never changes by {listed(never)}."


def _merged(found: Robustness, measures: list[str]) -> str:
    """Return the names of measures, or "both" or "all" if these are all of several."""
    if len(measures) == 1 or len(measures) < len(found.measures):
        return listed(measures)
    return f"{'both' if len(measures) == 2 else 'all'} measures"


def _with_commas(texts: list[str]) -> str:
    """Return a list of texts that may themselves contain "and"."""
    return f"{', '.join(texts[:-1])}, and {texts[-1]}" if len(texts) > 1 else texts[0]


def _spread(found: Robustness, taus: Taus, measures: list[str]) -> Iterator[str]:
    """Compare the measures with each other and with the samples, at the smallest fraction."""
    smallest = {measure: taus[measure][0][~np.isnan(taus[measure][0])] for measure in measures}
    defined = [measure for measure in measures if len(smallest[measure])]
    if not defined:
        return
    means = {measure: float(smallest[measure].mean()) for measure in defined}
    texts = [f"{decimal(means[measure])} by {measure}" for measure in defined]
    yield f"With {percent(found.fractions[0])} kept, the mean τ is {listed(texts)}."
    if len(defined) == 1:
        return
    if found.kendall_tau.shape[1] == 1:
        yield "With one sample per fraction, it is unknown how much τ varies between samples."
        return
    apart = round(max(means.values()) - min(means.values()), DECIMALS)
    varies = round(max(float(np.ptp(smallest[measure])) for measure in defined), DECIMALS)
    more = "more than" if apart > varies else "as much as" if apart == varies else "less than"
    yield (
        f"These means differ by up to {decimal(apart)}, {more} τ varies between samples by the "
        f"same measure ({decimal(varies)})."
    )
