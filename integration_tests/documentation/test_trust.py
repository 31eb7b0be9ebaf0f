"""Claims of docs/trust.md that no other test makes."""

import gzip
import random
import re
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import by_definition
import pytest
import variants_by_hand as by_hand

from pres_plugin import rnorm

DOCS = Path(__file__).parents[2] / "docs"


def rows_of(path, column):
    """By topic, the document and the number in a column of each line."""
    content = path.read_bytes()
    found = defaultdict(dict)
    for line in (gzip.decompress(content) if path.suffix == ".gz" else content).splitlines():
        fields = line.decode().split()
        found[fields[0]][fields[2]] = float(fields[column])
    return found


def test_other_code_scores_the_example_runs_as_the_page_says():
    page = (DOCS / "trust.md").read_text(encoding="utf-8")
    functions = re.findall(r"^\| \[`.*`\].* \| (.+) \| (.+) \| ([\d.]+) \|$", page, re.MULTILINE)
    patents = DOCS / "examples" / "patents"
    qrels = rows_of(patents / "qrels.txt", 3)
    runs = {path.name: rows_of(path, 4) for path in patents.glob("*.run.gz")}
    orders = []
    for missed, divisor, printed in functions:
        divisor, _, clamped = divisor.partition("; scores are clamped to ")
        (missed,) = [name for name in by_hand.MISSED if name.endswith(missed)]
        (divisor,) = [name for name in by_hand.DIVISORS if name.endswith(divisor)]
        means = defaultdict(Fraction)
        for run, docs in runs.items():
            for topic, judged in qrels.items():
                _, ranks, n, _ = by_definition.topic("AP", judged, docs[topic])
                score = by_hand.score(ranks, n, 50, missed, divisor, bool(clamped))
                means[run] += score / len(qrels)
        assert f"{float(means['bm25.run.gz']):.3f}" == printed
        orders.append(sorted(means, key=means.get))
    assert len(orders) == 3
    assert all(order == orders[0] for order in orders)


def test_rnorm_is_the_area_under_the_roc_curve():
    stats = pytest.importorskip("scipy.stats", reason="SciPy is not installed")
    rng = random.Random(0)
    for _ in range(200):
        n_docs = rng.randint(2, 300)
        n = rng.randint(1, n_docs - 1)
        ranks = rng.sample(range(1, n_docs + 1), n)
        others = sorted({*range(1, n_docs + 1)} - {*ranks})
        # U counts the pairs in which the relevant document comes first.
        u = stats.mannwhitneyu([-rank for rank in ranks], [-rank for rank in others]).statistic
        assert rnorm(ranks, n, n_docs) == pytest.approx(u / (n * len(others)), abs=1e-12)
