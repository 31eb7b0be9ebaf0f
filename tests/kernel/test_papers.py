"""The kernel gives the numbers that the papers print."""

import pytest

from pres_plugin import average_precision, f_prime, pres, pres_est, recall

# Tables 1 and 2 (n = 4, Nmax = 100). The second system's AP is printed as
# 0.0481, and F′ from it as 0.0917 and 0.462: the values of ranks 50, 51, 52, 53.
FOUR_SYSTEMS = [
    # ranks, AP, recall, PRES, F′ with β = 1, F′ with β = 4
    ([1], 0.25, 0.25, 0.25, 0.25, 0.25),
    ([50, 51, 53, 54], 0.0475, 1, 0.51, None, None),
    ([1, 2, 3, 4], 1, 1, 1, 1, 1),
    ([1, 98, 99, 100], 0.2727, 1, 0.28, 0.429, 0.864),
]

# Table 3 (Nmax = 1000).
EIGHT_TOPICS = [
    ([98, 296], 41, 0.039),
    ([23, 272, 345], 6, 0.394),
    ([2, 517, 761], 6, 0.288),
    ([660, 741], 3, 0.201),
    ([41, 54], 3, 0.636),
    ([1, 781], 3, 0.407),
    ([1, 33, 354, 548, 733, 840, 841], 7, 0.525),
    ([32, 35, 46], 3, 0.964),
]


def printed(value, places):
    """What is within half a unit of the last place printed, however it was rounded."""
    return pytest.approx(value, abs=0.5000001 * 10**-places)


@pytest.mark.parametrize(("ranks", "ap", "r", "score", "f1", "f4"), FOUR_SYSTEMS)
def test_four_systems_score_as_printed(ranks, ap, r, score, f1, f4):
    assert average_precision(ranks, 4, 100) == printed(ap, 4)
    assert recall(ranks, 4, 100) == printed(r, 2)
    assert pres(ranks, 4, 100) == printed(score, 2)
    if f1 is not None:
        assert f_prime(average_precision(ranks, 4), recall(ranks, 4)) == printed(f1, 3)
        assert f_prime(average_precision(ranks, 4), recall(ranks, 4), beta=4) == printed(f4, 3)


def test_the_misprinted_system_is_that_of_other_ranks():
    ap = average_precision([50, 51, 52, 53], 4)
    assert ap == printed(0.0481, 4)
    assert f_prime(ap, 1) == pytest.approx(0.0917, abs=1e-4)  # printed cut off, not rounded
    assert f_prime(ap, 1, beta=4) == printed(0.462, 3)


@pytest.mark.parametrize(("ranks", "n", "score"), EIGHT_TOPICS)
def test_eight_topics_score_as_printed(ranks, n, score):
    assert pres(ranks, n, 1000) == printed(score, 3)
    assert pres_est(ranks, n, 1000) == pres(ranks, n, 1000)


def test_a_shorter_depth_lowers_the_score_of_the_last_topic():
    assert pres([32, 35, 46], 3, 100) == printed(0.6433, 4)
