"""The papers' theory: known points of the curves, and the pictures that show them."""

import pytest

from pres_plugin.study import gallery
from pres_plugin.study.pictures import gallery as pictures


def test_pres_lies_between_its_bounds_by_recall():
    table = gallery.pres_and_recall(n=10, n_max=100)
    assert len(table) == 11
    assert table["best"].tolist() == pytest.approx(table["recall"].tolist())
    assert table["worst"].tolist() == pytest.approx((10 * table["recall"] ** 2 / 100).tolist())
    assert (table["middle"] <= table["best"]).all()
    assert (table["middle"] >= table["worst"]).all()


def test_pres_of_one_document_falls_in_a_line():
    table = gallery.pres_and_reciprocal_rank(n_max=100)
    assert table["pres"].tolist() == pytest.approx([1 - (r - 1) / 100 for r in range(1, 101)])
    assert table["reciprocal_rank"][[0, 1, 99]].tolist() == [1, 0.5, 0.01]


def test_rnorm_goes_to_recall_as_the_collection_grows():
    table = gallery.rnorm_and_recall()
    gaps = [(table["recall"] - table[column]).max() for column in table.columns[1:]]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] < 0.002


def test_pres_est_is_1_for_the_best_ranking_where_pres_cannot_be():
    table = gallery.more_relevant_than_checked(n_max=100).set_index("n")
    assert table["pres_est"].tolist() == pytest.approx([1.0] * len(table))
    assert table.loc[[50, 100, 200, 300], "pres"].tolist() == pytest.approx([1, 1, 1 / 2, 1 / 3])
    assert (table.loc[:100, "pres_half"] == table.loc[:100, "pres_est_half"]).all()


@pytest.mark.parametrize("name", gallery.__all__)
def test_pictures_show_the_numbers(name):
    table = getattr(gallery, name)()
    (axes,) = getattr(pictures, name)(table).axes
    lines = axes.get_lines()
    for line, column in zip(lines, table.columns[1:], strict=False):
        assert line.get_xdata().tolist() == table.iloc[:, 0].tolist()
        assert line.get_ydata().tolist() == table[column].tolist()
    assert len({line.get_label() for line in lines}) == len(lines)
    assert axes.get_xlabel()
    assert axes.get_ylabel()
