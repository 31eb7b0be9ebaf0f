"""What the report of a sweep shows of many cutoffs and changes, and its sentences."""

import numpy as np
import pytest

from pres_plugin.study.sweep import Sweep
from pres_plugin.study.sweep.report import parts


def test_of_many_changes_the_largest_are_shown():
    values = np.random.default_rng(0).random((9, 1, 12))
    runs = tuple("abcdefghi")
    found = Sweep(runs, ("PRES",), tuple(range(1, 13)), 1, values)
    section = parts(found)[-1]
    ((_, shown),) = section.shown()
    assert len(section.table) == len(found.changes())
    assert f"there are {len(found.changes()) - 30} more" in section.note

    def swings(rows):
        scores = dict(zip(runs, values[:, 0], strict=True))
        return sorted(
            abs(np.diff((scores[first] - scores[second])[[before - 1, after - 1]]).item())
            for _, first, second, before, after, *_ in rows
        )

    assert swings(shown.frame.rows()) == pytest.approx(swings(found.changes().to_numpy())[-30:])


@pytest.mark.parametrize("n", [1, 10, 10_000])
def test_people_read_at_most_ten_cutoffs_with_the_first_and_the_last(n):
    found = Sweep(("a",), ("PRES",), tuple(range(5, 5 + n)), 1, np.ones((1, 1, n)))
    section = parts(found)[1]
    ((_, table),) = section.shown()
    _, *shown = table.frame.columns
    assert (len(shown), shown[0], shown[-1]) == (min(n, 10), "5", str(4 + n))
    assert ("contains all of them" in section.note) == (n > 10)
    assert len(section.table()) == n


PRES, AP, RANKS = [[0.2, 0.3, 0.5], [0.1, 0.4, 0.4]], [[0.5] * 3, [0.25, 0.5, 0.25]], [[8] * 3] * 2
OPEN = (
    "These are means over 3 topics, and a sweep does not test whether differences are significant."
)


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        (
            {"PRES": PRES, "LastRel": RANKS, "AP": AP},
            [
                "By PRES, a leads at 2 of 3 values of Nmax and b at 1; the lead changes 2 times, "
                "first between Nmax = 10 and 20.",
                "By AP, a leads at 3 of 3 values of Nmax and b at 1, with ties; the lead changes 2 "
                "times, first between Nmax = 10 and 20.",
            ],
        ),
        ({"AP": [[0.5] * 3] * 2}, ["By AP, all runs have the same mean at every Nmax."]),
        ({"LastRel": RANKS}, []),
    ],
)
def test_sentences_name_the_leaders_and_where_they_change(scores, said):
    values = np.array(list(scores.values()), dtype=np.float64).swapaxes(0, 1)
    found = Sweep(("a", "b"), tuple(scores), (10, 20, 30), 3, values)
    assert found.sentences() == [*said, OPEN]
    left_out = "For LastRel, neither high nor low values are better"
    assert (left_out in parts(found)[1].note) == ("LastRel" in scores)


def test_expected_scores_are_the_last_column_a_table_and_a_sentence():
    values = np.array([PRES, AP], dtype=np.float64).swapaxes(0, 1)
    found = Sweep(("a", "b"), ("PRES", "AP"), (10, 20, 30), 3, values, np.array([0.5, 0.25, 0.25]))
    _, by_n_max, expected, _ = parts(found)
    for (_, table), column in zip(by_n_max.shown(), [[0.3, 0.25], [0.5, 0.3125]], strict=True):
        assert table["expected"].to_list() == pytest.approx(column)
    assert expected.table().frame.rows() == [("a", 0.3, 0.5), ("b", 0.25, 0.3125)]
    assert (
        "With these weights of Nmax, no run has a higher expected PRES than a."
    ) in found.sentences()
