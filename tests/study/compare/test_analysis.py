"""Comparing runs: differences, tests, verdicts, agreement, and what must not change them."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from beginnings import raises
from random_runs import random_runs
from random_scores import comparison, random_scores, scores_of
from scipy import stats

from pres_plugin import InputError
from pres_plugin.study.compare import AGREEMENTS, VERDICTS, analysis, compare
from pres_plugin.study.statistics.intervals import intervals
from pres_plugin.study.statistics.method import Method
from pres_plugin.study.statistics.tests import TESTS


def differences_of(scores, row):
    first, second = scores.runs.index(row.first), scores.runs.index(row.second)
    m = scores.measures.index(row.measure)
    return (scores.values[first, :, m] - scores.values[second, :, m]).round(12)


@pytest.mark.parametrize(("n_topics", "levels"), [(7, None), (13, 3), (51, None)])
def test_pairs_are_tested_topic_by_topic(n_topics, levels, monkeypatch):
    monkeypatch.setattr(analysis, "_AT_ONCE", 3 * n_topics)  # several blocks of pairs
    scores = random_scores(4, n_topics, levels)
    pairs = comparison(scores, correction="none").pairs
    best = [scores.runs[i] for i in scores.order()]
    assert pairs[["first", "second"]][::2].agg(tuple, axis=1).tolist() == [*combinations(best, 2)]
    for row in pairs.itertuples():
        found = differences_of(scores, row)
        mean, p_value = found.mean(), stats.ttest_1samp(found, 0).pvalue
        assert row.difference == pytest.approx(mean)
        assert row.standardised == pytest.approx(mean / found.std(ddof=1))
        counts = [sum(found > 0), sum(found < 0), sum(found == 0)]
        assert [row.improved, row.worsened, row.equal] == counts
        assert row.p_value == pytest.approx(p_value)
        assert row.verdict == VERDICTS[2 if p_value >= 0.05 else int(mean < 0)]


def test_verdicts_and_agreements_of_measures_are_counted():
    found = comparison(random_scores(8, 5), alpha=0.3)
    neither = VERDICTS[2]
    pairs = found.pairs.pivot(index=["first", "second"], columns="measure", values="verdict")
    for measure, verdicts in pairs.items():
        assert found.verdicts.loc[measure].tolist() == [sum(verdicts == v) for v in VERDICTS[:3]]
    a, b = pairs["A"], pairs["B"]
    ways = [
        (a == b) & (a != neither),
        (a == b) & (a == neither),
        (a != neither) & (b == neither),
        (a == neither) & (b != neither),
        (a != b) & (a != neither) & (b != neither),
    ]
    (row,) = found.agreement.to_dict("records")
    assert [row[name] for name in AGREEMENTS] == [way.sum() for way in ways]
    assert min(map(sum, ways[:4])) > 0


def test_with_baselines_only_their_pairs_are_compared():
    scores = random_scores(n_runs=7, n_topics=15)
    found = comparison(scores, ("run2", "run5", "run2"), correction="bonferroni").pairs
    others = [scores.runs[i] for i in scores.order() if scores.runs[i] != "run2"]
    expected = [(run, "run2") for run in others]
    expected += [(run, "run5") for run in others if run != "run5"]
    of_measure = found[found["measure"] == "B"]
    assert [*zip(of_measure["first"], of_measure["second"], strict=True)] == expected
    for row in of_measure.itertuples():
        p_value = stats.ttest_1samp(differences_of(scores, row), 0).pvalue
        assert row.p_value == pytest.approx(min(1, 11 * p_value))


def test_pairs_and_means_have_intervals():
    scores = random_scores(n_runs=4, n_topics=20, levels=4)
    options = {"test": "randomization", "resamples": 999, "seed": 5}
    found = comparison(scores, confidence=0.9, **options)
    differences = [differences_of(scores, row) for row in found.pairs.itertuples()]
    values = scores.values.swapaxes(1, 2).reshape(-1, 20)
    for rows, table in ((differences, found.pairs), (values, found.intervals)):
        bounds = intervals(np.array(rows), 0.9, Method(resamples=999, seed=5))
        np.testing.assert_allclose(table[["low", "high"]].to_numpy().T, bounds)
    assert found.intervals["mean"].tolist() == scores.means.ravel().tolist()


def test_no_run_is_better_if_its_test_and_its_mean_disagree():
    # One topic turns the mean around, but not the signed ranks.
    values = np.full((2, 20, 1), [[[0.03]], [[0.02]]])
    values[:, -1, 0] = 0.02, 0.92
    found = comparison(scores_of(values, ["AP"]), test="wilcoxon")
    (pair,) = found.pairs.itertuples()
    assert (pair.first, pair.verdict) == ("run1", "test and mean disagree")
    assert found.verdicts.loc["AP"].to_dict() == dict(zip(VERDICTS, [0, 0, 0, 1], strict=True))
    assert "<sup>" not in found.to_markdown()
    said = "significant, but the test favours the run with the worse mean."
    assert found.sentences()[1].endswith(said)


@pytest.mark.ci
@pytest.mark.parametrize(("n_runs", "is_possible"), [(32, True), (33, False)])
def test_with_many_pairs_no_random_draws_can_show_a_difference(n_runs, is_possible):
    # 496 or 528 pairs, each with the smallest p-value, 0.0001.
    values = np.arange(n_runs)[:, None, None] + np.zeros((1, 20, 1))
    found = comparison(scores_of(values, ["A"]), test="randomization")
    assert found.least_p_value == pytest.approx(min(1, comb(n_runs, 2) / 10_000))
    assert (found.pairs["p_value"] == found.least_p_value).all()
    assert ("No difference can be significant" in found.sentences()[-1]) != is_possible
    assert (found.pairs["verdict"] == "first better").all() == is_possible


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


def test_a_baseline_must_be_the_name_of_a_run():
    qrels, runs = random_runs(n_runs=4)
    with raises(InputError, r"baseline 'runO' is not among the runs \(run0, run1"):
        compare(qrels, runs.items(), MEASURES, baselines=["runO"])
    with raises(InputError, "baselines must be several values, such as a list"):
        compare(qrels, runs, MEASURES, baselines="run1")


def test_measures_without_a_direction_are_refused():
    said = "LastRel and NumRet: neither high nor low values are better"
    with raises(InputError, said):
        compare(*random_runs(1), ["LastRel", "AP", "NumRet"])


def test_too_many_tests_are_refused(monkeypatch):
    monkeypatch.setattr(analysis, "MOST_TESTS", 30)
    qrels, runs = random_runs(n_runs=6)
    assert len(compare(qrels, runs, MEASURES[:2]).pairs) == 30
    assert len(compare(qrels, runs, MEASURES, baselines=["run1", "run0"]).pairs) == 27
    with raises(InputError, "comparing 6 runs by 3 measures requires 45 tests.* 30; .*--baseline"):
        compare(qrels, runs.items(), MEASURES)


@pytest.mark.parametrize("test", TESTS)
def test_lower_efforts_are_better_exactly_where_higher_savings_are(test):
    # Where the recall is reached, the effort is N (R - WSS).
    wss = np.random.default_rng(5).integers(-50, 950, (5, 12)) / 1000 + np.arange(5)[:, None] / 100
    efforts, savings = measures = ("Effort(N=1000)@0.95", "WSS(N=1000)@0.95")
    values = np.stack([1000 * (0.95 - wss), wss], axis=2)
    found = comparison(scores_of(values, measures), test=test, correction="none", alpha=0.3)
    pairs = {m: found.pairs[found.pairs["measure"] == m].reset_index() for m in measures}
    same = ["first", "second", "improved", "worsened", "equal", "verdict"]
    assert pairs[efforts][same].equals(pairs[savings][same])
    assert set(pairs[efforts]["verdict"]) > {"first better"}
    for number, factor in (("p_value", 1), ("difference", -1000), ("standardised", -1)):
        expected = factor * pairs[savings][number]
        assert pairs[efforts][number].to_numpy() == pytest.approx(expected.to_numpy())
    assert found.correlations[["kendall_tau", "spearman_rho"]].to_numpy() == pytest.approx(1)
    assert found.agreement["opposite runs better"].tolist() == [0]
    best = found.scores.runs[wss.mean(axis=1).argmax()]
    said = found.sentences()
    assert said[0].startswith(f"{best} has the lowest mean Effort@0.95 (")
    assert "rank the same run first and disagree on 0 of 10 pairs" in said[-2]
    for row in found.to_markdown().splitlines()[2:7]:
        _, _, run, *cells, _ = (cell.strip() for cell in row.split("|"))
        assert [cell.startswith("**") for cell in cells] == [run == best] * 2
