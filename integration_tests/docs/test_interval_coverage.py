"""The simulation behind docs/statistics.md: its populations, its intervals and its results."""

import re

import interval_coverage
import numpy as np
import pytest
from interval_coverage import BLOCK, CONFIDENCE, POPULATIONS, TOPICS, coverage, sample
from random_scores import scores_of

from pres_plugin.study.compare.analysis import compared
from pres_plugin.study.statistics.intervals import intervals
from pres_plugin.study.statistics.method import Method
from pres_plugin.study.statistics.resampling import Resampling

#: What is harder than the scores of any run of CLEF 2017.
HARD = ("long tail",)


@pytest.fixture(scope="module")
def printed():
    """The percentages on the page, by population and number of topics."""
    page = interval_coverage.PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.*?) +\|(( +\d+\.\d \|)+)$", page, flags=re.MULTILINE)
    return {
        name: dict(zip(TOPICS, map(float, re.findall(r"[\d.]+", cells)), strict=True))
        for name, cells, _ in rows
    }


def test_the_page_contains_all_populations(printed):
    assert list(printed) == list(POPULATIONS)


@pytest.mark.parametrize("name", [name for name in POPULATIONS if not name.startswith(HARD)])
def test_95_percent_intervals_contain_the_true_value_in_93_to_97_percent(name, printed):
    assert 93 <= printed[name][50] <= 97


@pytest.mark.release
@pytest.mark.parametrize("name", list(POPULATIONS)[::7])
def test_the_page_has_the_results_of_the_simulation(name, printed):
    # The last digit may depend on the processor.
    assert 100 * coverage(name, 50) == pytest.approx(printed[name][50], abs=0.15)


@pytest.mark.parametrize("name", POPULATIONS)
def test_populations_have_the_mean_that_they_declare(name):
    population = POPULATIONS[name]
    true = population[0].mean - sum(of.mean for of in population[1:])
    drawn = sample(population, 200, np.random.default_rng(1))
    assert drawn.shape == (BLOCK, 200)
    assert abs(drawn.mean() - true) < 5 * drawn.std() / np.sqrt(drawn.size)


@pytest.mark.parametrize("name", list(POPULATIONS)[::4])
def test_the_simulation_computes_the_intervals_of_compare(name):
    rows = sample(POPULATIONS[name], 30, np.random.default_rng(2))[:3]
    how = Method(confidence=CONFIDENCE, seed=4)
    found = compared(scores_of(rows[:, :, None], ["A"]), (), how, None)
    low, high = intervals(rows, CONFIDENCE, Resampling(9999, 4))
    assert found.intervals["low"].to_numpy() == pytest.approx(low, rel=1e-9)
    assert found.intervals["high"].to_numpy() == pytest.approx(high, rel=1e-9)
