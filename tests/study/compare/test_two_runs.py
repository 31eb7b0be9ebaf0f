"""The report of two runs: its sentences, its bars, and the documents that only one run finds."""

import re

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


@pytest.mark.parametrize(
    ("measures", "two", "said"),
    [
        (
            ["R@4", "AP"],
            ONE,
            "In the first 4 results, one finds on average 60 % of a topic's relevant documents and "
            "b.run 60 %; the scores of one and b.run are the same on every topic.",
        ),
        # Without a cutoff, there is no recall. The values of AP are 3 / 5 and (1/3 + 2/4) / 5.
        (["AP"], TWO, "The difference of AP, 0.43 [0.43, 0.43], is significant."),
    ],
)
def test_identical_runs_and_measures_without_a_cutoff(measures, two, said):
    assert two_runs(measures, two=two).sentences()[0] == said


def test_two_runs_have_intervals_unless_there_are_many_topics(monkeypatch):
    assert two_runs(["AP"]).how.confidence == 0.95
    monkeypatch.setattr("pres_plugin.study.compare.analysis.QUICK_TOPICS", 7)
    assert two_runs(["AP"]).how.confidence is None
    assert two_runs(["AP"], confidence=0.8).how.confidence == 0.8


def with_topics_of(sizes, cutoff=100, **options):
    """In each topic, one run finds all relevant documents but the last, the other only the last."""
    qrels = {f"t{n}": {f"d{j:02}": 1 for j in range(n)} for n in sizes}
    better = {t: {d: -i for i, d in enumerate(list(docs)[:-1])} for t, docs in qrels.items()}
    worse = {t: {list(docs)[-1]: 1.0} for t, docs in qrels.items()}
    return compare(qrels, {"worse": worse, "better": better}, [f"R@{cutoff}"], **options)


@pytest.mark.parametrize("baselines", [[], ["better"]])
def test_the_documents_that_only_one_run_finds_are_listed(baselines):
    table = with_topics_of([6, 60, 10], baselines=baselines).two.by_topic.frame
    # The differences are (n - 2) / n.
    assert table["query_id"].to_list() == ["t60", "t10", "t6"][:: -1 if baselines else 1]
    ours, others = ["only_second", "only_first"][:: 1 if baselines else -1]
    found = dict(table.select("query_id", ours).rows())
    assert found["t6"] == "d00, d01, d02, d03 and d04"
    assert re.fullmatch("d00, d01, d02, .*, d19 and 39 others", found["t60"])
    assert dict(table.select("query_id", others).rows()) == {
        "t6": "d05",
        "t60": "d59",
        "t10": "d09",
    }
    assert set(table["neither"]) == {"none"}
    at_2 = with_topics_of([6], cutoff=2).two.by_topic
    assert at_2["neither"].to_list() == ["d02, d03 and d04"]


def test_bars_lead_to_the_documents_of_their_topics(tmp_path):
    written = report(with_topics_of([6, 60, 10]), "pres-eval compare")
    written.write(tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    rows = re.findall(r'<tr id="(missed-\d+)">.*?<th[^>]*>(t\d+)</th>', page, re.DOTALL)
    assert [topic for _, topic in rows] == ["t60", "t10", "t6"]
    links = re.findall(r'<a xlink:href="#(missed-\d+)".*?</a>', page, re.DOTALL)
    assert sorted(links) == sorted([row for row, _ in rows] * 2)  # a bar, and its label
    text = "".join(written.texts())
    for absent in ("d00", "Kendall", "verdicts", "agreement"):
        assert absent not in text
