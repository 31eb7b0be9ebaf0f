"""How often a gate is wrong: it decides about candidates whose true difference is known."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from random_scores import comparison, scores_of
from scipy import stats

from pres_plugin.study.gate import decided

pytestmark = pytest.mark.release

N, MARGIN = 2000, 0.02


def verdicts(differences):
    """Count the verdicts about candidates, one per row of differences from the baseline."""
    # All candidates are compared with the baseline at once, to save time.
    values = np.concatenate([np.zeros((1, differences.shape[1])), differences])[..., np.newaxis]
    scores = scores_of(values, ["PRES@100"])
    found = comparison(scores, ["run0"], confidence=0.95)
    pairs = found.tables["pairs"]
    counts = Counter()
    for row, name in enumerate(pairs["first"]):
        some = [0, scores.runs.index(name)]
        two = replace(scores, runs=("run0", name), values=values[some], means=scores.means[some])
        tables = {"pairs": pairs.rows(slice(row, row + 1))}
        counts[decided(replace(found, scores=two, tables=tables), MARGIN).verdict] += 1
    assert counts.total() == N
    return counts


def within(count, low, high):
    """Whether a rate between these bounds gives such a count in 999 of 1,000 simulations."""
    return stats.binom.ppf(0.0005, N, low) <= count <= stats.binom.ppf(0.9995, N, high)


@pytest.mark.parametrize("n_topics", [10, 50])
def test_if_the_true_difference_is_the_margin_both_errors_have_the_rate_of_the_interval(n_topics):
    found = verdicts(np.random.default_rng(n_topics).normal(-MARGIN, 0.05, (N, n_topics)))
    assert within(found["pass"], 0.02, 0.03)
    assert within(found["worse"], 0.02, 0.03)


@pytest.mark.parametrize(
    ("mean", "n_topics", "right", "wrong"),
    [(0, 20, "pass", "worse"), (0, 100, "pass", "worse"), (-2 * MARGIN, 50, "worse", "pass")],
)
def test_a_clear_case_is_decided_with_the_power_of_the_t_test(mean, n_topics, right, wrong):
    found = verdicts(np.random.default_rng(n_topics).normal(mean, 0.05, (N, n_topics)))
    critical = stats.t.ppf(0.975, n_topics - 1)
    power = stats.nct.sf(critical, n_topics - 1, MARGIN / 0.05 * np.sqrt(n_topics))
    assert within(found[right], power - 0.02, min(power + 0.02, 1))
    assert found[wrong] <= 2


@pytest.mark.parametrize(("n_topics", "most"), [(10, 0.2), (50, 0.06), (200, 0.04)])
def test_more_candidates_pass_if_few_topics_lose_much(n_topics, most):
    """These are the rates on the page "Compare and report"."""
    rng = np.random.default_rng(n_topics)
    # A fifth of the topics loses 0.2 on average, and the others gain a little.
    losses = rng.random((N, n_topics)) < 0.2
    gain = (0.2 * 0.2 - MARGIN) / 0.8
    found = verdicts(np.where(losses, -rng.exponential(0.2, losses.shape), gain))
    assert within(found["pass"], 0.02, most)
    assert within(found["worse"], 0, 0.03)
