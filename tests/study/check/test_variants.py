"""PRES and its variants are recognised in somebody's values."""

import re
from itertools import product

import numpy as np
import pytest
import variants_by_hand as by_hand
from beginnings import raises

from pres_plugin import InputError, rnorm
from pres_plugin.study.check import check

VARIANTS = [*product(by_hand.MISSED, by_hand.DIVISORS, [False, True])]
PRES = ("the ranks Nmax+n_found+1 to Nmax+n, as in PRES", "n × Nmax, as in PRES", False)

#: The ranks of the relevant documents of each topic, and how many there are.
TOPICS = {"a": ([1, 8, 9], 4), "b": ([2, 7], 5), "c": ([4], 2), "d": ([3, 5], 2), "e": ([], 0)}
N_MAX = 8


def inputs(topics):
    """The judgements, and a run that finds the relevant documents at these ranks."""
    qrels, run = {}, {}
    for topic, (ranks, n) in topics.items():
        relevant = [f"d{rank}" for rank in ranks] + [f"x{i}" for i in range(n - len(ranks))]
        qrels[topic] = {"other": 0, **dict.fromkeys(relevant, 1)}
        run[topic] = {f"d{rank}": 100.0 - rank for rank in range(1, 20)}
    return qrels, {"mine": run}


def written(variant, topics=TOPICS, n_max=N_MAX, decimals=7):
    """The values of a variant as somebody would write them."""
    found = {t: by_hand.score(*ranks_n, n_max, *variant) for t, ranks_n in topics.items()}
    found["all"] = sum(found.values()) / len(found)
    return {topic: f"{float(value):.{decimals}f}" for topic, value in found.items()}


def checked(values, **options):
    return check(*inputs(TOPICS), values, N_MAX, **options)


def in_words(missed, divisor, clamped):
    sentence = f"Missed documents get {missed}. The divisor is {divisor}."
    return sentence + " Scores are clamped to 0 … 1." * clamped


@pytest.mark.parametrize(("decimals", "stated"), [(1, 1), (4, 4), (12, 6)])
def test_pres_is_recognised_however_many_decimals_are_written(decimals, stated):
    verdict = checked(written(PRES, decimals=decimals))
    assert (verdict.is_pres, verdict.decimals, verdict.agreeing) == (True, stated, 5)
    assert (verdict.differences, verdict.matches) == ((), ())


def check_recognised(variant, topics, n_max):
    """Check that all variants that give the same values are recognised, and no others."""
    values = written(variant, topics, n_max)
    same = [each for each in VARIANTS if written(each, topics, n_max) == values]
    verdict = check(*inputs(topics), values, n_max)
    assert verdict.is_pres == (PRES in same)
    if not verdict.is_pres:
        makes_no_difference = [(*each[:2], True) for each in same if not each[2]]
        assert {*verdict.matches} == {in_words(*each) for each in {*same} - {*makes_no_difference}}


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_each_variant_is_recognised(variant):
    check_recognised(variant, TOPICS, N_MAX)


def test_topics_for_which_n_max_less_n_is_not_positive_may_have_any_value():
    topics = {"few": ([2], 3), "many": ([1, 2], N_MAX), "more": ([1], N_MAX + 1)}
    variant = ("rank Nmax", "n(Nmax-n)", False)
    few = written(variant, {"few": topics["few"]})
    values = {**few, "many": 0, "more": 0}
    assert check(*inputs(topics), values, N_MAX).matches == (in_words(*variant),)
    matches = check(*inputs(topics), {"more": 0}, N_MAX).matches
    assert [each for each in matches if "Nmax-n)" in each] == []


def test_rnorm_is_recognised_if_the_size_of_the_collection_is_given():
    values = {t: rnorm(ranks, n, 60, N_MAX) for t, (ranks, n) in TOPICS.items()}
    assert checked(values).matches == ()
    assert checked(values, n_docs=60).matches == ("This is Rnorm.",)


def test_half_a_unit_is_accepted_however_it_is_rounded():
    qrels = {"q": dict.fromkeys("abcdefgh", 1)}  # PRES@4 is 0.125
    good, bad = ("0.12", 0.13, 0.125, 0.1250000001), (0.11, 0.14, "0.124", 0.126, 0.12501, 0)
    for value in (*good, *bad):
        verdict = check(qrels, {"r": {"q": {"a": 2.0, "x": 1.0}}}, {"q": value}, 4)
        assert verdict.is_pres == (value in good)


def test_values_in_32_bits_are_pres():
    assert checked({t: str(np.float32(value)) for t, value in written(PRES).items()}).is_pres


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"n_max": 0}, "n_max must be a positive whole number"),
        ({"n_docs": 1}, "Rnorm(N=1)@9: topic 'q' has 2 documents that were retrieved or are rel"),
        ({"values": {"z": 0}}, "no topic in common with the qrels (values: z; qrels: q, all)"),
        ({"values": {"q": "nan"}}, "values: topic 'q': 'nan' is not a finite number"),
        ({"runs": {"a": {"q": {"b": 1.0}}, "c": {"q": {}}}}, "there are several runs"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(options, said):
    good = {"qrels": {"q": {"a": 1}}, "runs": {"a": {"q": {"b": 1.0}}}, "values": {"q": 0.5}}
    with raises(InputError, re.escape(said)):
        check(**({"n_max": 9} | good | options))
