"""Real runs with complete judgements, scored in ranx: topic by topic against its own metrics."""

import gzip

import numpy as np
import pytest

ranx = pytest.importorskip("ranx", reason="ranx is not installed")

from ranx import Qrels, Run, compare, evaluate  # noqa: E402

from pres_plugin.adapters.ranx.native.hits import rank  # noqa: E402
from pres_plugin.kernel import topics  # noqa: E402
from pres_plugin.measures import AP, R  # noqa: E402

pytestmark = [
    pytest.mark.xdist_group("ranx"),
    # What ranx's own metrics say when they get compiled.
    pytest.mark.filterwarnings(
        r"ignore:unsafe cast from uint64 to int64:Warning:.*ranx.(metrics|statistical_tests)"
    ),
]

LEVELS = ["abstract", pytest.param("content", marks=pytest.mark.release)]
N_RUNS, N_TOPICS = 17, 30


def read(path, value, column):
    """Return the value in a column of each document, by topic. The last line of a document counts.

    A letter is added to each id so that it is as long as in the other tests of ranx, and numba
    need not compile ranx again.
    """
    of_topic = {}
    with gzip.open(path, "rt") as lines:
        for fields in map(str.split, lines):
            of_topic.setdefault(fields[0], {})[f"M{fields[2]}"] = value(fields[column])
    return of_topic


@pytest.fixture(scope="module", params=LEVELS)
def qrels(request, clef_tar):
    return read(clef_tar / f"qrels.{request.param}.txt.gz", int, 3)


@pytest.fixture(scope="module")
def runs(clef_tar):
    paths = sorted((clef_tar / "runs").iterdir())
    return {path.name.removesuffix(".gz"): read(path, float, 4) for path in paths}


@pytest.fixture(scope="module")
def scored(qrels, runs):
    """Of each run, the collection in ranx's form and the scores of the topics that it has."""
    return {name: Scored(qrels, run) for name, run in runs.items()}


class Scored:
    """A run and the judgements of its topics, in ranx's order of topics."""

    def __init__(self, qrels, run):
        self.topics = sorted(qrels.keys() & run.keys())
        self.qrels = {topic: qrels[topic] for topic in self.topics}
        self.run = {topic: run[topic] for topic in self.topics}
        self.as_qrels, self.as_run = Qrels(self.qrels), Run(self.run)
        self.n = np.array([sum(r > 0 for r in self.qrels[t].values()) for t in self.topics])

    def scores(self, metrics):
        return evaluate(self.as_qrels, self.as_run, [*metrics, "map"], return_mean=False)


def test_pres_of_real_runs_follows_from_recall(scored):
    recalls = [f"recall@{k}" for k in range(1, 101)]
    compared = 0
    for of_run in scored.values():
        scores = of_run.scores([*recalls, "pres@10", "pres@100", "pres_est@10"])
        for n_max in (10, 100):
            r = scores[recalls[n_max - 1]]
            curve = sum(scores[m] for m in recalls[:n_max])
            expected = (curve + r * (of_run.n * r - 1) / 2) / n_max
            assert scores[f"pres@{n_max}"] == pytest.approx(expected, abs=1e-12)
            if n_max == 10:
                best = np.minimum(1, n_max / np.maximum(of_run.n, 1))
                assert scores["pres_est@10"] == pytest.approx(expected / best, abs=1e-12)
        compared += len(of_run.topics)
    assert len(scored) == N_RUNS
    assert compared > 0.9 * N_RUNS * N_TOPICS


def test_ranks_in_real_runs_give_the_frameworks_map_and_recall(scored):
    for of_run in scored.values():
        scores = of_run.scores(["map@50", "recall@50", "map@1000", "recall"])
        found, _ = rank(of_run.as_qrels.to_typed_list(), of_run.as_run.to_typed_list(), 0, 1)
        for name, k in (("map", None), ("map@50", 50), ("map@1000", 1000)):
            ap = topics.score(AP.declaration.formula, found, k)
            assert ap == pytest.approx(scores[name], abs=1e-12)
        for name, k in (("recall", None), ("recall@50", 50)):
            recall = topics.score(R.declaration.formula, found, k)
            assert recall == pytest.approx(scores[name], abs=1e-12)


def test_where_no_scores_tie_real_runs_score_as_in_ir_measures(scored):
    ir_measures = pytest.importorskip("ir_measures", reason="ir-measures is not installed")
    pairs = {
        "pres@10": "PRES@10",
        "pres@1000": "PRES@1000",
        "pres_est@10": "PRES_est@10",
        "rnorm.20000": "Rnorm(N=20000)",
        "rnorm.20000@100": "Rnorm(N=20000)@100",
    }
    measures = {name: ir_measures.parse_measure(theirs) for name, theirs in pairs.items()}
    compared = 0
    for of_run in scored.values():
        scores = of_run.scores(pairs)
        expected = {
            (m.query_id, m.measure): m.value
            for m in ir_measures.iter_calc(measures.values(), of_run.qrels, of_run.run)
        }
        for i, topic in enumerate(of_run.topics):
            # ir-measures compares scores as 32-bit floats.
            values = np.array(list(of_run.run[topic].values()), dtype=np.float32)
            if len(np.unique(values)) < len(values):
                continue
            for name, measure in measures.items():
                assert scores[name][i] == pytest.approx(expected[topic, measure], abs=1e-12)
            compared += 1
    assert compared > 100


@pytest.mark.release
def test_runs_that_miss_topics_can_be_made_comparable(qrels, runs):
    some_lack = 0
    for run in runs.values():
        of_run = Run(run)
        lacking = [i for i, topic in enumerate(sorted(qrels)) if topic not in run]
        scores = evaluate(
            Qrels(qrels), of_run, ["pres@100", "map"], return_mean=False, make_comparable=True
        )
        assert scores["pres@100"].shape == scores["map"].shape == (N_TOPICS,)
        assert (scores["pres@100"][lacking] == 0).all()
        some_lack += len(lacking)
    assert some_lack


def test_the_two_identical_runs_compare_as_ties(scored):
    one, two = scored["iiit.run1"], scored["iiit.run2"]
    one.as_run.name, two.as_run.name = "one", "two"
    metrics = ["pres@100", "pres_est@10", "rnorm.20000@1000"]
    report = compare(one.as_qrels, [one.as_run, two.as_run], metrics, stat_test="tukey")
    for name in metrics:
        ties = {"W": 0, "T": len(one.topics), "L": 0}
        assert report.win_tie_loss["one", "two"][name] == ties
        assert report.comparisons["one", "two"][name]["p_value"] == 1.0
