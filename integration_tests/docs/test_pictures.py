"""Pictures drawn by docs/explained_pictures.py: pages show them, and their numbers are right."""

import re
from pathlib import Path

import pytest

pytest.importorskip("matplotlib", reason="matplotlib is not installed")

import explained_pictures

PROJECT = Path(__file__).parents[2]
DOCS = PROJECT / "docs"
SHOWN = [*(DOCS / "explained").glob("*.md"), DOCS / "reproduction.md", PROJECT / "README.md"]


@pytest.fixture(scope="module")
def drawn():
    """Each picture's name and figure."""
    return dict(explained_pictures.pictures())


def test_each_picture_is_drawn_exists_and_is_shown(drawn):
    assert {path.stem for path in explained_pictures.PICTURES.glob("*.png")} == set(drawn)
    pages = "".join(page.read_text(encoding="utf-8") for page in SHOWN)
    assert set(re.findall(r"(?:explained/|\()([\w-]+)\.png", pages)) == set(drawn)


def test_the_sweep_shows_the_systems_that_the_page_defines(drawn):
    curves = {line.get_label() for line in drawn["sweep"].axes[0].lines}
    assert set(explained_pictures.made_on_the_page("sweep")["runs"]) <= curves


def curves(figure):
    """The x values of a figure, and the y values of each curve by label."""
    (axes,) = figure.axes
    assert axes.get_xlabel()
    assert axes.get_ylabel()
    lines = [line for line in axes.get_lines() if not line.get_label().startswith("_")]
    assert len({line.get_label() for line in lines}) == len(lines)
    (x,) = {tuple(line.get_xdata()) for line in lines}
    return list(x), {line.get_label(): list(line.get_ydata()) for line in lines}


def test_pres_lies_between_its_bounds_by_recall(drawn):
    recalls, pres = curves(drawn["pres-and-recall"])
    assert recalls == [n_found / 10 for n_found in range(11)]
    assert pres["found first"] == pytest.approx(recalls)
    assert pres["found last"] == pytest.approx([10 * r**2 / 100 for r in recalls])
    assert all(
        low <= middle <= high
        for low, middle, high in zip(
            pres["found last"], pres["found in the middle"], pres["found first"], strict=True
        )
    )
    assert pres["found in the middle"][10] == pytest.approx(0.55)  # ranks 46 to 55


def test_pres_of_one_document_falls_linearly(drawn):
    ranks, scores = curves(drawn["pres-and-reciprocal-rank"])
    assert ranks == list(range(1, 101))
    assert scores["PRES@100"] == pytest.approx([1 - (rank - 1) / 100 for rank in ranks])
    assert scores["AP (reciprocal rank)"] == pytest.approx([1 / rank for rank in ranks])


def test_rnorm_approaches_recall_as_the_collection_grows(drawn):
    recalls, rnorm = curves(drawn["rnorm-and-recall"])
    gaps = [
        max(r - score for r, score in zip(recalls, scores, strict=True))
        for scores in rnorm.values()
    ]
    assert list(rnorm) == [f"N = {size}" for size in ("2,000", "10,000", "100,000", "1,000,000")]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] < 0.002


def test_pres_est_is_1_for_the_best_ranking_where_pres_cannot_be(drawn):
    numbers, scores = curves(drawn["more-relevant-than-checked"])
    assert numbers == list(range(5, 301, 5))
    assert scores["PRES_est, all relevant"] == pytest.approx([1.0] * len(numbers))
    best = dict(zip(numbers, scores["PRES, all relevant"], strict=True))
    assert [best[n] for n in (50, 100, 200, 300)] == pytest.approx([1, 1, 1 / 2, 1 / 3])
    up_to_100 = slice(numbers.index(100) + 1)
    assert (
        scores["PRES, every second relevant"][up_to_100]
        == scores["PRES_est, every second relevant"][up_to_100]
    )
