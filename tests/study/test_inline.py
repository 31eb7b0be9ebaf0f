"""Pictures on pages follow the page's theme, and tell what is drawn where."""

import re
from functools import cache
from xml.etree import ElementTree

import numpy as np
import pytest
from made_studies import DRAWN, ODD, a_robustness, a_sweep, compared, explanations

from pres_plugin.escaping import visible
from pres_plugin.study.compare import compare_scores
from pres_plugin.study.pictures.compare import agreement, rank_changes, sorted_scores
from pres_plugin.study.pictures.explain import areas
from pres_plugin.study.pictures.inline import LEAST_WIDTH, inline_svg
from pres_plugin.study.pictures.limits import TIPS
from pres_plugin.study.pictures.robustness import lowest_tau
from pres_plugin.study.pictures.style import FULL_WIDTH, WIDTH
from pres_plugin.study.pictures.sweep import curves
from pres_plugin.study.scoring import Scores

RUNS = ["one", "two", "three", "four"]
MEASURES = ("PRES@10", "AP", "R@10")
GROUNDS = {"light": "#ffffff", "dark": "#16181c"}


ODD_NAMES = ["</title><script>alert(1)</script>", '" onload="alert(1)', "\x1b\0\uffff", "]]>&amp;"]
EACH_PICTURE = pytest.mark.parametrize("picture", DRAWN)


def on_page(figure, label="A picture"):
    return ElementTree.fromstring(inline_svg(figure, label))


def draw(picture):
    """Draw a picture of odd names, with more runs than colours unless each has a panel."""
    more = [] if picture in {"explain", "sweep, measures"} else map(str, range(5))
    return DRAWN[picture]([*ODD_NAMES, *more], width=FULL_WIDTH)


@cache
def drawn_once(picture):
    return inline_svg(draw(picture), f"<{picture}>\0\ud800")


def tips(figure):
    """Return what people read when they point at places in a picture, one text per item."""
    places = [place for place in on_page(figure).iter() if place.get("class") == "tip"]
    for place in places:
        assert [child.tag for child in place] == ["title"]
        assert place[0].text == place.get("data-tip")
    return sorted(line for place in places for line in place.get("data-tip").split("\n"))


def in_tip(name):
    """Return a name as tips show it: whatever cannot be seen is written as in Python."""
    return "".join(
        c if c.isprintable() else c.encode("ascii", "backslashreplace").decode()
        for c in visible(name)
    )


def large_ranks(scores):
    """Return scores whose last measure is in the thousands."""
    factors = np.array([1.0] * (len(scores.measures) - 1) + [5_000.0])
    return Scores(
        scores.runs, scores.topics, (*scores.measures[:-1], "LastRel"),
        scores.values * factors, scores.means * factors,
    )  # fmt: skip


@pytest.mark.parametrize("scores", [compared(RUNS, MEASURES), large_ranks(compared(RUNS))])
def test_tips_of_sorted_scores_are_the_table(scores):
    table = scores.table()
    decimals = {"LastRel": 1}
    expected = [
        f"{run}: {m} = {table.loc[run, m]:.{decimals.get(m, 4)}f}"
        for run in RUNS for m in table.columns
    ]  # fmt: skip
    assert tips(sorted_scores(scores, width=FULL_WIDTH)) == sorted(expected)


def test_tips_of_sorted_scores_contain_the_intervals():
    comparison = compare_scores(compared(RUNS), confidence=0.9, resamples=999)
    expected = [
        f"{row.run}: {row.measure} = {row.mean:.4f} [{row.low:.4f}, {row.high:.4f}]"
        for row in comparison.intervals.itertuples()
    ]
    figure = sorted_scores(comparison.scores, (), comparison.intervals, width=FULL_WIDTH)
    assert tips(figure) == sorted(expected)
    bounds = [
        tuple(segment[:, 0])
        for bars in figure.axes[0].collections
        for segment in bars.get_segments()
    ]
    expected = comparison.intervals[["low", "high"]].itertuples(index=False, name=None)
    assert sorted(bounds) == sorted(expected)


def test_scores_without_an_interval_have_no_bar():
    one_topic = compared(RUNS)
    one_topic = Scores(
        one_topic.runs, ("q",), one_topic.measures, one_topic.values[:, :1], one_topic.values[:, 0]
    )
    comparison = compare_scores(one_topic, confidence=0.9)
    figure = sorted_scores(one_topic, (), comparison.intervals)
    assert not any("[" in tip.text for tip in figure.tips)
    assert all(len(bars.get_segments()) == 0 for bars in figure.axes[0].collections)
    on_page(figure)


def test_tips_of_rank_changes_are_the_places_by_measure():
    scores = compared(RUNS, MEASURES)
    table = scores.table()
    places = table.rank(ascending=False)
    expected = [
        f"{run}: {m} = {table.loc[run, m]:.4f}, position {places.loc[run, m]:g}"
        for run in RUNS for m in table.columns
    ]  # fmt: skip
    assert tips(rank_changes(scores, width=FULL_WIDTH)) == sorted(expected)


def test_tips_of_agreement_are_the_counts():
    comparison = compare_scores(compared(RUNS, MEASURES), alpha=0.6)
    table = comparison.agreement.set_index(["first", "second"])
    expected = [
        f"{a} and {b}: {what}, {n} of 6 pairs of runs"
        for (a, b), row in table.iterrows() for what, n in row.items() if n
    ]  # fmt: skip
    assert len(expected) > len(table)
    assert tips(agreement(comparison, width=FULL_WIDTH)) == sorted(expected)


def test_tips_of_a_sweep_are_its_tables():
    found = a_sweep(RUNS, MEASURES, (10, 20, 50))
    long = found.table().melt(["n_max", "run"], var_name="measure")
    expected = [f"{r.run}: {r.measure}@{r.n_max} = {r.value:.4f}" for r in long.itertuples()]
    expected += [
        f"{r.ahead_before} and {r.ahead_after} change places by {r.measure} at Nmax = {r.n_max:.1f}"
        for r in found.changes().itertuples()
    ]
    assert tips(curves(found, width=FULL_WIDTH)) == sorted(expected)


def test_tips_of_robustness_are_its_tables():
    found = a_robustness(MEASURES)
    expected = [
        f"{row.measure}: τ = {row.kendall_tau:.4f} with {100 * row.fraction:g} % of the documents, "
        f"sample {row.sample}"
        for row in found.taus.itertuples()
    ]
    lowest = found.lowest().melt(ignore_index=False, var_name="measure").reset_index()
    expected += [
        f"{row.measure}: lowest τ = {row.value:.4f} with {100 * row.fraction:g} % of the documents"
        for row in lowest.itertuples()
    ]
    assert tips(lowest_tau(found, width=FULL_WIDTH)) == sorted(expected)


@pytest.mark.parametrize("undefined", [slice(0, 1), slice(None)], ids=["some", "all"])
def test_an_undefined_tau_is_not_drawn(undefined):
    found = a_robustness(MEASURES)
    found.kendall_tau[:, undefined] = np.nan
    figure = lowest_tau(found, width=FULL_WIDTH)
    drawn = found.lowest().count().sum() + (~np.isnan(found.kendall_tau)).sum()
    assert len(tips(figure)) == drawn
    assert "nan" not in inline_svg(figure, "τ").lower()


@pytest.mark.parametrize("n_max", [3, 50])
def test_tips_of_explain_are_the_documents(n_max):
    (explanation,) = explanations(["mine"], n=7, n_max=n_max)
    documents = explanation.documents
    expected = (documents["doc_id"] + ": " + documents["why"]).tolist()
    assert tips(areas([explanation], width=FULL_WIDTH)) == sorted(expected)


def test_tips_are_where_the_markers_are():
    figure = sorted_scores(compared(RUNS), width=FULL_WIDTH)
    root = on_page(figure)
    markers = {(round(float(use.get("x")), 1), round(float(use.get("y")), 1))
               for use in root.iter("use")}  # fmt: skip
    places = [place for place in root.iter("circle") if place.get("class") == "tip"]
    assert len(places) == 2 * len(RUNS)
    for place in places:
        x, y = float(place.get("cx")), float(place.get("cy"))
        assert min(abs(x - a) + abs(y - b) for a, b in markers) < 0.3


def test_bars_and_their_tips_have_the_same_box():
    figure = agreement(compare_scores(compared(RUNS, MEASURES), alpha=0.6), width=FULL_WIDTH)
    root = on_page(figure)
    boxes = [place for place in root.iter("rect") if place.get("class") == "tip"]
    bars = [bar.get_window_extent() for bar in figure.axes[0].patches]
    drawn = [72 / figure.dpi * np.array([bar.x0, bar.y0, bar.x1, bar.y1]) for bar in bars]
    assert len(boxes) > 3
    for box in boxes:
        x, y, w, h = (float(box.get(name)) for name in ("x", "y", "width", "height"))
        top = 72 * figure.get_figheight() - y
        assert min(np.abs(np.subtract((x, top - h, x + w, top), bar)).max() for bar in drawn) < 0.2


def test_things_at_one_place_share_a_tip():
    scores = compared(["a", "b"])
    same = Scores(scores.runs, scores.topics, ("P@1", "Success@1"), *(
        np.repeat(values[..., :1], 2, axis=-1) for values in (scores.values, scores.means)
    ))  # fmt: skip
    places = [p for p in on_page(sorted_scores(same)).iter() if p.get("class") == "tip"]
    assert [len(place.get("data-tip").split("\n")) for place in places] == [2, 2]


def test_pictures_of_many_curves_have_a_bounded_number_of_tips():
    found = a_sweep([f"run {i}" for i in range(60)], [f"m{i}" for i in range(8)], range(1, 41))
    figure = curves(found, width=FULL_WIDTH)
    of_curves = [tip for tip in figure.tips if "change places" not in tip.text]
    assert TIPS / 2 < len(of_curves) <= TIPS
    # Each run and measure has some.
    assert len({tip.text.partition("@")[0] for tip in of_curves}) == 50 * 8


@EACH_PICTURE
def test_odd_names_are_text_in_well_formed_elements(picture):
    svg = drawn_once(picture)
    svg.encode("utf-8")
    root = ElementTree.fromstring(svg)
    assert {element.tag for element in root.iter()} <= {
        *("svg", "g", "defs", "path", "use", "text", "clipPath", "rect", "circle", "title"),
        "pattern",
    }
    assert not any(name.startswith("on") for element in root.iter() for name in element.attrib)
    assert root.get("aria-label") == rf"<{picture}>\x00\ud800"
    shown = "\n".join(place.get("data-tip") for place in root.iter() if place.get("data-tip"))
    if picture in {"sweep, runs", "sorted scores", "rank changes"}:
        assert all(in_tip(name) + ": " in shown for name in ODD_NAMES)


def test_tips_of_odd_names_are_complete():
    shown = "\n".join(tips(sorted_scores(compared([*ODD]))))
    assert all(f"{in_tip(name)}: AP = " in shown for name in ODD)


def test_ids_are_unique_and_all_references_lead_to_them():
    all_ids = []
    for picture in DRAWN:
        root = ElementTree.fromstring(drawn_once(picture))
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        references = set()
        for element in root.iter():
            for name, value in element.attrib.items():
                references.update(re.findall(r"url\(#(.*?)\)", value))
                if name == "href":
                    references.add(value.removeprefix("#"))
        assert references == set(ids)
        all_ids += ids
    assert len(set(all_ids)) == len(all_ids) > 0


@EACH_PICTURE
def test_a_picture_belongs_to_its_page(picture):
    svg = drawn_once(picture)
    root = ElementTree.fromstring(svg)
    assert (root.tag, root.get("width"), root.get("height")) == ("svg", "100%", None)
    assert root.get("role") == "img"
    assert "<style" not in svg
    assert "font-family" not in svg
    # Nothing is loaded, and nothing runs.
    assert not re.search(r"https?:|data:|<script|<image|<foreignObject", svg)


@EACH_PICTURE
def test_the_same_picture_is_the_same_text(picture):
    assert inline_svg(draw(picture), f"<{picture}>\0\ud800") == drawn_once(picture)


def channels(colour):
    return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def contrast(one, other):
    """Return the contrast of two colours as WCAG 2 defines it."""
    light = [
        sum(
            share * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)
            for share, c in zip((0.2126, 0.7152, 0.0722), channels(colour), strict=True)
        )
        for colour in (one, other)
    ]
    return (max(light) + 0.05) / (min(light) + 0.05)


def colours(root):
    for element in root.iter():
        for name in ("fill", "stroke"):
            if element.get(name):
                yield element.get(name)
        for name, value in re.findall(r"([\w-]+): ([^;]+)", element.get("style", "")):
            if name in {"fill", "stroke", "color"}:
                yield value


@EACH_PICTURE
def test_colours_can_be_seen_on_a_light_and_on_a_dark_page(picture):
    found = set(colours(ElementTree.fromstring(drawn_once(picture))))
    of_the_page = {"none", "transparent", "currentColor"}
    fixed = {c for c in found - of_the_page if not c.startswith(("var(", "url("))}
    on_a_bar, areas_ = "#fefefe", {"#d55e0073", "#0072b273"}
    if picture == "agreement":
        assert contrast(on_a_bar, "#0072b2") >= 4.5
        fixed -= {on_a_bar}
    if picture.startswith("explain"):
        assert areas_ <= fixed
    for colour in fixed - areas_:
        for ground in GROUNDS.values():
            assert contrast(colour, ground) >= 3, (colour, ground)
    # Text on an area has the page's colour, so the area must be near the ground.
    for area in areas_:
        for ground, text in (("#ffffff", "#1b1b1b"), ("#16181c", "#e6e6e6")):
            alpha = int(area[-2:], 16) / 255
            mixed = "#" + "".join(
                f"{round(255 * (alpha * a + (1 - alpha) * g)):02x}"
                for a, g in zip(channels(area), channels(ground), strict=True)
            )
            assert contrast(mixed, text) >= 4.5


@pytest.mark.parametrize(("width", "dpi"), [(WIDTH, 300), (WIDTH, 72), (FULL_WIDTH, 72)])
@EACH_PICTURE
def test_nothing_is_drawn_outside_the_picture(picture, width, dpi):
    names = ["waterloo.A-rank-normal", "padua.ims_iafapc_m10p20f0t300p2m10"]
    figure = DRAWN[picture](names, width=width)
    figure.set_dpi(dpi)
    figure.draw_without_rendering()
    drawn = figure.get_tightbbox()
    margin = 1 / 72
    assert min(drawn.x0, drawn.y0) >= -margin
    assert drawn.x1 <= width + margin
    assert drawn.y1 <= figure.get_figheight() + margin


@EACH_PICTURE
def test_text_is_legible_in_a_narrow_window(picture):
    root = ElementTree.fromstring(drawn_once(picture))
    scale = 16 * float(LEAST_WIDTH.removesuffix("rem")) / (72 * FULL_WIDTH)
    sizes = [float(size) for text in root.iter("text")
             for size in re.findall(r"font-size: ([\d.]+)px", text.get("style"))]  # fmt: skip
    assert len(sizes) == len([*root.iter("text")]) > 0
    assert min(sizes) * scale >= 8


def test_measures_on_another_scale_have_their_own_panel():
    scores = large_ranks(compared(RUNS, MEASURES))
    left, right = sorted_scores(scores).axes
    assert {len(line.get_xdata()) for line in left.lines} == {len(RUNS)}
    assert [line.get_label() for line in left.lines] == ["PRES@10", "AP"]
    assert [line.get_label() for line in right.lines] == ["LastRel"]
    assert left.get_xlim()[1] < 2
    assert right.get_xlim()[1] > 2_000
    assert right.lines[0].get_xdata().tolist() == scores.table()["LastRel"].tolist()
