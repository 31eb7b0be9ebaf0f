"""Scores of made-up runs, without judgements or documents."""

import numpy as np

from pres_plugin.study.compare.analysis import compared
from pres_plugin.study.scoring import Scores
from pres_plugin.study.statistics.method import Method


def random_scores(n_runs, n_topics, levels=None, seed=0, measures=("A", "B")):
    """Scores of runs of different quality; with few levels, most differences tie or are 0."""
    rng = np.random.default_rng(seed)
    values = rng.random((n_runs, n_topics, len(measures)))
    values += np.linspace(0, 1, n_runs)[:, None, None]
    if levels is not None:
        values = np.floor(values * levels) / levels
    return scores_of(values, measures)


def scores_of(values, measures=("A", "B"), runs=()):
    """Scores of runs by topic and measure; without other names, the runs are run0, run1, …"""
    values = np.asarray(values, dtype=float)
    runs = runs or map("run{}".format, range(len(values)))
    topics = map("q{:04}".format, range(values.shape[1]))
    return Scores(tuple(runs), tuple(topics), tuple(measures), values, values.mean(axis=1))


def comparison(scores, baselines=(), groups=None, **options):
    """A comparison of scored runs, with the options of a `Method`."""
    return compared(scores, baselines, Method(**options), groups)
