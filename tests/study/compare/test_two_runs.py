"""The report of two runs: its sentences, its bars, and the documents that only one run finds."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy import stats

from pres_plugin.study.compare import compare
from pres_plugin.study.compare.report import report

#: Each topic has five relevant documents; one of them has the relevance 2.
QRELS = {f"q{i:02}": dict.fromkeys("abcd", 1) | {"e": 2} for i in range(8)}


def run_of(*found):
    """Rank these documents of each topic, in this order."""
    return {t: {doc: -rank for rank, doc in enumerate(found)} for t in QRELS}


ONE, TWO = run_of(*"abcx"), run_of(*"xyea")


def two_runs(measures, one=ONE, two=TWO, n_topics=8, **options):
    qrels = dict(list(QRELS.items())[:n_topics])
    return compare(qrels, {"one": one, "b.run": two}, measures, resamples=999, **options)


TESTED = "tested by Student's paired t test at α = 0.05."
IN_BRACKETS = "In brackets: uncorrected 95 % confidence intervals."


def test_a_significant_difference():
    # Recall is 3/5 and 2/5 everywhere. R(rel=2)@4 is 0 and 1.
    assert two_runs(["R@4", "R(rel=2)@4"]).sentences() == [
        "In the first 4 results, one finds on average 60 % of a topic's relevant documents "
        "and b.run 40 %; the "
        "difference of R@4, 0.20 [0.20, 0.20], is significant.",
        "The difference of R(rel=2)@4, -1.00 [-1.00, -1.00], is significant.",
        f"Differences are means over 8 topics of one minus b.run, {TESTED} {IN_BRACKETS}",
    ]


def test_recall_is_that_of_the_first_measures_cutoff_and_relevance_level():
    (said, *_) = two_runs(["P(rel=2)@3"]).sentences()
    assert said.startswith(
        "In the first 3 results, b.run finds on average 100 % of a topic's relevant documents "
        "and one 0 %; "
    )


def test_a_difference_that_is_not_significant_remains_open():
    swapped = {t: (ONE if i < 4 else TWO)[t] for i, t in enumerate(QRELS)}
    other = {t: (TWO if i < 4 else ONE)[t] for i, t in enumerate(QRELS)}
    found = two_runs(["R@4"], swapped, other)
    # Half of the topics differ by 0.2, the others by -0.2.
    low, high = found.pairs.loc[0, ["low", "high"]]
    assert found.sentences()[0] == (
        "In the first 4 results, one finds on average 50 % of a topic's relevant documents "
        "and b.run 50 %; the "
        f"difference of R@4, 0.00 [{low:.2f}, {high:.2f}], is not significant, so it remains open "
        "which run is better."
    )


def test_too_few_topics_cannot_be_tested():
    least = stats.wilcoxon(np.ones(5), method="exact").pvalue
    (said, *_) = two_runs(["R@4"], n_topics=5, test="wilcoxon").sentences()
    assert said.endswith(
        "of R@4, 0.20 [0.20, 0.20], cannot be significant, because no p-value can be below "
        f"{least:.3g}."
    )


def test_identical_runs():
    assert two_runs(["R@4", "AP"], ONE, ONE).sentences() == [
        "In the first 4 results, one finds on average 60 % of a topic's relevant documents "
        "and b.run 60 %; the "
        "scores of one and b.run are the same on every topic."
    ]


def test_without_a_cutoff_recall_is_left_out():
    # The average precisions are (1 + 1 + 1) / 5 and (1/3 + 2/4) / 5.
    assert two_runs(["AP"]).sentences()[0] == (
        "The difference of AP, 0.43 [0.43, 0.43], is significant."
    )


@pytest.mark.parametrize("options", [{"n_topics": 8}, {"n_topics": 8, "confidence": 0.8}])
def test_two_runs_have_intervals_unless_there_are_many_topics(options, monkeypatch):
    assert two_runs(["AP"], **options).how.confidence == options.get("confidence", 0.95)
    monkeypatch.setattr("pres_plugin.study.compare.analysis.QUICK_TOPICS", 7)
    assert two_runs(["AP"], **options).how.confidence == options.get("confidence")


SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("baselines", [[], ["better"]])
def test_bars_lead_to_what_only_one_run_finds(tmp_path, baselines):
    """In each topic, one run finds all relevant documents but the last, the other only the last."""
    sizes = {f"t{i}": i for i in (3, 30, 5)}
    qrels = {t: {f"d{j:02}": 1 for j in range(2 * n)} for t, n in sizes.items()}
    better = {t: {d: -i for i, d in enumerate(list(docs)[:-1])} for t, docs in qrels.items()}
    worse = {t: {list(docs)[-1]: 1.0} for t, docs in qrels.items()}
    found = compare(qrels, {"worse": worse, "better": better}, ["R@100"], baselines=baselines)
    written = report(found, "pres-eval compare")
    written.write(tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    # The differences are (2n - 2) / 2n.
    in_order = ["t30", "t5", "t3"][:: -1 if baselines else 1]
    targets = re.findall(r'<tr id="(missed-\d+)">.*?<th[^>]*>(t\d+)</th>', page, re.DOTALL)
    assert targets == [(f"missed-{i}", topic) for i, topic in enumerate(in_order, start=1)]
    svg = ElementTree.fromstring(re.search(r"<svg .*?</svg>", page, re.DOTALL)[0])
    links = [each.attrib["{http://www.w3.org/1999/xlink}href"] for each in svg.iter(f"{SVG}a")]
    assert "target=" not in page  # links stay in the same tab
    assert sorted(links) == sorted([f"#{target}" for target, _ in targets] * 2)
    labels = {
        each.attrib["{http://www.w3.org/1999/xlink}href"]: "".join(each.itertext()).strip()
        for each in svg.iter(f"{SVG}a")
        if list(each.iter(f"{SVG}text"))
    }
    assert labels == {f"#{target}": topic for target, topic in targets}
    table = {part.name: part for part in written.parts}["missed"].table
    only = dict(table.frame.select("query_id", "only_second" if baselines else "only_first").rows())
    assert only["t3"] == "d00, d01, d02, d03 and d04"
    assert only["t30"].startswith("d00, d01, d02, ")
    assert only["t30"].endswith(", d19 and 39 others")
    other = "only_first" if baselines else "only_second"
    assert table[other].to_list() == [f"d{2 * sizes[t] - 1:02}" for t in in_order]
    assert set(table["neither"]) == {"none"}
    at_2 = report(compare(qrels, {"worse": worse, "better": better}, ["R@2"]), "").parts
    [missed] = [part.table.frame for part in at_2 if part.name == "missed"]
    assert dict(missed.select("query_id", "neither").rows())["t3"] == "d02, d03 and d04"
    text = "".join(written.texts())
    assert "d00" not in text
    for absent in ("Kendall", "verdicts", "agreement"):
        assert absent not in text
