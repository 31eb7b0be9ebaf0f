"""Differences of runs: effects, intervals, corrections, and what must not change them."""

import dataclasses
import math
import re
from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest
from command import EXAMPLES, pres_eval, refused
from random_scores import random_scores, scores_of
from scipy import stats

from pres_plugin.formats import read_qrels, read_run
from pres_plugin.study import compare as comparing
from pres_plugin.study.compare import VERDICTS, compare, compare_scores
from pres_plugin.study.inputs import StudyError
from pres_plugin.study.pictures.compare import sorted_scores
from pres_plugin.study.robustness import robustness
from pres_plugin.study.scoring import Scores
from pres_plugin.study.statistics.corrections import CORRECTIONS
from pres_plugin.study.statistics.intervals import intervals
from pres_plugin.study.statistics.method import Method
from pres_plugin.study.statistics.resampling import Resampling

COLUMNS = ["first", "second", "measure", "difference"]
REST = ["standardised", "improved", "worsened", "equal", "p_value", "verdict"]
#: All that can be computed, by resampling.
FULL = {"test": "randomization", "confidence": 0.95, "resamples": 999}


def by_pair(pairs):
    """The rows of a table of pairs, whatever their order."""
    return pairs.set_index(["first", "second", "measure"]).sort_index()


def check_same(found, expected):
    pd.testing.assert_frame_equal(by_pair(found), by_pair(expected), rtol=1e-9, atol=1e-9)


def reordered(scores, runs=None, topics=None, measures=None):
    """The same scores with runs, topics and measures in other orders."""
    r, t, m = (
        list(range(len(names))) if order is None else order
        for order, names in zip(
            (runs, topics, measures), (scores.runs, scores.topics, scores.measures), strict=True
        )
    )
    names = (
        tuple(of[i] for i in order)
        for of, order in zip((scores.runs, scores.topics, scores.measures), (r, t, m), strict=True)
    )
    return Scores(*names, scores.values[np.ix_(r, t, m)], scores.means[np.ix_(r, m)])


@pytest.mark.parametrize("test", ["wilcoxon", "t", "randomization"])
def test_pairs_have_effects_and_intervals(test):
    scores = random_scores(n_runs=5, n_topics=20, levels=4)
    found = compare_scores(scores, test=test, confidence=0.9, resamples=999, seed=5)
    assert list(found.pairs.columns) == [*COLUMNS, "low", "high", *REST]
    assert found.how == Method(test, 0.05, "none", 0.9, 999, 5)
    topics = sorted(range(20), key=scores.topics.__getitem__)
    for row in found.pairs.itertuples():
        a, b = scores.runs.index(row.first), scores.runs.index(row.second)
        m = scores.measures.index(row.measure)
        differences = (scores.values[a, topics, m] - scores.values[b, topics, m]).round(12)
        assert row.difference == pytest.approx(differences.mean())
        assert row.standardised == pytest.approx(differences.mean() / np.std(differences, ddof=1))
        counts = [sum(differences > 0), sum(differences < 0), sum(differences == 0)]
        assert [row.improved, row.worsened, row.equal] == counts
        low, high = intervals(differences[None], 0.9, Resampling(999, 5))
        assert [row.low, row.high] == pytest.approx([*low, *high])
    assert found.pairs["equal"].max() > 0
    without = compare_scores(scores, test=test, resamples=999, seed=5)
    assert list(without.pairs.columns) == [*COLUMNS, *REST]
    assert without.intervals is None
    check_same(without.pairs, found.pairs.drop(columns=["low", "high"]))


def test_means_have_intervals():
    scores = random_scores(n_runs=3, n_topics=15)
    found = compare_scores(scores, confidence=0.95).intervals
    assert list(found.columns) == ["run", "measure", "mean", "low", "high"]
    expected = [(run, measure) for run in scores.runs for measure in scores.measures]
    assert list(zip(found["run"], found["measure"], strict=True)) == expected
    assert found["mean"].to_numpy().reshape(3, 2) == pytest.approx(scores.means)
    rows = np.moveaxis(scores.values, 2, 1).reshape(6, 15)
    low, high = intervals(rows, 0.95, Resampling())
    assert found["low"].to_numpy() == pytest.approx(low)
    assert found["high"].to_numpy() == pytest.approx(high)


def test_a_difference_has_the_resamples_of_its_means():
    # A third "run" with the differences of the first two as its scores.
    values = random_scores(n_runs=2, n_topics=25).values
    scores = scores_of([*values, values[1] - values[0]])
    found = compare_scores(scores, confidence=0.95)
    of_means = found.intervals.set_index(["run", "measure"]).loc["run2"]
    of_pairs = by_pair(found.pairs).loc[("run1", "run0")]
    for column, other in (("mean", "difference"), ("low", "low"), ("high", "high")):
        assert of_means[column].to_numpy() == pytest.approx(of_pairs[other].to_numpy())


@pytest.mark.parametrize("test", ["t", "randomization"])
def test_measures_that_differ_by_a_factor_have_the_same_resamples(test):
    values = random_scores(n_runs=4, n_topics=30).values
    scores = scores_of(np.stack([values[:, :, 0], 3 + 250 * values[:, :, 0]], axis=2))
    found = by_pair(compare_scores(scores, **(FULL | {"test": test})).pairs)
    a, b = (found.xs(measure, level="measure") for measure in scores.measures)
    for column in ("difference", "low", "high"):
        assert 250 * a[column].to_numpy() == pytest.approx(b[column].to_numpy(), rel=1e-7)
    for column in ("standardised", "p_value", "improved"):
        assert a[column].to_numpy() == pytest.approx(b[column].to_numpy(), rel=1e-9)


def test_the_order_of_runs_topics_and_measures_does_not_matter():
    scores = random_scores(n_runs=4, n_topics=20, levels=5)
    expected = compare_scores(scores, **FULL, correction="holm")
    for change in (
        {"runs": [2, 0, 3, 1]},
        {"topics": [*range(19, -1, -1)]},
        # The pairs stay the same, because the runs have the same order by both measures.
        {"measures": [1, 0]},
    ):
        changed = reordered(scores, **change)
        found = compare_scores(changed, **FULL, correction="holm")
        check_same(found.pairs, expected.pairs)
        assert found.intervals.set_index(["run", "measure"]).to_numpy() == pytest.approx(
            expected.intervals.set_index(["run", "measure"])
            .loc[list(zip(found.intervals["run"], found.intervals["measure"], strict=True))]
            .to_numpy()
        )
    # Nor do other runs and measures.
    two = compare_scores(reordered(scores, runs=[0, 3], measures=[0]), **FULL).pairs
    everything = compare_scores(scores, **FULL).pairs
    check_same(
        two,
        everything[
            everything[["first", "second", "measure"]].isin(["run0", "run3", "A"]).all(axis=1)
        ],
    )


def test_exchanging_the_runs_mirrors_the_difference():
    scores = random_scores(n_runs=2, n_topics=20, levels=6)
    one, other = (
        compare_scores(scores, baselines=[baseline], **FULL).pairs for baseline in scores.runs
    )
    assert one["first"].tolist() == other["second"].tolist()
    for column, mirror in (("difference", "difference"), ("low", "high"), ("high", "low")):
        assert one[column].to_numpy() == pytest.approx(-other[mirror].to_numpy(), abs=1e-9)
    assert one["standardised"].to_numpy() == pytest.approx(-other["standardised"].to_numpy())
    assert one["improved"].tolist() == other["worsened"].tolist()
    assert one["p_value"].tolist() == other["p_value"].tolist()
    assert set(zip(one["verdict"], other["verdict"], strict=True)) <= {
        ("first better", "second better"),
        ("second better", "first better"),
        ("no difference", "no difference"),
    }


@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize("baselines", [(), ("run3",)])
def test_corrections_count_the_pairs_of_each_measure(correction, baselines):
    scores = random_scores(n_runs=6, n_topics=12)
    alone = compare_scores(scores, baselines=baselines).pairs
    found = compare_scores(scores, baselines=baselines, correction=correction).pairs
    for measure in scores.measures:
        rows = found["measure"] == measure
        expected = CORRECTIONS[correction](alone.loc[rows, "p_value"].to_numpy())
        assert found.loc[rows, "p_value"].tolist() == expected.tolist()
        significant = found.loc[rows, "verdict"] != VERDICTS[2]
        assert significant.tolist() == (expected < 0.05).tolist()


def test_a_measure_without_a_direction_is_refused():
    said = "LastRel and NumRet: neither high nor low values are better, so no run can be better"
    scores = random_scores(n_runs=3, n_topics=9, measures=("LastRel", "A", "NumRet"))
    with pytest.raises(StudyError, match=said):
        compare_scores(scores)
    qrels, measures = {"q": {"a": 1}}, ["LastRel", "AP", "NumRet"]
    for study in (compare, robustness):
        with pytest.raises(StudyError, match=said):
            study(qrels, {"run": {"q": {"a": 1.0}}}, measures)


def test_no_run_is_better_if_its_test_and_its_mean_disagree():
    # One topic turns the mean around, but not the signed ranks.
    values = np.full((2, 20, 1), [[[0.03]], [[0.02]]])
    values[:, -1, 0] = 0.02, 0.92
    scores = Scores(("A", "B"), tuple(map(str, range(20))), ("AP",), values, values.mean(axis=1))
    found = compare_scores(scores)
    (pair,) = found.pairs.to_dict("records")
    expected = stats.wilcoxon(*values[:, :, 0], method="approx").pvalue
    assert pair["p_value"] == pytest.approx(expected)
    assert (pair["first"], pair["verdict"]) == ("B", "test and mean disagree")
    assert found.verdicts.loc["AP"].to_dict() == dict(zip(VERDICTS, [0, 0, 0, 1], strict=True))
    assert "<sup>" not in found.to_markdown()
    assert "\\textsuperscript" not in found.to_latex()
    assert found.sentences() == [
        "B has the highest mean AP (0.0650).",
        f"By AP, the test favours A over B (p = {expected:.4f}), but the mean of B is 0.0355 "
        "higher, so neither counts as better (Wilcoxon's signed-rank test at α = 0.05).",
    ]


def test_the_pairs_of_measures_are_limited():
    measures = tuple(f"PRES@{k}" for k in range(1, 400))
    scores = random_scores(n_runs=2, n_topics=1, measures=measures)
    said = "comparing 2 runs by 399 measures requires 79,401 pairs of measures, more than the limit"
    with pytest.raises(StudyError, match=said):
        compare_scores(scores)


def test_a_level_that_needs_more_resamples_is_refused():
    Method(confidence=0.9997)
    with pytest.raises(StudyError, match=r"at most 0\.9997 with 9,999 resamples, got 0\.9999"):
        Method(confidence=0.9999)


def test_one_topic_has_no_interval_and_equal_differences_have_a_point():
    one = compare_scores(random_scores(n_runs=3, n_topics=1), **FULL)
    assert one.pairs[["low", "high", "standardised"]].isna().all(axis=None)
    assert one.intervals[["low", "high"]].isna().all(axis=None)
    values = np.linspace(0, 1, 9)[:, None]
    same = compare_scores(scores_of([values + 0.1, values], measures=["A"]), **FULL)
    (pair,) = same.pairs.itertuples()
    assert [pair.difference, pair.low, pair.high] == pytest.approx([0.1] * 3)
    assert math.isnan(pair.standardised)
    assert [pair.improved, pair.worsened, pair.equal] == [9, 0, 0]
    assert pair.p_value == 2 / 2**9


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"test": "sign"}, "test must be 'wilcoxon' or 't' or 'randomization', got 'sign'"),
        ({"correction": "fdr"}, "correction must be 'none' or 'bonferroni' or 'holm' or 'bh'"),
        ({"confidence": 95}, "confidence must be above 0 and below 1, got 95"),
        ({"confidence": 0}, "confidence must be above 0 and below 1, got 0"),
        ({"confidence": float("nan")}, "confidence must be above 0 and below 1, got nan"),
        ({"confidence": "0.95"}, "confidence must be above 0 and below 1, got '0.95'"),
        ({"resamples": 998}, "resamples must be a whole number of at least 999, got 998"),
        ({"resamples": 100_001}, "resamples must be a whole number of at least 999 up to 100000"),
        ({"resamples": 1e4}, "resamples must be a whole number of at least 999, got 10000.0"),
        ({"seed": -1}, "seed must be a whole number of at least 0, got -1"),
        ({"seed": None}, "seed must be a whole number of at least 0, got None"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(options, said):
    with pytest.raises(StudyError) as raised:
        compare_scores(random_scores(n_runs=2, n_topics=2), **options)
    assert str(raised.value).startswith(said)


@pytest.mark.parametrize(
    ("options", "n_values"),
    [
        # 6 runs and 15 pairs, or 5 pairs with a baseline, by two measures.
        ({"confidence": 0.9}, 2 * (6 + 15)),
        ({"test": "randomization"}, 2 * 15),
        ({"test": "randomization", "confidence": 0.9}, 2 * (6 + 15 + 15)),
        ({"confidence": 0.9, "baselines": ["run0"]}, 2 * (6 + 5)),
    ],
)
def test_too_many_resamples_are_refused_before_anything_is_scored(options, n_values, monkeypatch):
    scores = random_scores(n_runs=6, n_topics=80)
    monkeypatch.setattr(comparing, "MOST_RESAMPLED", n_values * 1000 * 80)
    assert len(compare_scores(scores, resamples=1000, **options).pairs)
    said = (
        "comparing 6 runs by 2 measures with 1,100 resamples requires about 1.1 "
        r"times as much time as the limit permits; compare each run with one baseline only "
        r"\(baselines=\('RUN',\)\), or use fewer measures or resamples"
    )
    with pytest.raises(StudyError, match=said):
        compare_scores(scores, resamples=1100, **options)
    monkeypatch.setattr(comparing, "score", None)
    topics = {topic: {"a": 1} for topic in scores.topics}
    runs = dict.fromkeys(scores.runs, topics)
    with pytest.raises(StudyError, match=said):
        compare(topics, runs, ["AP", "R@5"], resamples=1100, **options)


def test_a_method_cannot_be_changed_and_is_what_was_asked_for():
    how = Method("t", 0.01, "bh", 0.9, 1999, 4)
    with pytest.raises(dataclasses.FrozenInstanceError):
        how.alpha = 0.5
    scores = random_scores(n_runs=2, n_topics=3)
    assert compare_scores(scores, **asdict(how)).how == how
    assert how.of_tests() == (
        "Student's paired t test at α = 0.01 with Benjamini and Hochberg's correction"
    )
    assert how.of_intervals() == (
        "90 % confidence intervals by the BCa bootstrap over topics, adjusted for the number of "
        "topics"
    )
    assert how.of_resamples() == "1,999 resamples, seed 4"
    assert Method().of_resamples() == ""


def test_the_picture_of_scores_has_a_bar_per_interval():
    values = random_scores(n_runs=4, n_topics=10, measures=("A", "B", "C")).values
    scores = scores_of(values / 2, ("A", "B", "C"))  # all of these fit into one panel
    found = compare_scores(scores, confidence=0.95)
    axes = sorted_scores(scores, (), found.intervals).axes[0]
    order = scores.order()
    expected = found.intervals[["low", "high"]].to_numpy().reshape(4, 3, 2)[order]
    bars = [[segment[:, 0] for segment in of.get_segments()] for of in axes.collections]
    assert np.array(bars) == pytest.approx(np.moveaxis(expected, 1, 0))
    for points, of in zip(axes.get_lines(), axes.collections, strict=True):
        heights = [segment[0, 1] for segment in of.get_segments()]
        assert points.get_ydata() == pytest.approx(heights)
        # All bars of a run are nearer to its name than to any other.
        assert np.round(heights).tolist() == [0, 1, 2, 3]
    assert not sorted_scores(scores).axes[0].collections


# --- The command. ----------------------------------------------------------------------------

PATENTS = EXAMPLES / "patents"
COMPARE = ["compare", "qrels.txt", "bm25.run.gz", "dense.run.gz", "-m", "PRES@100 R@100"]


def test_the_command_prints_the_intervals_of_the_function():
    qrels = read_qrels(PATENTS / "qrels.txt")
    runs = {name: read_run(PATENTS / name) for name in COMPARE[2:4]}
    found = compare(qrels, runs, ["PRES@100", "R@100"], **FULL, seed=3)
    result = pres_eval(
        *COMPARE, "--ci", "0.95", "--test", "randomization", "--resamples", "999", "--seed", "3",
        cwd=PATENTS,
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (0, "")
    for row in found.intervals.itertuples():
        assert f" {row.mean:.4f} [{row.low:.4f}, {row.high:.4f}]" in result.stdout
    for row in found.pairs.itertuples():
        assert f" {row.difference:.4f} [{row.low:.4f}, {row.high:.4f}]" in result.stdout
        assert f" {row.improved} " in result.stdout
    assert "(999 resamples, seed 3)" in result.stdout
    assert "bootstrap over topics, adjusted for the number of topics" in result.stdout
    assert "Differences are tested by Fisher's randomization test at α = 0.05." in result.stdout
    assert result.stdout.endswith(" Random draws: 999 resamples, seed 3.\n")


def test_seed_and_resamples_change_what_is_drawn():
    arguments = [*COMPARE, "--ci", "0.95", "--test", "randomization", "-p", "-1"]
    printed = [
        pres_eval(*arguments, *options, cwd=PATENTS).stdout
        for options in ([], ["--seed", "0"], ["--seed", "1"], ["--resamples", "1999"])
    ]
    assert printed[0] == printed[1]
    numbers = [re.findall(r"\[.*?\]", text) for text in printed]
    assert len(numbers[0]) == 6
    for i, j in ((0, 2), (0, 3), (2, 3)):
        assert not set(numbers[i]) & set(numbers[j])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--ci", "95"], "'95' is not a number above 0 and below 1"),
        (["--ci", ""], "'' is not a number above 0 and below 1"),
        (["--ci", "nan"], "'nan' is not a number above 0 and below 1"),
        (["--ci"], "requires an argument"),
        (["--resamples", "10"], "'10' is not a whole number from 999 to 100000"),
        (["--seed", "-1"], "'-1' is not a whole number from 0 to 3402823669"),
        (["--test", "sign"], "is not one of 'wilcoxon', 't', 'randomization'"),
        (["--correction", "fdr"], "is not one of 'none', 'bonferroni', 'holm', 'bh'"),
    ],
)
def test_the_command_refuses_options_that_cannot_be_meant(options, said):
    assert said in refused(*COMPARE, *options, cwd=PATENTS)
