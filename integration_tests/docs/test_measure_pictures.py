"""The script docs/measure_pictures.py draws the pictures on the measures' pages."""

import re

import pytest

pytest.importorskip("matplotlib", reason="matplotlib is not installed")

import measure_pictures
from measure_cards import CARDS
from measure_pictures import N_DOCS, RANKS, N

from pres_plugin import average_precision, last_rel, pres, pres_est, recall, rnorm, tnr, wss


@pytest.fixture(scope="module")
def drawn():
    """Each picture's axes, by name."""
    return {name: draw().axes[0] for name, draw in measure_pictures.DRAWN.items()}


def curves(axes):
    """The points of each named curve."""
    lines = [line for line in axes.get_lines() if not line.get_label().startswith("_")]
    return {line.get_label(): list(zip(*line.get_data(), strict=True)) for line in lines}


def texts(axes):
    return [axes.get_title(loc="left"), *(text.get_text() for text in axes.texts)]


def test_each_page_shows_its_picture_with_a_description():
    for card in CARDS:
        page = card.path.read_text(encoding="utf-8")
        ((described, shown),) = re.findall(r"!\[(.*?)\]\((\S+)\)", page, flags=re.DOTALL)
        assert shown == f"{card.path.stem}.png"
        assert (card.path.parent / shown).is_file()
        assert len(described) > 50
    assert set(measure_pictures.DRAWN) == {card.path.stem for card in CARDS}
    assert {path.stem for path in measure_pictures.PICTURES.glob("*.png")} == set(
        measure_pictures.DRAWN
    )


def test_axes_are_named(drawn):
    for name, axes in drawn.items():
        if name != "pres":  # whose figure has the labels
            assert axes.get_xlabel()
            assert axes.get_ylabel()


def test_pres_is_the_ratio_of_the_areas(drawn):
    assert pres(RANKS, N, 25) == 0.46
    assert "PRES@25 = 0.46 = A2 / (A1 + A2) = 46 / 100" in texts(drawn["pres"])[0]


def test_pres_est_stays_where_pres_falls(drawn):
    shown = curves(drawn["pres-est"])
    for label, score in (("PRES", pres), ("PRES_est", pres_est)):
        assert shown[label] == [(n, score((2, 4, 6, 8, 10), n, 10)) for n in range(5, 41)]
    assert {round(y, 12) for x, y in shown["PRES_est"] if x >= 10} == {0.35}


def test_rnorm_is_the_ratio_of_the_areas(drawn):
    shown = curves(drawn["rnorm"])
    best, this, worst = (
        sum(y for _, y in shown[label][:-1])
        for label in ("best case", "this ranking", "worst case")
    )
    assert (this - worst) / (best - worst) == pytest.approx(rnorm(RANKS, N, N_DOCS))
    assert texts(drawn["rnorm"])[0].endswith(f"{rnorm(RANKS, N, N_DOCS):.4f}")


def test_wss_is_the_distance_from_a_random_order(drawn):
    assert f"WSS = {wss(RANKS, N, N_DOCS):.2f}" in texts(drawn["wss"])
    reached = next(x for x, y in curves(drawn["wss"])["this ranking"] if y >= 0.95)
    assert 0.95 - reached == pytest.approx(wss(RANKS, N, N_DOCS))


def test_tnr_is_what_is_left_of_the_other_documents(drawn):
    assert f"TNR = {tnr(RANKS, N, N_DOCS):.3f}" in texts(drawn["tnr"])
    (line, *_) = drawn["tnr"].get_lines()
    reached = next(x for x, y in zip(*line.get_data(), strict=True) if y >= 0.95)
    assert 1 - reached == pytest.approx(tnr(RANKS, N, N_DOCS))


def test_last_rel_is_where_the_curves_stop_rising(drawn):
    for label, ranks in (("finds all four", RANKS), ("finds only one", RANKS[:1])):
        points = curves(drawn["last-rel"])[label]
        highest = max(y for _, y in points)
        assert next(x for x, y in points if y == highest) == last_rel(ranks, N)
        assert f"LastRel = {last_rel(ranks, N):.0f}" in texts(drawn["last-rel"])


def test_ap_is_the_mean_height_of_the_bars(drawn):
    heights = [bar.get_height() for bar in drawn["ap"].patches]
    assert sum(heights) / N == pytest.approx(average_precision(RANKS, N))
    assert f"AP = {average_precision(RANKS, N):.4f}, the mean height" in curves(drawn["ap"])


def test_recall_is_the_height_of_the_curve(drawn):
    assert f"R@25 = {recall(RANKS, N, 25)}" in texts(drawn["recall"])
    (curve, *_) = drawn["recall"].get_lines()
    assert dict(zip(*curve.get_data(), strict=True))[25] == recall(RANKS, N, 25)
