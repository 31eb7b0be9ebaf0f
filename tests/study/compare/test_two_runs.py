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


FINDS = (
    "In the first 4 results, one finds on average {} % of a topic's relevant documents and b.run "
    "{} %."
)


def test_what_each_run_finds_and_the_difference_by_each_measure():
    # Recall is 3/5 and 2/5 everywhere. R(rel=2)@4 is 0 and 1.
    found, in_all, *differences, tested = two_runs(["R@4", "R(rel=2)@4"]).sentences()
    assert found == FINDS.format(60, 40)
    # In each of 8 topics, both find a, only one b and c, only b.run e, and neither d.
    assert in_all == (
        "Of 40 relevant documents, both find 8, only one 16, only b.run 8 and neither 8."
    )
    interval = "uncorrected 95 % interval"
    assert differences == [
        f"The difference in R@4 between one and b.run is 0.2000 ({interval} 0.2000 to 0.2000, "
        "p < 0.0001): significant.",
        f"The difference in R(rel=2)@4 between one and b.run is -1.0000 ({interval} -1.0000 to "
        "-1.0000, p < 0.0001): significant.",
    ]
    assert tested == (
        "Differences are means over 8 topics, tested by Student's paired t test at α = 0.05."
    )


def test_recall_is_that_of_the_first_measures_cutoff_and_relevance_level():
    (said, *_) = two_runs(["P(rel=2)@3"]).sentences()
    assert said == (
        "In the first 3 results, b.run finds on average 100 % of a topic's relevant documents "
        "and one 0 %."
    )


def test_two_runs_by_an_effort_begin_with_what_each_needs():
    qrels = {topic: {"a": 1, "b": 1} for topic in ("q1", "q2", "q3")} | {"q4": {"x": 0}}
    # They need 3 and 1 documents of q1, 2 and all of q2, and all of q3; q4 has nothing to find.
    one = {"q1": ["x", "y", "a"], "q2": ["x", "b", "a"], "q4": ["x"]}
    two = {"q1": ["b"], "q2": ["x"], "q3": []}
    runs = {
        name: {t: {doc: -rank for rank, doc in enumerate(docs)} for t, docs in run.items()}
        for name, run in {"two": two, "one": one}.items()
    }
    found = compare(qrels, runs, ["Effort(N=2000)@0.5"])
    assert found.sentences()[:4] == [
        "To find 50 % of a topic's relevant documents, one needs 501 of 2,000 documents on average "
        "and two 1,000.",
        "one never finds them on 1 topic, where all documents count.",
        "two never finds them on 2 topics, where all documents count.",
        "Of 6 relevant documents, both find 0, only one 3, only two 1 and neither 2.",
    ]
    assert found.two.by_topic["query_id"].to_list() == ["q2", "q3", "q4", "q1"]
    assert found.two.by_topic.texts()[:4][1:] == [
        ["2", "2000", "0", "3"],
        ["2000", "2000", "0", "1"],
        ["-1998", "0", "0", "2"],
    ]


def test_too_few_topics_cannot_be_tested():
    least = stats.wilcoxon(np.ones(5), method="exact").pvalue
    *_, said = two_runs(["R@4"], n_topics=5, test="wilcoxon").sentences()
    assert said.startswith(
        f"No difference can be significant, because no p-value can be below {least:.3g}"
    )


def test_identical_runs_have_no_difference_and_without_a_cutoff_there_is_no_recall():
    finds, _, same = two_runs(["R@4", "AP"], two=ONE).sentences()
    assert finds == FINDS.format(60, 60)
    assert same == "Identical, with the same scores on every topic: one and b.run."
    # The values of AP are 3 / 5 and (1/3 + 2/4) / 5.
    _, said, _ = two_runs(["AP"]).sentences()
    assert said.startswith("The difference in AP between one and b.run is 0.4333 (")


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
    totals = with_topics_of([6, 60, 10], baselines=baselines).two.totals.frame
    assert totals.select("both", ours, others, "neither").row(0) == (0, 73, 3, 0)
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
