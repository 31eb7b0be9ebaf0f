"""What the report of a sweep shows of many cutoffs and leaders, and its sentences."""

import numpy as np
import pytest

from pres_plugin.study.sweep import Sweep
from pres_plugin.study.sweep.report import report


def test_what_is_empty_is_left_out():
    one_run = Sweep(("a",), ("PRES",), (10, 20), 3, np.ones((1, 1, 2)))
    no_direction = Sweep(("a", "b"), ("LastRel",), (10, 20), 3, np.ones((2, 1, 2)))
    for found in (one_run, no_direction):
        assert [part.name for part in report(found).parts] == ["sweep", "curves"]
        assert found.sentences() == [OPEN]
        assert list(found.leaders().columns) == ["measure", "first", "last", "leaders"]
    one_topic = Sweep(("a", "b"), ("PRES",), (10,), 1, np.eye(2)[:, :1, None])
    assert one_topic.sentences() == [
        "By PRES, a leads at 1 of 1 value of Nmax.",
        "With one topic, there is no test and no interval over topics.",
    ]


@pytest.mark.parametrize("n", [1, 10, 10_000])
def test_people_read_at_most_ten_cutoffs_with_the_first_and_the_last(n):
    found = Sweep(("a",), ("PRES",), tuple(range(5, 5 + n)), 1, np.ones((1, 1, n)))
    section = report(found).parts[1]
    ((_, table),) = section.shown()
    _, *shown = table.frame.columns
    assert (len(shown), shown[0], shown[-1]) == (min(n, 10), "5", str(4 + n))
    assert ("contains all of them" in section.note) == (n > 10)
    assert len(section.table) == n


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
                "By PRES, a leads at 2 of 3 values of Nmax and b at 1.",
                "By AP, a leads at 3 of 3 values of Nmax and b at 1, with ties.",
            ],
        ),
        ({"AP": [[0.5] * 3] * 2}, ["By AP, all runs have the same mean at every Nmax."]),
        ({"LastRel": RANKS}, []),
    ],
)
def test_sentences_name_the_leaders(scores, said):
    values = np.array(list(scores.values()), dtype=np.float64).swapaxes(0, 1)
    found = Sweep(("a", "b"), tuple(scores), (10, 20, 30), 3, values)
    assert found.sentences() == [*said, OPEN]
    left_out = "For LastRel, neither high nor low values are better"
    assert (left_out in report(found).parts[1].note) == ("LastRel" in scores)


def test_expected_scores_are_a_table_and_a_sentence():
    values = np.array([PRES, AP], dtype=np.float64).swapaxes(0, 1)
    found = Sweep(("a", "b"), ("PRES", "AP"), (10, 20, 30), 3, values, np.array([0.5, 0.25, 0.25]))
    _, _, expected, _ = report(found).parts
    assert expected.table.frame.rows() == [("a", 0.3, 0.5), ("b", 0.25, 0.3125)]
    assert (
        "With these weights of Nmax, no run has a better expected PRES than a."
    ) in found.sentences()
