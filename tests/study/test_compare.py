"""Comparing runs: differences, orderings, agreement, and what the pictures show."""

import math
import random
from itertools import pairwise, permutations, product

import ir_measures
import numpy as np
import pytest
from random_scores import random_scores
from scipy import stats

from pres_plugin.study import compare as comparing
from pres_plugin.study import orderings
from pres_plugin.study.compare import (
    AGREEMENTS,
    VERDICTS,
    compare,
    compare_scores,
)
from pres_plugin.study.explain import explain
from pres_plugin.study.inputs import StudyError
from pres_plugin.study.orderings import correlations, kendall_tau, tau_ap
from pres_plugin.study.pictures import compare as pictures
from pres_plugin.study.pictures.limits import COMPARED_PAIRS, COMPARED_RUNS
from pres_plugin.study.robustness import robustness
from pres_plugin.study.scoring import Scores, score
from pres_plugin.study.statistics.corrections import holm
from pres_plugin.study.statistics.method import Method
from pres_plugin.study.sweep import sweep

MEASURES = ["PRES@10", "AP@10", "R@10"]

# SIGIR 2010, Table 4: MAP, recall and PRES at 1000 of runs R01 … R48 of CLEF-IP 2009.
TABLE_4 = np.loadtxt(
    """
  .077 .530 .434 .087 .617 .499 .084 .609 .497 .053 .219 .213 .000 .020 .011 .000 .016 .009
  .000 .012 .007 .000 .016 .009 .071 .454 .369 .088 .533 .430 .087 .489 .404 .088 .534 .430
  .065 .508 .406 .068 .467 .363 .064 .434 .348 .020 .197 .148 .067 .584 .463 .033 .656 .490
  .105 .600 .529 .003 .051 .040 .266 .760 .691 .028 .256 .200 .087 .728 .603 .011 .069 .054
  .064 .492 .392 .084 .511 .431 .097 .514 .447 .091 .514 .442 .082 .436 .373 .092 .559 .469
  .081 .568 .460 .078 .476 .391 .085 .457 .379 .082 .427 .354 .114 .572 .496 .108 .553 .480
  .114 .572 .494 .107 .553 .479 .113 .575 .498 .107 .560 .483 .079 .547 .447 .103 .555 .466
  .091 .575 .475 .091 .574 .474 .106 .616 .507 .102 .611 .504 .104 .589 .484 .102 .587 .484
    """.splitlines(),
).reshape(48, 3)


def make_runs(n_runs, n_topics, n_docs=20, seed=0):
    """Judgements and runs of different quality, in which the relevant documents are d0 … d4."""
    rng = random.Random(seed)
    qrels = {f"q{t}": {f"d{i}": 1 for i in range(5)} for t in range(n_topics)}
    runs = {}
    for r in range(n_runs):
        runs[f"run{r}"] = {
            topic: {f"d{i}": rng.random() + (i < 5) * r / n_runs for i in range(n_docs)}
            for topic in qrels
        }
    return qrels, runs


@pytest.mark.parametrize(
    ("first", "second", "tau", "rho"),
    [(0, 1, 0.56, 0.71), (2, 1, 0.88, 0.97), (2, 0, 0.67, 0.81)],
    ids=["MAP-recall", "PRES-recall", "PRES-MAP"],
)
def test_the_papers_48_runs_correlate_as_printed(first, second, tau, rho):
    # Printed are 0.56, 0.87 and 0.66, from scores that were not rounded.
    (row,) = correlations(TABLE_4[:, [first, second]], ("a", "b")).to_dict("records")
    assert row["kendall_tau"] == pytest.approx(tau, abs=0.005)
    assert row["spearman_rho"] == pytest.approx(rho, abs=0.005)


def tau_ap_by_definition(scores, truth):
    """The mean over all orders of tied runs, pair by pair."""
    n, values = len(scores), []
    for order in permutations(range(n)):
        if any(scores[a] < scores[b] for a, b in pairwise(order)):
            continue
        total = 0.0
        for i in range(1, n):
            right = 0.0
            for above in order[:i]:
                if truth[above] == truth[order[i]]:
                    right += 1.0 if scores[above] == scores[order[i]] else 0.5
                else:
                    right += truth[above] > truth[order[i]]
            total += right / i
        values.append(2 * total / (n - 1) - 1)
    return sum(values) / len(values)


def test_tau_ap_is_that_of_its_definition():
    rng = random.Random(0)
    for n_values in (3, 100):
        for _ in range(60):
            n = rng.randint(2, 6)
            scores, truth = ([rng.randrange(n_values) for _ in range(n)] for _ in range(2))
            if len(set(scores)) > 1 and len(set(truth)) > 1:
                expected = tau_ap_by_definition(scores, truth)
                assert tau_ap(scores, truth) == pytest.approx(expected, abs=1e-12)


def test_orderings_that_are_the_same_have_tau_1_ties_or_not():
    for scores in ([3, 2, 1], [3, 2, 2, 1], [2, 2, 1, 1]):
        assert kendall_tau(scores, scores) == pytest.approx(1)
        assert tau_ap(scores, scores) == pytest.approx(1)
        opposite = [-score for score in scores]
        assert kendall_tau(scores, opposite) == pytest.approx(-1)


def test_scores_that_order_nothing_have_no_tau():
    assert math.isnan(kendall_tau([1, 1, 1], [1, 2, 3]))
    assert math.isnan(tau_ap([1, 2, 3], [1, 1, 1]))
    assert math.isnan(kendall_tau([1], [1]))


def test_scores_equal_but_for_rounding_tie():
    assert kendall_tau([0.1 + 0.2, 0.3, 0.4], [1, 1, 2]) == pytest.approx(1)


@pytest.mark.filterwarnings("ignore:Sample size too small")  # scipy up to 1.12
@pytest.mark.parametrize("test", ["wilcoxon", "t"])
@pytest.mark.parametrize("correction", ["none", "holm"])
def test_verdicts_are_those_of_scipy_pair_by_pair(test, correction):
    qrels, runs = make_runs(n_runs=6, n_topics=12)
    found = compare(qrels, runs, MEASURES, test=test, correction=correction)
    order = list(found.scores.table().index)
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    verdicts = {}
    for measure in MEASURES:
        values = {name: {} for name in runs}
        for name, run in runs.items():
            for m in ir_measures.iter_calc([ir_measures.parse_measure(measure)], qrels, run):
                values[name][m.query_id] = m.value
        p_values, signs = [], []
        for a, b in pairs:
            difference = np.round([values[a][q] - values[b][q] for q in qrels], 12)
            if not difference.any():
                p_values.append(1.0)
                signs.append(0)
            elif test == "t":
                p_values.append(stats.ttest_1samp(difference, 0).pvalue)
                signs.append(np.sign(difference.mean()))
            else:
                # Of the two one-sided tests, the one that is surer.
                changed = difference[difference != 0]
                greater, less = (
                    stats.wilcoxon(changed, alternative=a, method="approx").pvalue
                    for a in ("greater", "less")
                )
                p_values.append(wilcoxon(changed))
                signs.append(np.sign(less - greater))
        if correction == "holm":
            ordered = sorted(p_values)
            p_values = [
                min(1, max((len(pairs) - k) * q for k, q in enumerate(ordered) if q <= p))
                for p in p_values
            ]
        verdicts[measure] = [
            VERDICTS[2] if p >= 0.05 else VERDICTS[0] if s > 0 else VERDICTS[1]
            for p, s in zip(p_values, signs, strict=True)
        ]
    of_pair = found.pairs.pivot(index=["first", "second"], columns="measure", values="verdict")
    for measure in MEASURES:
        assert [of_pair.loc[pair, measure] for pair in pairs] == verdicts[measure]
        counts = [verdicts[measure].count(verdict) for verdict in VERDICTS[:3]]
        assert found.verdicts.loc[measure].tolist() == counts
    assert 0 < found.verdicts["no difference"].iloc[0] < len(pairs)
    for row in found.agreement.to_dict("records"):
        both = list(zip(verdicts[row["first"]], verdicts[row["second"]], strict=True))
        none = VERDICTS[2]
        expected = [
            sum(a == b != none for a, b in both),
            sum(a == b == none for a, b in both),
            sum(a != none == b for a, b in both),
            sum(a == none != b for a, b in both),
            sum(none not in (a, b) and a != b for a, b in both),
        ]
        assert [row[what] for what in AGREEMENTS] == expected


def wilcoxon(changed):
    """Return the p-value of Wilcoxon's test of differences other than 0, as in SciPy by default."""
    if len(set(abs(changed))) == len(changed):
        return stats.wilcoxon(changed, method="exact" if len(changed) <= 50 else "approx").pvalue
    if len(changed) > 13:
        return stats.wilcoxon(changed, method="approx").pvalue
    # Before version 1.15, SciPy does not compute this itself: the sums for all choices of signs.
    ranks = stats.rankdata(abs(changed))
    sums = np.array(list(product([0, 1], repeat=len(changed)))) @ ranks
    observed = ranks[changed > 0].sum()
    return min(1.0, 2 * min((sums >= observed).mean(), (sums <= observed).mean()))


def test_five_topics_with_equal_differences_are_too_few():
    values = np.zeros((2, 5, 1))
    values[0] = 0.5
    scores = Scores(("a", "b"), tuple("pqrst"), ("R@10",), values, values.mean(axis=1))
    (pair,) = compare_scores(scores).pairs.itertuples()
    assert (pair.p_value, pair.verdict) == (0.0625, "no difference")


def p_value_and_sign(differences, test):
    """Return the p-value of one pair, and which run is better: 1 (first), -1 (second), 0 (none)."""
    changed = differences[differences != 0]
    if len(changed) == 0 or (test == "t" and len(differences) == 1):
        return 1.0, 0
    if test == "t":
        return stats.ttest_1samp(differences, 0).pvalue, np.sign(differences.sum())
    ranks = stats.rankdata(abs(changed))
    return wilcoxon(changed), np.sign(sum(ranks * np.sign(changed)))


@pytest.mark.filterwarnings("ignore:Sample size too small", "ignore:Precision loss")
@pytest.mark.parametrize("test", ["wilcoxon", "t"])
@pytest.mark.parametrize(
    ("n_runs", "n_topics", "levels"),
    [(12, 1, None), (9, 2, 3), (8, 7, None), (8, 20, 3), (7, 50, None), (6, 51, None), (6, 90, 40)],
)
def test_p_values_are_those_of_each_pair_by_itself(n_runs, n_topics, levels, test, monkeypatch):
    monkeypatch.setattr(comparing, "_AT_ONCE", 10 * n_topics)  # several blocks of pairs
    scores = random_scores(n_runs, n_topics, levels)
    found = compare_scores(scores, test=test)
    assert len(found.pairs) == 2 * math.comb(n_runs, 2)
    for row in found.pairs.itertuples():
        first, second = scores.runs.index(row.first), scores.runs.index(row.second)
        m = scores.measures.index(row.measure)
        differences = (scores.values[first, :, m] - scores.values[second, :, m]).round(12)
        p_value, sign = p_value_and_sign(differences, test)
        assert row.p_value == pytest.approx(p_value, rel=1e-13, abs=1e-15)
        expected = VERDICTS[2] if p_value >= 0.05 else VERDICTS[0] if sign > 0 else VERDICTS[1]
        assert row.verdict == expected


@pytest.mark.parametrize("correction", ["none", "holm"])
def test_with_baselines_only_their_pairs_count(correction):
    scores = random_scores(n_runs=7, n_topics=15, levels=None)
    everything = compare_scores(scores).pairs
    p_value = {
        (frozenset((row.first, row.second)), row.measure): row.p_value
        for row in everything.itertuples()
    }
    found = compare_scores(scores, baselines=("run2", "run5", "run2"), correction=correction)
    assert found.baselines == ("run2", "run5")
    best = list(scores.table().index)
    expected = [(run, "run2") for run in best if run != "run2"]
    expected += [(run, "run5") for run in best if run not in {"run2", "run5"}]
    for measure in scores.measures:
        of_measure = found.pairs[found.pairs["measure"] == measure]
        pairs = list(zip(of_measure["first"], of_measure["second"], strict=True))
        assert pairs == expected
        alone = np.array([p_value[frozenset(pair), measure] for pair in pairs])
        if correction == "holm":
            alone = holm(alone)
        assert of_measure["p_value"].to_numpy() == pytest.approx(alone, abs=1e-15)
        counts = of_measure["verdict"].value_counts()
        assert found.verdicts.loc[measure].tolist() == [counts.get(v, 0) for v in VERDICTS[:3]]
        for row in of_measure.itertuples():
            m = scores.measures.index(measure)
            ahead = scores.means[scores.runs.index(row.first), m]
            ahead -= scores.means[scores.runs.index(row.second), m]
            if row.verdict != VERDICTS[2]:
                assert (ahead > 0) == (row.verdict == VERDICTS[0])
    assert found.agreement[list(AGREEMENTS)].sum(axis=1).tolist() == [len(expected)]
    assert set(found.pairs["verdict"]) == set(VERDICTS[:3])


@pytest.mark.parametrize(
    ("baselines", "said"),
    [
        (("runO",), r"baseline 'runO' is not among the runs \(run0, run1, run2, …\); did you mean"),
        (("run1", "bm25"), r"baseline 'bm25' is not among the runs \(run0, run1, run2, …\)$"),
        ((7,), "baseline 7 is not among the runs"),
        ((["run1"],), r"baseline \['run1'\] is not among the runs"),
        ("run1", "baselines must be several values, such as a list, got 'run1'"),
    ],
)
def test_a_baseline_must_be_the_name_of_a_run(baselines, said):
    qrels, runs = make_runs(n_runs=4, n_topics=2)
    for named in (runs, list(runs.items())):
        with pytest.raises(StudyError, match=said):
            compare(qrels, named, MEASURES, baselines=baselines)


def test_too_many_pairs_are_refused_before_anything_is_scored(monkeypatch):
    monkeypatch.setattr(comparing, "MOST_TESTS", 3 * 10)
    qrels, runs = make_runs(n_runs=6, n_topics=2)
    few = dict(list(runs.items())[:5])
    assert len(compare(qrels, few, MEASURES).pairs) == 30
    assert len(compare(qrels, runs, MEASURES[:2]).pairs) == 30
    for baselines in (["run1", "run0"], ["run1", "run0"] * 9):
        assert len(compare(qrels, runs, MEASURES, baselines=baselines).pairs) == 27
    said = (
        "comparing 6 runs by 3 measures requires 45 tests, more than the limit of 30; compare "
        r"each run with one baseline only \(baselines=\('RUN',\)\), or use fewer measures"
    )
    with pytest.raises(StudyError, match=said):
        compare(qrels, runs.items(), MEASURES)
    monkeypatch.setattr(comparing, "score", None)
    with pytest.raises(StudyError, match=said):
        compare(qrels, runs, MEASURES)


def test_a_thousand_runs_by_three_measures_are_not_too_many():
    comparing.check_size([str(i) for i in range(1000)], MEASURES, 50, (), Method())
    with pytest.raises(StudyError, match="1,001 runs by 3 measures"):
        comparing.check_size([str(i) for i in range(1001)], MEASURES, 50, (), Method())


def test_tau_ap_needs_not_all_pairs_at_once(monkeypatch):
    rng = np.random.default_rng(0)
    scores, truth = rng.integers(0, 20, (2, 60))
    at_once = tau_ap(scores, truth)
    monkeypatch.setattr(orderings, "_AT_ONCE", 130)
    assert tau_ap(scores, truth) == at_once


@pytest.mark.parametrize("test", ["wilcoxon", "t", "randomization"])
def test_runs_that_are_the_same_do_not_differ(test):
    qrels, runs = make_runs(n_runs=1, n_topics=5)
    found = compare(qrels, {"a": runs["run0"], "b": runs["run0"]}, MEASURES, test=test)
    assert set(found.pairs["verdict"]) == {"no difference"}
    assert found.pairs["p_value"].tolist() == [1.0] * 3
    assert found.agreement["no difference by either"].tolist() == [1, 1, 1]
    assert found.correlations["kendall_tau"].isna().all()
    for draw in (pictures.sorted_scores, pictures.rank_changes):
        draw(found.scores)
    pictures.agreement(found)


@pytest.mark.parametrize("test", ["wilcoxon", "t", "randomization"])
@pytest.mark.parametrize(("n_runs", "n_topics"), [(1, 5), (3, 1), (1, 1)])
def test_one_run_or_one_topic_can_be_compared(n_runs, n_topics, test):
    qrels, runs = make_runs(n_runs, n_topics)
    found = compare(qrels, runs, MEASURES, test=test, confidence=0.95)
    n_pairs = n_runs * (n_runs - 1) // 2
    assert len(found.pairs) == 3 * n_pairs
    assert found.verdicts["no difference"].tolist() == [n_pairs] * 3
    pictures.rank_changes(found.scores)
    pictures.agreement(found)


@pytest.mark.parametrize("test", ["wilcoxon", "t", "randomization"])
def test_a_difference_that_is_the_same_on_all_topics_is_seen(test):
    qrels = {f"q{t}": {"a": 1} for t in range(20)}
    runs = {
        "second": {topic: {"x": 2.0, "a": 1.0} for topic in qrels},
        "first": {topic: {"a": 1.0} for topic in qrels},
    }
    found = compare(qrels, runs, ["PRES@10", "R@10"], test=test)
    assert found.pairs[["first", "second", "verdict"]].to_numpy().tolist() == [
        ["first", "second", "first better"],
        ["first", "second", "no difference"],
    ]


def test_scores_and_means_are_the_frameworks():
    qrels, runs = make_runs(n_runs=3, n_topics=4)
    del runs["run1"]["q2"]
    found = score(qrels, iter(runs.items()), [*MEASURES, ir_measures.nDCG @ 5])
    for r, run in enumerate(runs.values()):
        results = ir_measures.calc(list(map(ir_measures.parse_measure, found.measures)), qrels, run)
        for m, measure in enumerate(found.measures):
            assert found.means[r, m] == results.aggregated[ir_measures.parse_measure(measure)]
        for metric in results.per_query:
            at = found.topics.index(metric.query_id), found.measures.index(str(metric.measure))
            assert found.values[(r, *at)] == metric.value


def test_runs_without_a_name_of_their_own_are_refused():
    qrels, runs = make_runs(n_runs=1, n_topics=1)
    pairs = [("same", runs["run0"]), ("same", runs["run0"])]
    with pytest.raises(StudyError, match="two runs are called same"):
        score(qrels, pairs, MEASURES)
    with pytest.raises(StudyError, match="no run is given"):
        score(qrels, {}, MEASURES)
    with pytest.raises(StudyError, match="'Foo' is unknown"):
        score(qrels, runs, ["Foo"])


def test_the_picture_of_scores_shows_each_score():
    qrels, runs = make_runs(n_runs=48, n_topics=3)
    scores = score(qrels, runs, MEASURES)
    (axes,) = pictures.sorted_scores(scores).axes
    table = scores.table()
    assert [label.get_text() for label in axes.get_yticklabels()] == list(table.index)
    for line, measure in zip(axes.get_lines(), MEASURES, strict=True):
        assert line.get_label() == measure
        assert line.get_xdata().tolist() == table[measure].tolist()
    assert axes.get_ylim() == (47.6, -0.6)  # the best on top
    assert "3 topics" in axes.get_xlabel()


def test_the_picture_of_places_has_a_line_a_run():
    qrels, runs = make_runs(n_runs=48, n_topics=3)
    scores = score(qrels, runs, MEASURES)
    axes = pictures.rank_changes(scores).axes[0]
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert lines.keys() == runs.keys()
    for r, name in enumerate(scores.runs):
        for m in range(len(MEASURES)):
            ahead = scores.means[:, m] - scores.means[r, m]
            better, equal = (ahead > 1e-9).sum(), (abs(ahead) < 1e-9).sum()
            assert lines[name].get_ydata()[m] == pytest.approx(better + (equal + 1) / 2)
    coloured = {name for name, line in lines.items() if line.get_color() != "#999999"}
    moved = {name: np.ptp(line.get_ydata()) for name, line in lines.items()}
    assert len(coloured) == 7
    assert min(moved[n] for n in coloured) >= max(moved[n] for n in moved if n not in coloured)


def test_the_picture_of_agreement_has_the_counts_as_areas():
    qrels, runs = make_runs(n_runs=6, n_topics=12)
    found = compare(qrels, runs, MEASURES)
    (axes,) = pictures.agreement(found).axes
    assert [c.get_label() for c in axes.containers] == list(AGREEMENTS)
    for bars, what in zip(axes.containers, AGREEMENTS, strict=True):
        assert [bar.get_width() * 15 / 100 for bar in bars] == pytest.approx(
            found.agreement[what].tolist()
        )


def test_pictures_of_many_runs_show_the_best_and_the_baselines():
    scores = random_scores(n_runs=400, n_topics=3, levels=None)
    best = list(scores.table().index)
    for baselines in ((), (best[-1], best[0])):
        shown = best[: COMPARED_RUNS - (best[-1] in baselines)] + list(baselines[:1])
        axes = pictures.sorted_scores(scores, baselines).axes[0]
        assert [label.get_text() for label in axes.get_yticklabels()] == shown
        assert f"{COMPARED_RUNS} of 400 runs" in axes.get_xlabel()
        axes = pictures.rank_changes(scores, baselines).axes[0]
        lines = {line.get_label(): line for line in axes.get_lines() if len(line.get_xdata()) == 2}
        assert set(shown) <= set(lines)
        assert f"{COMPARED_RUNS} of 400 runs" in axes.get_ylabel()
        for name in shown:
            means = scores.means[scores.runs.index(name)]
            expected = 1 + (scores.means > means).sum(axis=0)  # no two runs tie
            assert lines[name].get_ydata().tolist() == expected.tolist()
        assert axes.get_ylim()[0] >= max(line.get_ydata().max() for line in lines.values())


@pytest.mark.slow
def test_pictures_with_many_measures_can_be_drawn():
    scores = random_scores(n_runs=3, n_topics=3, levels=None)
    measures = tuple(f"nDCG@{i}" for i in range(1, 41))
    values = np.random.default_rng(0).random((3, 3, 40))
    scores = Scores(scores.runs, scores.topics, measures, values, values.mean(axis=1))
    found = compare_scores(scores)
    drawn = pictures.agreement(found)
    assert len(drawn.axes[0].get_yticks()) == COMPARED_PAIRS < len(found.agreement) == 780
    for figure in (drawn, pictures.sorted_scores(scores), pictures.rank_changes(scores)):
        figure.draw_without_rendering()
        assert figure.get_figheight() * 300 < 2**15


@pytest.mark.parametrize("study", [score, compare, robustness])
@pytest.mark.parametrize(("topic", "doc_id"), [("q", "a\udcff"), ("q\ud800", "a")])
def test_ids_that_utf_8_lacks_are_refused(study, topic, doc_id):
    qrels = {topic: {doc_id: 1}}
    with pytest.raises(StudyError, match=r"qrels: topic 'q.*cannot be written in UTF-8"):
        study(qrels, {"run": {topic: {doc_id: 1.0}}}, ["PRES@10"])
    with pytest.raises(StudyError, match="cannot be written in UTF-8"):
        explain(qrels, {"run": {topic: {doc_id: 1.0}}}, topic, 10)


def test_cutoffs_that_trec_eval_sorts_wrongly_are_computed_alone():
    qrels = {"q": {"a": 1, "b": 1}}
    runs = {"run": {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}}
    cutoffs = [2, 3 * 10**9, 5, 2**31 - 1, 2**31, 4 * 10**9, 1]
    found = score(qrels, runs, [f"{name}@{k}" for name in ("P", "R") for k in cutoffs])
    precision, recall = found.means.reshape(2, -1).tolist()
    assert precision == pytest.approx([min(2, max(0, k - 1)) / k for k in cutoffs])
    assert recall == pytest.approx([min(2, max(0, k - 1)) / 2 for k in cutoffs])
    swept = sweep(qrels, runs, ["P"], cutoffs)
    assert swept.values[0, 0].tolist() == [
        p for _, p in sorted(zip(cutoffs, precision, strict=True))
    ]
