"""Part of the judgements: which part, what becomes of the scores, how the runs order."""

import random

import ir_measures
import numpy as np
import pytest
from scipy import stats

from pres_plugin.study.inputs import StudyError
from pres_plugin.study.pictures.robustness import lowest_tau
from pres_plugin.study.ranks import RelevantDocuments
from pres_plugin.study.robustness import robustness, sample

FROM_RANKS = [
    "PRES@10",
    "PRES_est@3",
    "Rnorm(N=60)",
    "AP",
    "AP(rel=2)@10",
    "R@10",
    "WSS(N=60)",
    "WSS(N=60,rounding='nearest')@0.5",
    "TNR(N=60)@0.3",
]
NOT_FROM_RANKS = ["nDCG@10", "PRES(judged_only=True)@10", "RR"]


def collection(n_runs=6, n_topics=5, seed=0):
    rng = random.Random(seed)
    qrels = {f"q{t}": {f"d{i}": rng.randint(-1, 2) for i in range(25)} for t in range(n_topics)}
    qrels["none"] = {"d1": 0}
    runs = {
        f"run{r}": {
            topic: {f"d{i}": rng.randint(0, 9) for i in rng.sample(range(40), 25)}
            for topic in qrels
        }
        for r in range(n_runs)
    }
    return qrels, runs


def kept(qrels, fraction, seed):
    """The judgements that a sample leaves, the rest unjudged."""
    relevant = RelevantDocuments(qrels)
    keep = sample(relevant, fraction, seed)
    ids = [(topic, doc) for topic, docs in relevant.doc_ids.items() for doc in docs]
    chosen = {pair for pair, stays in zip(ids, keep, strict=True) if stays}
    return {
        topic: {doc: rel for doc, rel in docs.items() if rel < 1 or (topic, doc) in chosen}
        for topic, docs in qrels.items()
    }


def n_relevant(docs):
    return sum(relevance > 0 for relevance in docs.values())


@pytest.mark.parametrize("fraction", [0.01, 0.2, 0.5, 1])
def test_a_fraction_of_each_topic_is_kept_and_at_least_one(fraction):
    qrels, _ = collection()
    for topic, docs in kept(qrels, fraction, [0]).items():
        n = n_relevant(qrels[topic])
        assert n_relevant(docs) == (max(1, int(fraction * n + 0.5)) if n else 0)


def test_samples_depend_on_nothing_but_seed_and_ids():
    qrels, _ = collection()
    shuffled = {
        topic: dict(random.Random(topic).sample(list(qrels[topic].items()), len(qrels[topic])))
        for topic in reversed(list(qrels))
    }
    del shuffled["q2"]
    ours, theirs = kept(qrels, 0.4, [7]), kept(shuffled, 0.4, [7])
    assert all(theirs[topic] == ours[topic] for topic in theirs)
    assert kept(qrels, 0.4, [8]) != ours


def test_samples_are_the_same_on_any_machine():
    relevant = RelevantDocuments({"q": dict.fromkeys("abcdefghij", 1)})
    chosen = np.flatnonzero(sample(relevant, 0.3, [0, 1]))
    # Written down once, so that a change of random numbers anywhere is seen.
    assert "".join("abcdefghij"[i] for i in chosen) == "fgj"


def test_every_document_is_as_likely_to_be_kept():
    relevant = RelevantDocuments({"q": dict.fromkeys("abcde", 1)})
    counts = sum(sample(relevant, 0.4, [seed]).astype(int) for seed in range(2000))
    assert stats.chisquare(counts).pvalue > 0.001


@pytest.mark.parametrize(
    "names",
    [FROM_RANKS, NOT_FROM_RANKS, ["nDCG@10", "PRES@10", "Bpref", "AP"]],
    ids=["from ranks", "not from ranks", "both"],
)
def test_tau_is_that_of_the_frameworks_scores_with_fewer_judgements(names):
    qrels, runs = collection()
    found = robustness(qrels, iter(runs.items()), names, [0.3, 0.6], samples=2, seed=5)
    measures = [ir_measures.parse_measure(name) for name in names]
    assert found.measures == tuple(names)

    def scores(judgements):
        of_runs = [ir_measures.calc_aggregate(measures, judgements, run) for run in runs.values()]
        return np.round([[of_run[m] for m in measures] for of_run in of_runs], 12)

    full = scores(qrels)
    assert found.means == pytest.approx(full, abs=1e-9)
    taus = found.taus.set_index(["fraction", "sample", "measure"])["kendall_tau"]
    for fraction in (0.3, 0.6):
        for number in (1, 2):
            part = scores(kept(qrels, fraction, [5, number, round(fraction * 1_000_000)]))
            for m, measure in enumerate(found.measures):
                expected = stats.kendalltau(part[:, m], full[:, m]).statistic
                assert taus[fraction, number, measure] == pytest.approx(expected, nan_ok=True)


@pytest.mark.slow
def test_processes_change_nothing():
    qrels, runs = collection()
    alone = robustness(qrels, runs, ["PRES@10", "AP"], [0.5], seed=3)
    together = robustness(qrels, runs, ["PRES@10", "AP"], [0.5], seed=3, processes=2)
    assert together.taus.equals(alone.taus)


def test_the_table_is_laid_out_as_in_the_paper():
    qrels, runs = collection()
    found = robustness(qrels, runs, ["PRES@10", "AP"], [0.8, 0.4], samples=3)
    table = found.table()
    rows = list(zip(table["fraction"], table["sample"], strict=True))
    one = ["1", "2", "3", "average"]
    assert rows == [(f, s) for f in ("0.4", "0.8") for s in one] + [("all", "average")]
    averages = table[table["sample"] == "average"]["AP"].tolist()
    assert averages[0] == pytest.approx(table["AP"][:3].mean())
    assert averages[-1] == pytest.approx(sum(averages[:2]) / 2)
    assert found.lowest().loc[0.4, "AP"] == table["AP"][:3].min()


def test_each_fraction_and_measure_has_a_mean_and_a_range():
    qrels, runs = collection()
    found = robustness(qrels, runs, ["PRES@10", "AP"], [0.8, 0.4], samples=4)
    rows = found.by_fraction().itertuples(index=False, name=None)
    expected = []
    for fraction in (0.4, 0.8):
        for measure in ("PRES@10", "AP"):
            taus = found.taus.query("fraction == @fraction and measure == @measure")["kendall_tau"]
            assert len(taus) == 4
            expected.append((fraction, measure, min(taus), pytest.approx(sum(taus) / 4), max(taus)))
    assert list(rows) == expected
    by_sample = found.by_sample()
    assert list(by_sample.columns) == ["fraction", "sample", "PRES@10", "AP"]
    assert sorted(by_sample["AP"]) == sorted(found.taus.query("measure == 'AP'")["kendall_tau"])


def test_all_judgements_leave_the_order_as_it_is():
    qrels, runs = collection()
    found = robustness(qrels, runs, ["PRES@10"], [1.0], samples=1)
    assert found.taus["kendall_tau"].tolist() == pytest.approx([1.0])


def test_one_run_has_no_order_to_keep():
    qrels, runs = collection(n_runs=1)
    found = robustness(qrels, runs, ["PRES@10"], [0.5])
    assert found.taus["kendall_tau"].isna().all()
    lowest_tau(found)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"measures": ["nDCG(dcg='no')@10"]}, "measure .*nDCG.*: invalid param"),
        ({"measures": ["PRES"]}, "measure 'PRES': a cutoff is missing"),
        ({"measures": ["R"]}, "'R': cutoff is missing; write R@100"),
        ({"measures": ["Rnorm"]}, "measure 'Rnorm': the collection's size is missing"),
        ({"measures": ["Rnorm(N=9)"]}, r"run0: Rnorm\(N=9\): topic"),
        ({"fractions": []}, "no fraction is given"),
        ({"fractions": [0.0]}, "above 0 and at most 1, got 0"),
        ({"fractions": [1.5]}, "above 0 and at most 1, got 1.5"),
        ({"samples": 0}, "samples must be a positive whole number, got 0"),
        ({"seed": -1}, "seed must be a whole number of at least 0, got -1"),
    ],
)
def test_what_cannot_be_sampled_is_named(change, said):
    qrels, runs = collection(n_runs=2)
    with pytest.raises(StudyError, match=said):
        robustness(**{"qrels": qrels, "runs": runs, "measures": ["R@10"]} | change)


def test_the_picture_shows_the_lowest_tau_of_each_fraction():
    qrels, runs = collection()
    found = robustness(qrels, runs, ["PRES@10", "AP", "R@10"], [0.2, 0.6])
    (axes,) = lowest_tau(found).axes
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert list(lines) == ["PRES@10", "AP", "R@10"]
    for measure, line in lines.items():
        assert line.get_xdata().tolist() == [20, 60]
        every = found.taus[found.taus["measure"] == measure]
        for fraction, shown in zip((0.2, 0.6), line.get_ydata(), strict=True):
            assert shown == min(every[every["fraction"] == fraction]["kendall_tau"])
    assert len({(line.get_color(), line.get_marker()) for line in lines.values()}) == 3
    assert "Kendall" in axes.get_ylabel()
    assert "%" in axes.get_xlabel()
