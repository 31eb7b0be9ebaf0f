"""The gate: which candidates pass, in Python and as a command with exit codes."""

import json

import pytest
from beginnings import raises
from command import EXAMPLES, pres_eval, refused

from pres_plugin import InputError
from pres_plugin.study.compare import compare
from pres_plugin.study.gate import gate

TOPICS = [f"q{i:02}" for i in range(10)]
QRELS = {topic: {"d": 1} for topic in TOPICS}
PATENTS = EXAMPLES / "patents"


def run_of(ranks):
    """Find the only relevant document at these ranks: at rank r, its PRES@100 is 1 - (r - 1)/100.

    A topic with rank None is missing.
    """
    return {
        topic: {"d": -rank} | {f"x{i}": -i for i in range(1, rank)}
        for topic, rank in zip(TOPICS, ranks, strict=True)
        if rank
    }


def decide(before, after, **options):
    return gate(QRELS, {"old": run_of(before), "new": run_of(after)}, "PRES@100", **options)


@pytest.mark.parametrize(
    ("rank", "options", "verdict"),
    [
        (11, {}, "pass"),  # the same scores
        (11, {"margin": 0}, "pass"),
        (12, {"margin": 0}, "worse"),
        (13, {}, "pass"),  # worse by 0.02, except for rounding errors
        (14, {}, "worse"),
        (14, {"margin": 0.03}, "pass"),
        (10, {"margin": 0}, "pass"),
        (10, {"least": 0.91}, "pass"),
        (10, {"least": 0.92}, "insufficient"),
        (14, {"least": 0.92}, "insufficient"),
    ],
)
def test_if_all_topics_change_alike_the_difference_decides(rank, options, verdict):
    found = decide([11] * 10, [rank] * 10, **options)
    assert found.verdict == verdict
    assert found.numbers["smallest"] == 0


SPREAD = [1, 4, 9, 2, 7, 5, 8, 3, 6, 10]


@pytest.mark.parametrize("shift", [0, 3, 20, -20])
def test_otherwise_the_interval_of_the_comparison_decides(shift):
    before, after = [30] * 10, [30 + shift + 2 * each for each in SPREAD]
    numbers = decide(before, after, margin=0.13).numbers
    runs = {"new": run_of(after), "old": run_of(before)}
    pairs = compare(QRELS, runs, ["PRES@100"], baselines=["old"]).pairs.loc[0]
    low, high = pairs["low"], pairs["high"]
    expected = "pass" if low >= -0.13 else "worse" if high < -0.13 else "undecided"
    assert numbers["verdict"] == expected
    assert [numbers["low"], numbers["high"]] == [low, high]
    assert numbers["smallest"] == pytest.approx((high - low) / 2)
    assert numbers["difference"] == pytest.approx(-(shift + 11) / 100)
    # The shifts are chosen so that each verdict occurs.
    assert expected == {0: "undecided", 3: "undecided", 20: "worse", -20: "pass"}[shift]


def test_the_topics_that_lost_most_are_listed():
    after = [11, 21, 31, 11, 12, 1, None, 51, 41, 11]
    numbers = decide([11] * 10, after).numbers
    lost = {each["query_id"]: round(each["difference"], 4) for each in numbers["lost"]}
    # The topic that the candidate lacks scores 0.
    assert list(lost.items()) == [
        *(("q06", -0.9), ("q07", -0.4), ("q08", -0.3), ("q02", -0.2), ("q01", -0.1)),
    ]
    numbers = decide([11] * 10, [11, 10, 13, *[11] * 7]).numbers
    assert [each["query_id"] for each in numbers["lost"]] == ["q02"]


def test_what_a_gate_needs():
    runs = {name: run_of([1] * 10) for name in ("a", "b", "c")}
    two = dict(list(runs.items())[:2])
    for qrels, some, measures in [
        (QRELS, runs, "PRES@100"),
        (QRELS, two, ["PRES@100", "R@100"]),
        ({"q00": {"d": 1}}, two, "PRES@100"),
    ]:
        with raises(InputError, r"a gate needs one measure.*; got \d, \d and \d+$"):
            gate(qrels, some, measures)
    with raises(InputError, "margin must be at least 0, got -1"):
        gate(QRELS, two, "PRES@100", margin=-1)
    with raises(InputError, "LastRel: neither high nor low values"):
        gate(QRELS, two, "LastRel")


def command(*arguments):
    return pres_eval("gate", "qrels.txt", *arguments, cwd=PATENTS)


@pytest.mark.ci
@pytest.mark.parametrize(
    ("baseline", "candidate", "options", "code", "said"),
    [
        ("boolean", "bm25", [], 0, "bm25 is not worse than boolean by more than 0.02"),
        ("bm25", "boolean", ["--margin", 0.1], 1, "boolean is worse than bm25 by more than 0.1"),
        ("boolean", "bm25", ["--least", 0.66], 1, "bm25 does not reach a mean of 0.66"),
        ("bm25", "dense", [], 3, "20 topics cannot decide whether dense is worse than bm25 by"),
    ],
)
def test_the_command_ends_with_the_code_of_the_verdict(
    baseline, candidate, options, code, said, tmp_path
):
    runs = [f"{name}.run.gz" for name in (baseline, candidate)]
    printed = command(*runs, *options)
    assert (printed.returncode, printed.stderr) == (code, "")
    assert printed.stdout.startswith(f"- {said}")
    sentence, title, table, _ = printed.stdout.split("\n\n")
    assert title == "Topics that lost most"
    as_json = command(*runs, *options, "-f", "json")
    numbers = json.loads(as_json.stdout)
    assert as_json.returncode == code
    assert [row.split()[0] for row in table.splitlines()[2:]] == [
        each["query_id"] for each in numbers["lost"]
    ]
    for each in ("baseline_mean", "candidate_mean", "difference", "low", "high"):
        assert f"{numbers[each]:.4f}" in sentence
    assert command(*runs, *options, "--out", tmp_path / "out").returncode == code
    results = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    assert results["summary"] == [sentence.removeprefix("- ").replace("\n  ", " ")]


def test_an_error_has_a_code_of_its_own():
    line = refused("gate", "qrels.txt", "bm25.run.gz", cwd=PATENTS)
    assert line.startswith("a gate needs one measure")
