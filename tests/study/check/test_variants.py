"""Known variants of PRES are computed as defined, and recognised in somebody's values."""

import random

import numpy as np
import pytest
import variants_by_hand as by_hand

from pres_plugin.study.check import check
from pres_plugin.study.check.values import Number, Values
from pres_plugin.study.check.variants import VARIANTS
from pres_plugin.study.inputs import StudyError

N_MAX, N_DOCS = 8, 60
WAYS = [variant.name for variant in VARIANTS]


def lines_of(generator, size):
    """Lines of a topic with scores that are equal, or equal in 32 bits only."""
    docs = generator.sample([f"d{i:02}" for i in range(30)], size)
    scores = [generator.choice([3.0, 2.0, 2.0 + 1e-12, 1.0, 1.0 + 1e-12]) for _ in docs]
    return list(zip(docs, scores, strict=True))


def differing_run():
    """Return a run on which each variant gives other values, and another mean, than PRES."""
    generator = random.Random(15)
    lines, relevant = {}, {}
    for number, n in enumerate([3, 5, 12, 4, 6, 2]):
        topic = f"q{number}"
        lines[topic] = lines_of(generator, generator.randint(12, 18))
        in_run = [doc for doc, _ in lines[topic]]
        relevant[topic] = sorted({*generator.sample(in_run, n * 2 // 3), f"x{number}"})
        relevant[topic] += [f"y{i}" for i in range(n - len(relevant[topic]))]
        # One relevant document again, in the middle.
        lines[topic].insert(6, (relevant[topic][0], 2.0))
    relevant["nothing"] = relevant["nothing either"] = ["z"]
    lines["none relevant"], relevant["none relevant"] = [("d00", 1.0), ("d01", 1.0)], []
    return lines, relevant


LINES, RELEVANT = differing_run()
RUN = {topic: dict(by_hand.once(lines)) for topic, lines in LINES.items()}


def judged(relevant):
    return {topic: {"other": 0, **dict.fromkeys(docs, 1)} for topic, docs in relevant.items()}


def written(name=None, decimals=12):
    """The values of a variant, or of PRES, as somebody would write them."""
    found, mean = by_hand.values(LINES, RELEVANT, N_MAX, N_DOCS, name)
    return {
        t: Number(round(float(v), decimals), decimals) for t, v in {**found, None: mean}.items()
    }


def checked(values, **options):
    options = {"n_docs": N_DOCS, "rows": LINES} | options
    return check(judged(RELEVANT), RUN, Values(values), N_MAX, **options)


def names_of(verdict):
    return [match.variant.name for match in verdict.matches]


@pytest.mark.parametrize("decimals", [1, 12])
def test_pres_is_recognised_however_many_decimals_are_written(decimals):
    verdict = checked(written(None, decimals))
    assert (verdict.is_pres, verdict.decimals, verdict.agreeing) == (True, decimals, 9)
    assert (verdict.differences, verdict.matches, verdict.closest) == ((), (), None)


@pytest.mark.parametrize("name", WAYS)
def test_each_variant_is_recognised_and_no_other_one(name):
    verdict = checked(written(name, 4))
    assert (verdict.is_pres, names_of(verdict)) == (False, [name])


def test_half_a_unit_is_accepted_however_it_is_rounded():
    qrels = {"q": dict.fromkeys("abcdefgh", 1)}  # PRES@4 is 0.125
    good, bad = (0.12, 0.13, 0.125, 0.1250000001), (0.11, 0.14, 0.124, 0.126, 0.12501)
    for value in (*good, *bad):
        number = Number(value, len(str(value)) - 2)
        verdict = check(qrels, {"q": {"a": 2.0, "x": 1.0}}, Values({"q": number}), 4)
        assert verdict.is_pres == (value in good)


def test_values_in_32_bits_are_pres_to_fewer_decimals():
    verdict = checked({t: Number(float(np.float32(n.value)), 12) for t, n in written().items()})
    assert 6 <= verdict.decimals < 10


@pytest.mark.parametrize("name", [None, "rnorm"])
def test_a_mean_alone_is_enough(name):
    verdict = checked({None: written(name)[None]})
    assert (verdict.compared, verdict.missing, verdict.is_pres) == (0, (), name is None)
    assert names_of(verdict) == ([name] if name else [])


def test_the_differing_topics_and_the_closest_variant_are_reported():
    values = written("missed-at-n-max")
    verdict = checked({t: n._replace(value=n.value + 0.001) for t, n in values.items()})
    assert (verdict.matches, verdict.agreeing, len(verdict.differences)) == ((), 0, 10)
    assert verdict.closest.variant.name == "missed-at-n-max"
    assert verdict.closest.mean_difference == pytest.approx(0.001)
    assert [d.pres for d in verdict.differences] == pytest.approx(
        [number.value for number in written().values()]
    )


def test_rnorm_and_repeats_are_looked_for_only_where_they_can_be_computed():
    assert names_of(checked(written("rnorm"), n_docs=None)) == []
    assert names_of(checked(written("repeats-counted"), rows=None)) == []


def test_values_below_ap_or_above_recall_cannot_be_pres():
    qrels = {topic: {"a": 1} for topic in "qrs"}
    values = {"q": Number(0.5, 2), "r": Number(0.25, 2), "s": Number(0.75, 2)}
    # The difference of q is explained by rounding.
    ap, recall = {"q": Number(0.505, 3), "r": Number(0.27, 2)}, {"s": Number(0.7, 2)}
    found = check(qrels, {"q": {"a": 1.0}}, Values(values, ap, recall), 9).outside
    assert [(each.query_id, each.value) for each in found] == [("r", 0.25), ("s", 0.75)]
    assert (found[0].ap, found[1].recall) == (0.27, 0.7)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"n_max": 0}, "n_max must be a positive whole number"),
        ({"n_docs": 1}, "Rnorm(N=1): topic 'q' has 2 documents that were retrieved or are relev"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(options, said):
    values = Values({"q": Number(0, 1)})
    good = {"qrels": {"q": {"a": 1}}, "run": {"q": {"b": 1.0}}, "values": values, "n_max": 9}
    with pytest.raises(StudyError) as refused:
        check(**(good | options))
    assert said in str(refused.value)
