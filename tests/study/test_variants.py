"""Known variants of PRES are computed as defined, and recognised in somebody's values."""

import json
import random
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import variants_by_hand as by_hand
from hypothesis import given, settings
from hypothesis import strategies as st

from pres_plugin.study.check import check
from pres_plugin.study.inputs import StudyError
from pres_plugin.study.values import Number, Values
from pres_plugin.study.variants import VARIANTS, ScoredRun, combinations_of, combined

N_MAX, N_DOCS = 8, 60
VARIANT = {variant.name: variant for variant in VARIANTS}
NAMES = [*by_hand.FORMULAS, *by_hand.ORDERS, *by_hand.OTHERS]


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
QRELS = {topic: {"other": 0, **dict.fromkeys(docs, 1)} for topic, docs in RELEVANT.items()}
RUN = {topic: dict(by_hand.once(lines)) for topic, lines in LINES.items()}


def written(names, decimals=12):
    """The values of some variants together, as somebody would write them."""
    found, mean = by_hand.values(LINES, RELEVANT, N_MAX, N_DOCS, *names)
    return Values(
        {topic: Number(round(float(v), decimals), decimals) for topic, v in found.items()},
        Number(round(float(mean), decimals), decimals),
    )


def checked(values, **options):
    options = {"n_docs": N_DOCS, "rows": LINES} | options
    return check(QRELS, RUN, values, N_MAX, **options)


def names_of(verdict):
    return [[variant.name for variant in match.variants] for match in verdict.matches]


def test_every_variant_is_computed_by_hand_too():
    assert sorted(NAMES) == sorted(VARIANT)


@pytest.mark.parametrize("decimals", [1, 2, 3, 4, 8, 12])
def test_pres_is_recognised_however_many_decimals_are_written(decimals):
    verdict = checked(written([], decimals))
    assert (verdict.is_pres, verdict.decimals) == (True, decimals)
    assert (verdict.agreeing, verdict.differences, verdict.matches) == (9, (), ())


@pytest.mark.parametrize("decimals", [4, 12])
@pytest.mark.parametrize("name", NAMES)
def test_each_variant_is_recognised_and_no_other_one(name, decimals):
    verdict = checked(written([name], decimals))
    assert not verdict.is_pres
    assert names_of(verdict) == [[name]]


@pytest.mark.parametrize(
    "names",
    [
        ["missed-after-n-max", "ties-by-file-order"],
        ["missed-at-n-max", "topics-without-results-left-out"],
        ["only-found-in-n", "no-cutoff"],
        ["rnorm", "no-cutoff"],
        ["64-bit-scores", "ties-by-file-order"],
        ["pres-est", "percentages"],
        ["only-found-in-n", "64-bit-scores", "ties-by-file-order"],
        ["no-cutoff", "ties-by-ascending-id", "topics-without-results-left-out"],
    ],
    ids=" + ".join,
)
def test_combinations_that_occur_in_practice_are_recognised(names):
    found = [sorted(match) for match in names_of(checked(written(names)))]
    assert found == [sorted(names)]


def test_only_variants_that_change_different_things_are_combined():
    pairs = {frozenset(v.name for v in pair) for pair in combinations_of(VARIANTS, 2)}
    assert {"missed-at-n-max", "64-bit-scores"} in pairs
    for group in (
        ["missed-at-n-max", "missed-after-n-max", "only-found-in-n"],
        ["pres-est", "rnorm", "rnorm-of-n-max", "rnorm-of-the-list", "divided-by-n-max-less-n"],
        ["ties-by-ascending-id", "ties-by-file-order"],
        ["no-cutoff", "n-max-retrieved"],
    ):
        assert not pairs & set(map(frozenset, combinations(group, 2)))


TOPIC = st.lists(
    st.tuples(
        st.integers(0, 20).map("d{}".format), st.sampled_from([1.0, 2.0, 2.0 + 1e-12, 3e38, 1e300])
    ),
    max_size=15,
    unique_by=lambda line: line[0],
)
RELEVANT_DOCS = st.sets(st.integers(0, 25).map("d{}".format), max_size=12).map(sorted)


@settings(deadline=None)
@given(st.lists(st.tuples(TOPIC, RELEVANT_DOCS), min_size=1, max_size=4), st.integers(1, 16))
def test_values_are_those_of_the_definition(topics, n_max):
    lines = {f"q{i}": lines for i, (lines, _) in enumerate(topics)}
    relevant = {f"q{i}": docs for i, (_, docs) in enumerate(topics)}
    scored = ScoredRun(relevant, {t: dict(docs) for t, docs in lines.items() if docs}, n_max, 60)
    for names in [
        [],
        *([name] for name in NAMES if name != "repeats-counted"),
        *([a, b] for a in by_hand.FORMULAS for b in by_hand.ORDERS),
    ]:
        way = combined([VARIANT[name] for name in names])
        if (not any(lines.values()) and way.topics == "retrieved") or (
            not any(relevant.values()) and way.topics == "relevant"
        ):
            continue  # there is no mean
        finite = {
            t: [(doc, min(score, 3.4e38)) for doc, score in docs] if way.bits == 32 else docs
            for t, docs in lines.items()
        }
        expected, mean = by_hand.values(finite, relevant, n_max, 60, *names)
        got = scored.scores(way)
        np.testing.assert_allclose(got, [float(v) for v in expected.values()], atol=1e-12)
        assert scored.mean(way) == pytest.approx(float(mean), abs=1e-12)


# Numbers that are easy to compute by hand


@pytest.mark.parametrize(
    ("name", "ranks", "n", "value", "pres"),
    [
        ("missed-after-n-max", [], 30, 0.145, 0.0),
        ("missed-after-n-max", range(1, 101), 120, 1.016, 0.833),
        ("missed-at-n-max", [], 30, 0.155, 0.0),
        ("missed-at-n-max", range(1, 101), 120, 1.0175, 0.833),
        ("divided-by-n-max-less-n", range(51, 81), 30, 0.286, 0.5),
        ("rnorm-of-n-max", range(51, 81), 30, 0.286, 0.5),
    ],
)
def test_known_values(name, ranks, n, value, pres):
    run = {"q": {f"{'r' if i in ranks else 'x'}{i}": 1.0 - i / 1024 for i in range(1, 101)}}
    relevant = {"q": [f"r{i}" for i in ranks] + [f"m{i}" for i in range(n - len(ranks))]}
    scored = ScoredRun(relevant, run, 100)
    [score] = scored.scores(combined([VARIANT[name]]))
    assert score == pytest.approx(value, abs=5e-4)
    assert scored.scores()[0] == pytest.approx(pres, abs=5e-4)


# Verdicts


def test_half_a_unit_is_accepted_however_it_is_rounded():
    qrels, run = {"q": {"a": 1, "b": 1}}, {"q": {"a": 2.0, "x": 1.0}}  # PRES@4 is 0.5
    qrels["q"] |= {"c": 1, "d": 1, "e": 1, "f": 1, "g": 1, "h": 1}  # and now 0.125
    for value in (0.12, 0.13, 0.125, 0.1250000001):
        number = Number(value, len(str(value)) - 2)
        assert check(qrels, run, Values({"q": number}), 4).is_pres
    for value in (0.11, 0.14, 0.124, 0.126, 0.12501):
        number = Number(value, len(str(value)) - 2)
        assert not check(qrels, run, Values({"q": number}), 4).is_pres


def test_values_in_32_bits_are_pres_to_fewer_decimals():
    found, _ = by_hand.values(LINES, RELEVANT, N_MAX, N_DOCS)
    values = Values({t: Number(float(np.float32(float(v))), 12) for t, v in found.items()})
    verdict = checked(values)
    assert verdict.is_pres
    assert 6 <= verdict.decimals < 10


def test_a_number_without_decimals_does_not_agree_with_everything():
    verdict = check({"q": {"a": 1, "b": 1}}, {"q": {"a": 1.0}}, Values({"q": Number(1, 0)}), 9)
    assert (verdict.is_pres, verdict.agreeing) == (False, 0)


@pytest.mark.parametrize("name", ["missed-after-n-max", "no-cutoff", "rnorm"])
def test_a_mean_alone_is_enough(name):
    verdict = checked(Values(mean=written([name]).mean))
    assert (verdict.compared, verdict.mean.value) == (0, written([name]).mean.value)
    assert names_of(verdict) == [[name]]
    assert checked(Values(mean=written([]).mean)).is_pres


def test_topics_on_one_side_only_are_named():
    values = written([]).topics
    del values["nothing"], values["q1"]
    verdict = checked(Values({**values, "q99": Number(0.5, 1)}))
    assert (verdict.is_pres, verdict.compared, verdict.judged) == (True, 7, 9)
    assert (verdict.not_judged, verdict.missing) == (("q99",), ("q1", "nothing"))
    assert verdict.without_results == ("nothing", "nothing either")


def test_the_differing_topics_and_the_closest_variant_are_reported():
    values = written(["missed-at-n-max"])
    off = {t: n._replace(value=n.value + 0.001) for t, n in values.topics.items()}
    verdict = checked(Values(off))
    assert (verdict.matches, verdict.agreeing, len(verdict.differences)) == ((), 0, 9)
    assert verdict.closest.variant.name == "missed-at-n-max"
    assert verdict.closest.mean_difference == pytest.approx(0.001)
    pres, _ = by_hand.values(LINES, RELEVANT, N_MAX, N_DOCS)
    assert [d.pres for d in verdict.differences] == pytest.approx([float(v) for v in pres.values()])


def test_rnorm_and_repeats_are_looked_for_only_where_they_can_be_computed():
    assert names_of(checked(written(["rnorm"]), n_docs=None)) == []
    assert names_of(checked(written(["repeats-counted"]), rows=None)) == []


def test_relevance_levels():
    qrels = {"q": {"a": 1, "b": 2}}
    values = Values({"q": Number(1.0, 1)})
    assert check(qrels, {"q": {"b": 1.0}}, values, 9, rel=2).is_pres
    assert not check(qrels, {"q": {"b": 1.0}}, values, 9).is_pres


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"n_max": 0}, "n_max must be a positive whole number"),
        ({"rel": 0}, "rel must be a positive whole number"),
        (
            {"n_docs": 1},
            "Rnorm(N=1): topic 'q' has 2 documents that were retrieved or are relevant",
        ),
        ({"values": Values({"other": Number(1, 1)})}, "no topic in common with the qrels"),
        ({"qrels": {}}, "there are no judgements"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(options, said):
    good = {
        "qrels": {"q": {"a": 1}},
        "run": {"q": {"b": 1.0}},
        "values": Values({"q": Number(0, 1)}),
        "n_max": 9,
    }
    with pytest.raises(StudyError) as refused:
        check(**(good | options))
    assert said in str(refused.value)


# The page about known variants computes them on its own, from the test vectors.

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "how-to" / "check-your-implementation.md"
ON_THE_PAGE = {
    "Missed documents at Nmax": "missed-at-n-max",
    "Missed documents at Nmax + 1": "missed-after-n-max",
    "Divided by n(Nmax − n)": "divided-by-n-max-less-n",
    "Only retrieved documents counted in n": "only-found-in-n",
    "No cutoff": "no-cutoff",
    "Nmax is the number of results": "n-max-retrieved",
    "Scores compared in 64 bits": "64-bit-scores",
    "Ties by ascending id": "ties-by-ascending-id",
    "Ties by file order": "ties-by-file-order",
    "Topics without results left out": "topics-without-results-left-out",
    "Repeated documents counted twice": "repeats-counted",
    "PRES_est": "pres-est",
    "Rnorm": "rnorm",
}


def test_the_page_has_the_same_values():
    cases = json.loads((DOCS / "vectors" / "pres-vectors.json").read_text(encoding="utf-8"))
    by_name = {case["name"]: case for case in cases["cases"]}
    table = PAGE.read_text(encoding="utf-8").split("<!-- table: variants -->")[1]
    lines = [line for line in table.split("<!-- end -->")[0].splitlines() if "`" in line]
    assert len(lines) == len(ON_THE_PAGE)
    for line in lines:
        title, _, names, _, expected = (cell.strip() for cell in line.strip("|").split(" | "))
        for name, value in zip(names.split(", "), expected.split(", "), strict=True):
            case = by_name[name.strip("`")]
            rows = {topic: list(map(tuple, docs)) for topic, docs in case["run"].items()}
            relevant = {
                topic: [doc for doc, relevance in docs.items() if relevance >= 1]
                for topic, docs in case["qrels"].items()
            }
            run = {topic: dict(by_hand.once(docs)) for topic, docs in rows.items()}
            scored = ScoredRun(relevant, run, case["n_max"], case["n_docs"], rows)
            got = scored.mean(combined([VARIANT[ON_THE_PAGE[title]]]))
            assert got == pytest.approx(float(value), abs=5.1e-4), title
