"""What docs/trust.md says besides the tests that it names."""

import json
import random
import re
from collections import defaultdict
from itertools import combinations, pairwise
from math import ceil
from pathlib import Path
from statistics import fmean

import pytest

from pres_plugin import average_precision, pres, recall, rnorm, tnr, wss

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "trust.md").read_text(encoding="utf-8")


def test_the_page_counts_the_test_vectors():
    cases = json.loads((DOCS / "vectors" / "pres-vectors.json").read_text("utf-8"))["cases"]
    topics = [topic for case in cases for topic in case["expected"]["topics"].values()]
    values = sum(len(topic) - 2 for topic in topics)  # besides n and the ranks
    assert f"{len(cases)} cases, {len(topics)} topics, {values} values" in PAGE


def test_rnorm_is_the_area_under_the_roc_curve():
    stats = pytest.importorskip("scipy.stats", reason="SciPy is not installed")
    rng = random.Random(0)
    n_rankings = int(re.search(r"(\d+) random rankings", PAGE)[1])
    for _ in range(n_rankings):
        n_docs = rng.randint(2, 300)
        n = rng.randint(1, n_docs - 1)
        ranks = rng.sample(range(1, n_docs + 1), n)
        others = sorted({*range(1, n_docs + 1)} - {*ranks})
        # U counts the pairs in which the relevant document comes first.
        u = stats.mannwhitneyu([-rank for rank in ranks], [-rank for rank in others]).statistic
        assert rnorm(ranks, n, n_docs) == pytest.approx(u / (n * len(others)), abs=1e-12)


def test_a_random_order_scores_as_its_formulas_say():
    n_rankings = 0
    for n_docs in range(1, 8):
        for n in range(1, n_docs + 1):
            rankings = list(combinations(range(1, n_docs + 1), n))
            n_rankings += len(rankings)
            means = defaultdict(list)
            for ranks in rankings:
                for k in range(1, n_docs + 1):
                    means["R", k].append(recall(ranks, n, k))
                    means["PRES", k].append(pres(ranks, n, k))
                for goal in (0.5, 0.95, 1):
                    means["WSS", goal].append(wss(ranks, n, n_docs, goal))
                    means["TNR", goal].append(tnr(ranks, n, n_docs, goal))
                means["Rnorm", 0].append(rnorm(ranks, n, n_docs))
            for (name, at), values in means.items():
                expected = random_order(name, at, n, n_docs)
                assert fmean(values) == pytest.approx(expected, abs=1e-12), (name, at, n, n_docs)
    assert f"all {n_rankings} rankings" in PAGE


def random_order(name, at, n, n_docs):
    """Return what a random order of all documents scores on average."""
    if name in ("TNR", "Rnorm") and n == n_docs:
        return 1
    g = ceil(at * n)
    k, pairs = at, max(1, n_docs * (n_docs - 1))
    return {
        "R": k / n_docs,
        "PRES": (k + 1) / (2 * n_docs) + (n - 1) * (k - 1) / (2 * pairs),
        "WSS": at - g * (n_docs + 1) / (n_docs * (n + 1)),
        "TNR": 1 - g / (n + 1),
        "Rnorm": 0.5,
    }[name]


def test_ap_pres_recall_and_success_never_fall_in_this_order():
    rng = random.Random(0)
    for _ in range(1000):
        n_max = rng.randint(1, 50)
        ranks = rng.sample(range(1, 61), rng.randint(0, 20))
        n = max(1, len(ranks) + rng.choice([0, 0, 3]))
        scores = [measure(ranks, n, n_max) for measure in (average_precision, pres, recall)]
        success = float(min(ranks, default=61) <= n_max)
        chain = [*scores, success]
        assert all(low <= high + 1e-12 for low, high in pairwise(chain))
