"""The simulation behind the table of coverage: its intervals and its results."""

import re

import interval_coverage
import numpy as np
import pytest
from interval_coverage import CONFIDENCE, POPULATIONS, TOPICS, coverage, sample
from random_scores import scores_of

from pres_plugin.study.compare.analysis import compared
from pres_plugin.study.statistics.intervals import intervals
from pres_plugin.study.statistics.method import Method
from pres_plugin.study.statistics.resampling import Resampling

NAMES = list(POPULATIONS)


@pytest.mark.release
@pytest.mark.parametrize("name", NAMES[::2])
def test_the_page_has_the_results_of_the_simulation(name):
    page = interval_coverage.PAGE.read_text(encoding="utf-8")
    (cells,) = re.findall(rf"^\| {re.escape(name)} +\|(.+)\|$", page, flags=re.MULTILINE)
    printed = dict(zip(TOPICS, map(float, cells.split("|")), strict=True))
    # The last digit may depend on the processor.
    assert 100 * coverage(name, 50) == pytest.approx(printed[50], abs=0.15)


@pytest.mark.parametrize("name", NAMES[::4])
def test_the_simulation_computes_the_intervals_of_compare(name):
    rows = sample(POPULATIONS[name], 30, np.random.default_rng(2))[:3]
    how = Method(confidence=CONFIDENCE, seed=4)
    found = compared(scores_of(rows[:, :, None], ["A"]), (), how, None)
    low, high = intervals(rows, CONFIDENCE, Resampling(9999, 4))
    assert found.intervals["low"].to_numpy() == pytest.approx(low, rel=1e-9)
    assert found.intervals["high"].to_numpy() == pytest.approx(high, rel=1e-9)
