"""Results of studies draw into the caller's axes, in the caller's style."""

import io
from itertools import pairwise

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from made_studies import a_robustness, a_sweep, compared, explanations
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from pres_plugin.study.compare import compare_scores
from pres_plugin.study.inputs import StudyError
from pres_plugin.study.scoring import Scores

RUNS = ["_one", r"$\frac{$.run", "three"]
MEASURES = ("PRES@10", "AP")

RESULTS = {
    "Scores": compared(RUNS, MEASURES),
    "Comparison": compare_scores(compared(RUNS, MEASURES)),
    "Comparison with intervals": compare_scores(
        compared(RUNS, MEASURES), confidence=0.95, resamples=999
    ),
    "Sweep": a_sweep(RUNS, MEASURES, (10, 20, 50)),
    "Robustness": a_robustness(MEASURES),
    "Explanation": explanations(RUNS)[1],
}
each_result = pytest.mark.parametrize("name", RESULTS)


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def artists(axes):
    return [(type(a), a.get_visible()) for a in axes.get_children()]


@each_result
@pytest.mark.parametrize("style", ["default", "dark_background", "ggplot"])
def test_plot_draws_into_the_axes_given_and_changes_nothing_else(name, style):
    with mpl.style.context(style):
        figure, (left, right) = plt.subplots(1, 2)
        before, settings, numbers = artists(left), dict(mpl.rcParams), plt.get_fignums()
        limits = left.get_xlim(), left.get_ylim()
        assert RESULTS[name].plot(ax=right) is right
        assert dict(mpl.rcParams) == settings
        assert plt.get_fignums() == numbers
        assert plt.gca() is right
        assert artists(left) == before
        assert (left.get_xlim(), left.get_ylim()) == limits
        assert figure.axes == [left, right]
        assert figure.legends == figure.texts == []
        assert right.get_legend() is not None
        # The caller's colours and fonts.
        cycle = [to_hex(c) for c in mpl.rcParams["axes.prop_cycle"].by_key()["color"]]
        data = [
            line for line in right.lines if line.get_label() in (*MEASURES, *RUNS, "this ranking")
        ]
        assert data
        assert {to_hex(line.get_color()) for line in data} <= set(cycle)
        text = to_hex(mpl.rcParams["text.color"])
        assert {to_hex(label.get_color()) for label in right.get_legend().get_texts()} == {text}
        figure.savefig(io.BytesIO(), format="svg")  # names are not TeX


@each_result
def test_plot_without_axes_makes_a_new_figure(name):
    first = RESULTS[name].plot()
    second = RESULTS[name].plot()
    assert first.figure is not second.figure
    assert plt.gca() is second
    assert isinstance(first.figure, Figure)


@pytest.mark.parametrize("name", ["Scores", "Comparison", "Comparison with intervals"])
def test_plotted_scores_are_the_table(name):
    result = RESULTS[name]
    table = getattr(result, "scores", result).table()
    axes = result.plot()
    assert [line.get_xdata().tolist() for line in axes.lines] == table.T.to_numpy().tolist()
    assert [label.get_text() for label in axes.get_yticklabels()] == table.index.tolist()
    bars = [bar for bars in axes.collections for bar in bars.get_segments()]
    intervals = getattr(result, "intervals", None)
    assert len(bars) == (0 if intervals is None else len(intervals))


def test_the_legend_names_the_measures():
    legend = RESULTS["Scores"].plot().get_legend()
    assert [text.get_text() for text in legend.get_texts()] == list(MEASURES)


@pytest.mark.parametrize("measure", [None, *MEASURES])
def test_plotted_sweep_is_the_table(measure):
    found = RESULTS["Sweep"]
    table = found.table().pivot(index="n_max", columns="run", values=measure or MEASURES[0])
    axes = found.plot(measure=measure)
    assert axes.get_ylabel() == f"{measure or MEASURES[0]}@Nmax"
    drawn = {line.get_label(): line.get_xydata().tolist() for line in axes.lines}
    assert drawn == {run: [[x, y] for x, y in table[run].items()] for run in RUNS}
    texts = [text.get_text() for text in axes.get_legend().get_texts()]
    assert sorted(texts[:3]) == sorted(RUNS)


def test_plotted_robustness_is_the_table():
    found = RESULTS["Robustness"]
    axes = found.plot()
    lowest = found.lowest()
    for line, measure in zip(axes.lines, MEASURES, strict=True):
        assert line.get_xdata().tolist() == [20, 80]
        assert line.get_ydata().tolist() == lowest[measure].tolist()
    dots = np.concatenate([d.get_offsets() for d in axes.collections]).tolist()
    assert sorted(dots) == sorted(
        [100 * row.fraction, row.kendall_tau] for row in found.taus.itertuples()
    )


def test_plotted_explanation_are_the_curves_and_the_documents():
    explanation = RESULTS["Explanation"]
    axes = explanation.plot()
    curves = explanation.curves()
    for label, values in (("best case", curves.best), ("worst case", curves.worst)):
        (line,) = (line for line in axes.lines if line.get_label() == label)
        assert line.get_xydata().tolist() == [
            list(p) for p in zip(curves.rank, values, strict=True)
        ]
    dots = np.concatenate([np.asarray(d.get_offsets()) for d in axes.collections[2:]])
    assert dots[:, 0].tolist() == explanation.documents["counted_rank"].tolist()
    assert RUNS[1] in axes.get_title()


def test_measures_on_another_scale_are_drawn_if_asked_for():
    scores = compared(RUNS, ("AP", "LastRel"))
    scores = Scores(*(getattr(scores, name) for name in ("runs", "topics", "measures")),
                    scores.values * [1, 900], scores.means * [1, 900])  # fmt: skip
    assert [line.get_label() for line in scores.plot().lines] == ["AP"]
    (line,) = scores.plot(measures=["LastRel"]).lines
    assert line.get_xdata().tolist() == scores.table()["LastRel"].tolist()


def test_axes_say_what_they_show():
    scores = compared(RUNS, ("AP", "P@5"))
    assert scores.plot().get_xlabel() == "score, mean of 6 topics"
    assert scores.plot(measures=["P@5"]).get_xlabel() == "P@5, mean of 6 topics"


@each_result
def test_styles_with_one_colour_are_enough(name):
    with mpl.rc_context({"axes.prop_cycle": mpl.cycler(color=["#123456"])}):
        axes = RESULTS[name].plot()
    assert "#123456" in {to_hex(line.get_color()) for line in axes.lines}


@each_result
def test_several_axes_are_refused(name):
    _, axes = plt.subplots(1, 2)
    with pytest.raises(
        StudyError, match=r"ax must be matplotlib axes, got ndarray; write axes\[0\]"
    ):
        RESULTS[name].plot(axes)


def test_unknown_measures_are_refused():
    is_unknown = r"measure '{}' is not among the measures \({}\); did you mean '{}'\?"
    with pytest.raises(StudyError, match=is_unknown.format("PRES@5", "PRES@10, AP", "PRES@10")):
        RESULTS["Comparison"].plot(measures=["PRES@5"])
    with pytest.raises(StudyError, match="no measure is given; for instance 'PRES@10'"):
        RESULTS["Scores"].plot(measures=[])
    for look in (lambda sweep: sweep.plot(measure="APs"), lambda sweep: sweep.by_run("APs")):
        with pytest.raises(StudyError, match=r"measure 'APs' is not among the measures \("):
            look(RESULTS["Sweep"])


def test_many_runs_have_room_in_a_new_figure():
    axes = compared([f"run {i}" for i in range(100)]).plot()
    axes.figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in axes.get_yticklabels()]
    assert all(upper.y0 >= lower.y1 - 1 for upper, lower in pairwise(boxes))
