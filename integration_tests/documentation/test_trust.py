"""What docs/trust.md says besides the tests that it names."""

import json
import random
import re
from pathlib import Path

import pytest

from pres_plugin import rnorm

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
