"""The pictures of a comparison show its numbers."""

from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pytest
from beginnings import raises
from random_scores import comparison, random_scores
from scipy import stats

from pres_plugin import InputError
from pres_plugin.study.compare.analysis import AGREEMENTS, MOST_DRAWN
from pres_plugin.study.compare.picture import agreement, rank_changes, sorted_scores
from pres_plugin.study.output.style import inline_svg

MEASURES = ("PRES@10", "AP", "R@10")


def made(n_runs, n_topics=6, **options):
    scores = random_scores(n_runs, n_topics, measures=MEASURES)
    return comparison(scores, resamples=999, **options)


def names_of(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def tips_of(figure):
    root = ElementTree.fromstring(inline_svg(figure, "Scores"))
    return {each.text for each in root.iter("{http://www.w3.org/2000/svg}title")}


@pytest.mark.parametrize("draw", [lambda found: sorted_scores(found).axes[0], lambda f: f.plot()])
def test_scores_are_drawn_with_their_intervals(draw):
    found = made(12, confidence=0.95)
    axes, order = draw(found), found.scores.order()
    assert names_of(axes) == [found.scores.runs[i] for i in order]
    assert axes.get_ylim() == (11.6, -0.6)  # the best on top
    assert axes.get_xlabel() == "score, mean of 6 topics"
    assert [line.get_label() for line in axes.lines] == list(MEASURES)
    assert [line.get_fillstyle() for line in axes.lines] == ["full", "none", "none"]
    for line, means in zip(axes.lines, found.scores.means[order].T, strict=True):
        assert line.get_xdata().tolist() == means.tolist()
        # All intervals of a run are nearer to its name than to any other.
        assert np.round(line.get_ydata()).tolist() == list(range(12))
    expected = found.intervals[["low", "high"]].to_numpy().reshape(12, 3, 2)[order]
    bars = [[segment[:, 0] for segment in of.get_segments()] for of in axes.collections]
    assert np.array(bars) == pytest.approx(np.moveaxis(expected, 1, 0))
    plt.close("all")


def test_each_run_has_a_line_of_positions():
    found = made(48)
    lines = {line.get_label(): line for line in rank_changes(found).axes[0].lines}
    ranks = stats.rankdata(-found.scores.means.round(12), axis=0)
    for name, expected in zip(found.scores.runs, ranks, strict=True):
        assert lines[name].get_ydata().tolist() == expected.tolist()
    moved = {name: np.ptp(line.get_ydata()) for name, line in lines.items()}
    grey = [name for name, line in lines.items() if line.get_color() == "#999999"]
    assert sorted(moved.values())[:41] == sorted(moved[name] for name in grey)
    assert grey == [name for name, line in lines.items() if line.zorder < 2]  # behind the others


def test_pictures_of_many_runs_show_the_best():
    found = made(400, n_topics=3, baselines=["run0", "run399"])
    shown = [found.scores.runs[i] for i in found.scores.order()[:MOST_DRAWN]]
    assert names_of(sorted_scores(found).axes[0]) == shown
    assert [line.get_label() for line in rank_changes(found).axes[0].lines] == shown


@pytest.mark.ci
def test_marks_have_tooltips():
    found = made(7, confidence=0.9)
    mean, low, high = found.intervals[["mean", "low", "high"]].to_numpy()[0]
    tip = f"run0: PRES@10 = {mean:.4f} [{low:.4f}, {high:.4f}]"
    assert tip in tips_of(sorted_scores(found))
    assert any(each.startswith(f"{tip}, position ") for each in tips_of(rank_changes(found)))
    both = found.agreement.iloc[0][AGREEMENTS[0]]
    said = f"PRES@10 and AP: {AGREEMENTS[0]}, {both} of 21 pairs of runs"
    assert said in tips_of(agreement(found))


def test_plot_draws_some_measures_in_the_order_given_and_refuses_unknown_ones():
    found = made(3)
    axes = found.plot(measures=["R@10", "AP", "R@10"])
    assert [line.get_label() for line in axes.lines] == ["R@10", "AP"]
    plt.close("all")
    with raises(InputError, r"measure 'PRES@5' is not among the measures \("):
        found.plot(measures=["PRES@5"])
    with raises(InputError, "ax must be matplotlib axes, got ndarray"):
        found.plot(np.array([1, 2]))
