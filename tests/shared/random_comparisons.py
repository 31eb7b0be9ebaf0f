"""Comparisons of random scores, with the names and the ties that reports have to cope with."""

import random
from functools import cache

import numpy as np

from pres_plugin.study.compare.analysis import compared
from pres_plugin.study.scoring import Scores
from pres_plugin.study.statistics.method import Method

RUNS = ["bm25", "dense", "a, b", "x y", "it's", "run-1.res", "é; ü", "a\nb", "b" * 60, "[c]"]
MEASURES = ["PRES@100", "AP@100", "R@100", "P@10", "nDCG@10", "PRES(rel=2)@100", "RR"]


@cache
def random_comparison(seed):
    """A comparison of random scores: runs of different quality, with ties and zeros."""
    rng = random.Random(seed)
    n_runs, n_topics = rng.choice([1, 2, 3, 4, 7]), rng.choice([1, 2, 4, 7, 12, 30])
    measures = rng.sample(MEASURES, rng.choice([1, 1, 2, 3, 3, 7]))
    effect, decimals = rng.choice([0, 0.1, 0.3]), rng.choice([1, 2, 12])
    values = np.random.default_rng(seed).random((n_runs, n_topics, len(measures)))
    better = [rng.sample(range(n_runs), n_runs) for _ in measures]  # an order for each measure
    values = values * 0.4 + effect * np.array(better).T[:, None, :] / n_runs
    values = values.round(decimals) * rng.choice([0, *[1] * 9])
    runs = rng.sample(RUNS, n_runs)
    scores = Scores(
        tuple(runs),
        tuple(f"q{t}" for t in range(n_topics)),
        tuple(measures),
        values,
        values.mean(axis=1),
    )
    baselines = rng.sample(runs, min(n_runs - 1, rng.choice([0, 0, 1, 2])))
    how = Method(
        test=rng.choice(["wilcoxon", "t", "randomization"]),
        alpha=rng.choice([0.05, 0.01]),
        correction=rng.choice(["none", "bonferroni", "holm", "bh"]),
        confidence=rng.choice([None, None, 0.95, 0.9]),
        resamples=999,
    )
    return compared(scores, baselines, how)
