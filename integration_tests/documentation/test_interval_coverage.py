"""The simulation behind the table of coverage."""

import re

import interval_coverage
import pytest
from interval_coverage import POPULATIONS, TOPICS, coverage


@pytest.mark.release
@pytest.mark.parametrize("name", list(POPULATIONS)[::2])
def test_the_page_has_the_results_of_the_simulation(name):
    page = interval_coverage.PAGE.read_text(encoding="utf-8")
    (cells,) = re.findall(rf"^\| {re.escape(name)} +\|(.+)\|$", page, flags=re.MULTILINE)
    printed = dict(zip(TOPICS, map(float, cells.split("|")), strict=True))
    # The last digit may depend on the processor.
    assert 100 * coverage(name, 50) == pytest.approx(printed[50], abs=0.15)
