"""Comparing runs: differences, tests, verdicts, agreement, and what must not change them."""

from itertools import combinations, product
from math import comb

import numpy as np
import pandas as pd
import pytest
from ir_measures import nDCG
from random_runs import random_runs
from random_scores import comparison, random_scores, scores_of
from scipy import stats

from pres_plugin.study.compare import AGREEMENTS, VERDICTS, analysis, compare
from pres_plugin.study.inputs import StudyError
from pres_plugin.study.scoring import score
from pres_plugin.study.statistics.corrections import CORRECTIONS
from pres_plugin.study.statistics.intervals import intervals
from pres_plugin.study.statistics.resampling import Resampling

TESTS = ["wilcoxon", "t", "randomization"]


def differences_of(scores, row):
    first, second = scores.runs.index(row.first), scores.runs.index(row.second)
    m = scores.measures.index(row.measure)
    return (scores.values[first, :, m] - scores.values[second, :, m]).round(12)


def p_value_and_sign(differences, test):
    """Return the p-value of one pair in SciPy, and which run leads: 1, -1 or 0."""
    changed = differences[differences != 0]
    if len(changed) == 0 or (test == "t" and len(differences) == 1):
        return 1.0, 0
    if test == "t":
        return stats.ttest_1samp(differences, 0).pvalue, np.sign(differences.sum())
    ranks = stats.rankdata(abs(changed))
    sign = np.sign(ranks @ np.sign(changed))
    if len(set(abs(changed))) == len(changed):
        method = "exact" if len(changed) <= 50 else "approx"
        return stats.wilcoxon(changed, method=method).pvalue, sign
    if len(changed) > 13:
        return stats.wilcoxon(changed, method="approx").pvalue, sign
    # Before version 1.15, SciPy does not compute this itself: the sums for all choices of signs.
    sums = np.array(list(product([0, 1], repeat=len(changed)))) @ ranks
    tails = [(sums >= (at := ranks[changed > 0].sum())).mean(), (sums <= at).mean()]
    return min(1.0, 2 * min(tails)), sign


@pytest.mark.filterwarnings("ignore:Sample size too small", "ignore:Precision loss")
@pytest.mark.parametrize("test", ["wilcoxon", "t"])
@pytest.mark.parametrize(
    ("n_runs", "n_topics", "levels"),
    [(5, 1, None), (5, 2, 3), (4, 7, None), (4, 13, 3), (4, 20, 3), (3, 50, None), (3, 51, None)],
)
def test_pairs_are_those_of_scipy_one_by_one(n_runs, n_topics, levels, test, monkeypatch):
    monkeypatch.setattr(analysis, "_AT_ONCE", 10 * n_topics)  # several blocks of pairs
    scores = random_scores(n_runs, n_topics, levels)
    found = comparison(scores, test=test, correction="none")
    best = [scores.runs[i] for i in scores.order()]
    runs = [(row.first, row.second) for row in found.pairs.itertuples() if row.measure == "A"]
    assert runs == list(combinations(best, 2))
    verdicts = {measure: [] for measure in scores.measures}
    for row in found.pairs.itertuples():
        differences = differences_of(scores, row)
        p_value, sign = p_value_and_sign(differences, test)
        assert row.p_value == pytest.approx(p_value, rel=1e-13, abs=1e-15)
        assert row.verdict == VERDICTS[2 if p_value >= 0.05 else 0 if sign > 0 else 1]
        assert row.difference == pytest.approx(differences.mean())
        if np.ptp(differences):
            standardised = stats.ttest_1samp(differences, 0).statistic / np.sqrt(n_topics)
            assert row.standardised == pytest.approx(standardised)
        else:
            assert np.isnan(row.standardised)
        counts = [sum(differences > 0), sum(differences < 0), sum(differences == 0)]
        assert [row.improved, row.worsened, row.equal] == counts
        verdicts[row.measure].append(row.verdict)
    for measure, of_pairs in verdicts.items():
        assert found.verdicts.loc[measure].tolist() == list(map(of_pairs.count, VERDICTS[:3]))
    both = list(zip(*verdicts.values(), strict=True))
    neither = VERDICTS[2]
    (row,) = found.agreement.to_dict("records")
    assert [row[name] for name in ("first", "second", *AGREEMENTS)] == [
        *scores.measures,
        sum(a == b != neither for a, b in both),
        sum(a == b == neither for a, b in both),
        sum(a != neither == b for a, b in both),
        sum(a == neither != b for a, b in both),
        sum(neither not in (a, b) and a != b for a, b in both),
    ]


@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize("baselines", [(), ("run2", "run5", "run2")])
def test_corrections_count_the_pairs_of_each_measure(correction, baselines):
    scores = random_scores(n_runs=7, n_topics=15)
    alone = {
        frozenset((row.first, row.second, row.measure)): row.p_value
        for row in comparison(scores, correction="none").pairs.itertuples()
    }
    found = comparison(scores, baselines, correction=correction)
    pairs = found.pairs
    if baselines:
        others = [scores.runs[i] for i in scores.order() if scores.runs[i] != "run2"]
        expected = [(run, "run2") for run in others]
        expected += [(run, "run5") for run in others if run != "run5"]
        of_measure = pairs[pairs["measure"] == "B"]
        assert [*zip(of_measure["first"], of_measure["second"], strict=True)] == expected
    for _, rows in pairs.groupby("measure"):
        names = rows[["first", "second", "measure"]].to_numpy()
        corrected = CORRECTIONS[correction](np.array([alone[frozenset(row)] for row in names]))
        assert rows["p_value"].to_numpy() == pytest.approx(corrected, abs=1e-15)
        assert (rows["verdict"] != VERDICTS[2]).tolist() == (corrected < 0.05).tolist()


@pytest.mark.parametrize("test", ["wilcoxon", "randomization"])
def test_pairs_and_means_have_intervals(test):
    scores = random_scores(n_runs=4, n_topics=20, levels=4)
    options = {"test": test, "resamples": 999, "seed": 5}
    found = comparison(scores, confidence=0.9, **options)
    for row in found.pairs.itertuples():
        low, high = intervals(differences_of(scores, row)[None], 0.9, Resampling(999, 5))
        assert [row.low, row.high] == pytest.approx([*low, *high])
    for row in found.intervals.itertuples():
        r, m = scores.runs.index(row.run), scores.measures.index(row.measure)
        low, high = intervals(scores.values[None, r, :, m], 0.9, Resampling(999, 5))
        assert [row.mean, row.low, row.high] == pytest.approx([scores.means[r, m], *low, *high])
    without = comparison(scores, **options)
    assert without.intervals is None
    pd.testing.assert_frame_equal(without.pairs, found.pairs.drop(columns=["low", "high"]))


def test_no_run_is_better_if_its_test_and_its_mean_disagree():
    # One topic turns the mean around, but not the signed ranks.
    values = np.full((2, 20, 1), [[[0.03]], [[0.02]]])
    values[:, -1, 0] = 0.02, 0.92
    found = comparison(scores_of(values, ["AP"]), test="wilcoxon")
    (pair,) = found.pairs.itertuples()
    p_value, _ = p_value_and_sign(differences_of(found.scores, pair), "wilcoxon")
    assert pair.p_value == pytest.approx(p_value)
    assert (pair.first, pair.verdict) == ("run1", "test and mean disagree")
    assert found.verdicts.loc["AP"].to_dict() == dict(zip(VERDICTS, [0, 0, 0, 1], strict=True))
    assert "<sup>" not in found.to_markdown()
    said = "significant, but the test favours the run with the lower mean."
    assert found.sentences()[1].endswith(said)


@pytest.mark.parametrize(("n_runs", "is_possible"), [(32, True), (33, False)])
def test_with_many_pairs_no_random_draws_can_show_a_difference(n_runs, is_possible):
    # 496 or 528 pairs, each with the smallest p-value, 0.0001.
    values = np.arange(n_runs)[:, None, None] + np.zeros((1, 20, 1))
    found = comparison(scores_of(values, ["A"]), test="randomization")
    assert found.least_p_value == pytest.approx(min(1, comb(n_runs, 2) / 10_000))
    assert (found.pairs["p_value"] == found.least_p_value).all()
    assert ("No difference can be significant" in found.sentences()[-1]) != is_possible
    assert (found.pairs["verdict"] == "first better").all() == is_possible


@pytest.mark.parametrize(
    ("n_topics", "difference", "p_value"), [(2, 0.2, 0), (5, 0.2, 0), (1, 0.2, 1), (5, 0.0, 1)]
)
def test_the_t_test_of_equal_differences(n_topics, difference, p_value):
    values = np.full((2, n_topics, 1), [[[0.1 + difference]], [[0.1]]])
    found = comparison(scores_of(values, ["A"]))
    assert found.pairs["p_value"].tolist() == [p_value]
    assert found.pairs["verdict"].tolist() == [VERDICTS[2 if p_value else 0]]


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(("n_runs", "n_topics"), [(1, 5), (3, 1), (1, 1)])
def test_one_run_or_one_topic_can_be_compared(n_runs, n_topics, test):
    found = comparison(random_scores(n_runs, n_topics), test=test, confidence=0.95, correction="bh")
    n_pairs = comb(n_runs, 2)
    assert found.verdicts["not significant"].tolist() == [n_pairs] * 2
    assert found.pairs["standardised"].isna().all()
    assert (found.intervals is None) == (n_topics == 1)
    assert ("Brackets" in found.to_latex()) == (n_topics > 1)


# --- From judgements and runs. ------------------------------------------------------------------

MEASURES = ["PRES@10", "AP@10", "R@10"]


def test_runs_are_ranked_here_or_scored_by_the_frameworks():
    qrels, runs = random_runs(n_runs=4)
    found = compare(qrels, runs, MEASURES).scores
    other = compare(qrels, iter(runs.items()), [*MEASURES, nDCG @ 10]).scores
    assert other.means.tolist() == score(qrels, runs, other.measures).means.tolist()
    assert other.means[:, :3].tolist() == found.means.tolist()


def test_a_baseline_must_be_the_name_of_a_run():
    qrels, runs = random_runs(n_runs=4)
    for named in (runs, runs.items()):
        with pytest.raises(StudyError, match=r"baseline 'runO' is not among the runs \(run0, run1"):
            compare(qrels, named, MEASURES, baselines=["runO"])
    with pytest.raises(StudyError, match="baselines must be several values, such as a list"):
        compare(qrels, runs, MEASURES, baselines="run1")


def test_measures_without_a_direction_are_refused():
    said = "^LastRel and NumRet: neither high nor low values are better"
    with pytest.raises(StudyError, match=said):
        compare(*random_runs(1), ["LastRel", "AP", "NumRet"])


def test_too_many_tests_are_refused(monkeypatch):
    monkeypatch.setattr(analysis, "MOST_TESTS", 30)
    qrels, runs = random_runs(n_runs=6)
    assert len(compare(qrels, runs, MEASURES[:2]).pairs) == 30
    assert len(compare(qrels, runs, MEASURES, baselines=["run1", "run0"]).pairs) == 27
    for named in (runs, runs.items()):
        with pytest.raises(
            StudyError, match=r"6 runs by 3 measures requires 45 tests.* 30; .*'RUN'"
        ):
            compare(qrels, named, MEASURES)


def test_means_per_group_are_those_of_its_topics():
    qrels, runs = random_runs(n_runs=4)
    groups = {"q0": "B", "q1": "A", "none": "A", "q3": "B", "not judged": "C"}
    found = compare(qrels, runs, ["PRES@20", "nDCG@9"], groups=groups)
    assert list(found.groups["run"][::2]) == list(found.scores.table().index)
    assert found.groups[["group", "topics"]].values.tolist() == [["A", 2], ["B", 2]] * 4
    by_topic = found.scores.by_topic()
    for row in found.groups.itertuples(index=False):
        of_group = [(row.run, topic) for topic in qrels if groups.get(topic) == row.group]
        assert list(row[3:]) == pytest.approx(by_topic.loc[of_group].mean().tolist())


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ({"other": "A"}, r"no topic in common with the qrels \(groups: other; qrels: q0,"),
        ([("q0", "A")], "groups must map topics to groups"),
    ],
)
def test_groups_without_a_judged_topic_or_of_another_type_are_refused(groups, said):
    with pytest.raises(StudyError, match=said):
        compare(*random_runs(n_runs=1), ["AP"], groups=groups)
