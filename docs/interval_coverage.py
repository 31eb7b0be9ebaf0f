"""Measure how often the confidence intervals of `compare` contain the true value.

Run it as ``python docs/interval_coverage.py``. It draws topics from populations whose mean is
known, computes the intervals with the functions that `compare` uses, and counts how many
contain the mean. It writes the table into the page. It takes about two minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from marked_parts import with_parts
from numpy.typing import NDArray
from scipy import stats
from tabulate import tabulate

from pres_plugin.study.statistics.intervals import intervals
from pres_plugin.study.statistics.method import Method

PAGE = Path(__file__).parent / "how-to" / "compare-systems.md"

CONFIDENCE = 0.95
DRAWS = 10_000
TOPICS = (10, 20, 50, 100)

#: How many draws share their resamples. Each block of draws has resamples of its own, so that
#: the results do not depend on one seed.
BLOCK = 200

#: The correlation of two systems' scores, before these get their own distributions. The scores
#: of the runs of CLEF 2017 correlate with 0.5 to 0.7.
CORRELATION = 0.6

Floats = NDArray[np.float64]

#: A function that turns probabilities, uniform between 0 and 1, into scores.
Quantiles = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Scores:
    """The scores of a system on a population of topics.

    Attributes
    ----------
    quantiles : function
        The inverse of the distribution function.
    mean : float
        The mean of the whole population.
    """

    quantiles: Quantiles
    mean: float


def beta(a: float, b: float) -> Scores:
    """Return scores between 0 and 1, drawn from Beta."""
    return Scores(stats.beta(a, b).ppf, a / (a + b))


def mostly_zero(zeros: float, a: float, b: float) -> Scores:
    """Return scores that are 0 for a fraction `zeros` of the topics, else drawn from Beta."""
    others = stats.beta(a, b)

    def quantiles(p: Floats) -> Floats:
        scores: Floats = others.ppf(np.clip((p - zeros) / (1 - zeros), 0, 1))
        return scores

    return Scores(quantiles, (1 - zeros) * a / (a + b))


def ranks(shape: float, scale: float) -> Scores:
    """Return ranks in the thousands, such as those of the last relevant document."""
    return Scores(stats.gamma(shape, scale=scale).ppf, shape * scale)


#: Populations by name: one system, or two to compare. Except for the last one, they have the means
#: and deviations of runs of CLEF 2017 (technologically assisted reviews).
POPULATIONS: dict[str, tuple[Scores, ...]] = {
    "PRES, one run": (beta(4.3, 1.5),),
    "PRES, difference of two runs": (beta(4.3, 1.5), beta(0.9, 0.65)),
    "recall, a weak run": (beta(0.3, 0.66),),
    "AP, difference of two weak runs": (beta(0.6, 4.7), beta(0.6, 4.7)),
    "last relevant rank, difference": (ranks(0.55, 1850.0), ranks(0.93, 2610.0)),
    "80 % of topics score 0": (mostly_zero(0.8, 1.0, 3.0),),
}


def sample(population: tuple[Scores, ...], n_topics: int, rng: np.random.Generator) -> Floats:
    """Return a block of draws: one row per draw, and one score or difference per topic."""
    normal = rng.standard_normal((len(population), BLOCK, n_topics))
    # Some topics are harder for both systems than others.
    normal[1:] = CORRELATION * normal[:1] + np.sqrt(1 - CORRELATION**2) * normal[1:]
    first, *second = (
        of.quantiles(p) for of, p in zip(population, stats.norm.cdf(normal), strict=True)
    )
    return first - second[0] if second else first


def coverage(name: str, n_topics: int, draws: int = DRAWS, resamples: int = 9999) -> float:
    """Return the fraction of the draws whose interval contains the mean of the population."""
    population = POPULATIONS[name]
    true = population[0].mean - sum(of.mean for of in population[1:])
    rng = np.random.default_rng([n_topics, *name.encode()])
    contained = 0
    for seed in range(draws // BLOCK):
        rows = sample(population, n_topics, rng)
        low, high = intervals(rows, CONFIDENCE, Method(resamples=resamples, seed=seed))
        contained += int(((low <= true) & (true <= high)).sum())
    return contained / draws


def table() -> str:
    """Return the results as a Markdown table, in percent."""
    rows = [
        [name, *(f"{100 * coverage(name, n_topics):.1f}" for n_topics in TOPICS)]
        for name in POPULATIONS
    ]
    headers = ["population", *(f"{n_topics} topics" for n_topics in TOPICS)]
    align = ["left"] + ["right"] * len(TOPICS)
    return tabulate(rows, headers, tablefmt="pipe", colalign=align, disable_numparse=True)


def main() -> None:
    """Write the table into the page."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_parts(page, {"coverage": table()}), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
