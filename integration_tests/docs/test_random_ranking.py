"""The value of a random ranking in docs/which-measure.md."""

import re
from itertools import combinations
from pathlib import Path
from statistics import fmean

import pytest
import random_ranking

from pres_plugin import pres

PAGE = (Path(__file__).parents[2] / "docs" / "which-measure.md").read_text(encoding="utf-8")


def page_function():
    """The function that the page defines."""
    (code,) = re.findall(r"```python\n(def random_pres.*?)\n\n\n", PAGE, re.DOTALL)
    names = {}
    exec(code, names)
    return names["random_pres"]


@pytest.mark.parametrize("expected_pres", [random_ranking.expected_pres, page_function()])
def test_the_expectation_is_the_mean_over_all_rankings_of_small_collections(expected_pres):
    for n_docs in range(1, 7):
        for n in range(1, n_docs + 1):
            for n_max in range(1, n_docs + 3):
                rankings = combinations(range(1, n_docs + 1), n)
                mean = fmean(pres(ranks, n, n_max) for ranks in rankings)
                assert float(expected_pres(n, n_docs, n_max)) == pytest.approx(mean, abs=1e-12)
