"""The page of benchmarks: its lists follow from its tables, and its picture shows the points."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("matplotlib", reason="matplotlib is not installed")

import everything
import growth
from sidebyside import Comparison, print_table

PAGE = everything.PAGE.read_text(encoding="utf-8")


def part(name):
    (found,) = re.findall(rf"<!-- measured: {name} -->\n(.*?)<!-- end -->", PAGE, re.DOTALL)
    return found.strip()


def test_each_script_has_its_place_on_the_page():
    places = re.findall(r"<!-- measured: (\w+) -->", PAGE)
    assert sorted(places) == sorted([*everything.RUNS, "slower", "missed", "machine"])


def test_the_lists_are_those_of_the_tables():
    assert part("slower") == everything.slower(PAGE)
    assert part("missed") == everything.missed(PAGE)


def test_lists_name_what_is_slower_and_what_misses_its_aim(capsys):
    rows = [
        ("fast", Comparison.of([(1.0, 2.0), (1.0, 4.0)]), 0.5),
        ("slow", Comparison.of([(30.0, 20.0)], "MiB"), None),
        ("slow, as it may be", Comparison.of([(1200.0, 1000.0)]), 1.5),
        ("missed", Comparison.of([(0.6, 1.0)]), 0.5),
    ]
    print("Peak memory")
    print_table(rows)
    page = everything.as_markdown(capsys.readouterr().out)
    assert everything.slower(page).splitlines() == [
        "- Peak memory, slow: 1.500",
        "- Peak memory, slow, as it may be: 1.200",
    ]
    assert everything.missed(page) == "- Peak memory, missed: 0.600, aim ≤ 0.50"
    assert everything.slower("") == "None."


seconds = st.floats(1e-3, 1e3)


@given(st.lists(st.tuples(seconds, seconds), min_size=2))
def test_half_of_the_pairs_lie_in_the_middle_half(pairs):
    ours, theirs = np.array(pairs).T
    low, middle, high = np.quantile(ours / theirs, [0.25, 0.5, 0.75])
    found = Comparison.of(pairs)
    assert (found.ours, found.theirs) == pytest.approx((np.median(ours), np.median(theirs)))
    assert (*found.middle_half, found.ratio) == pytest.approx((low, high, middle))


def test_a_single_pair_has_no_spread():
    assert Comparison.of([(1.0, 2.0)]).middle_half is None


def powers_of_the_size(exponent):
    """Points whose time and memory are the size to this power."""
    sizes = (*growth.TOPICS, *growth.DOCS)
    amounts = {size: float(np.prod(size)) ** exponent for size in sizes}
    return {size: growth.Point([a, a / 2, 2 * a], 1000 * a) for size, a in amounts.items()}


@pytest.mark.parametrize("exponent", [0.5, 1.0, 2.0])
def test_slopes_are_the_exponents_of_powers(exponent):
    found = powers_of_the_size(exponent)
    for sizes in (growth.TOPICS, growth.DOCS):
        for value in (growth.seconds_of, growth.memory_of):
            assert growth.slope((sizes[0], sizes[-1]), found, value) == pytest.approx(exponent)


def test_the_picture_shows_each_point_and_a_line_of_slope_1():
    exponents = dict(zip(growth.INTERFACES, (0.5, 1.0, 2.0), strict=True))
    figure = growth.draw({name: powers_of_the_size(k) for name, k in exponents.items()})
    assert len(figure.axes) == 4
    for i, axes in enumerate(figure.axes):
        sizes = (growth.TOPICS, growth.DOCS)[i % 2]
        grey, *lines = axes.get_lines()
        (across, up), *_ = np.diff(np.log(grey.get_xydata()), axis=0)
        assert up / across == pytest.approx(1)
        for line, exponent in zip(lines, exponents.values(), strict=True):
            factor = 1000 if i >= 2 else 1
            assert list(line.get_xdata()) == [max(size) for size in sizes]
            expected = [factor * float(np.prod(size)) ** exponent for size in sizes]
            assert list(line.get_ydata()) == pytest.approx(expected)
        names = {text.get_text() for text in axes.texts}
        assert names == {"slope 1", "frames.score", "pres-eval score", "ir-measures"}
