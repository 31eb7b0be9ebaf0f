"""PRES from the framework's own recall, and its AP and recall from our ranks.

PRES@Nmax = [Σ R@k over k = 1 … Nmax + R(nR-1)/2] / Nmax, with R = R@Nmax,
needs no rank, so it checks the ranks that PRES is computed from.
"""

import random
from collections import defaultdict

import ir_measures
import pytest
from ir_measures import AP, PRES, PRES_est, R

from pres_plugin import average_precision, recall
from pres_plugin.ranking.dicts import rank
from pres_plugin.ranking.inputs import Judgements


def per_topic(measures, qrels, run):
    values = defaultdict(dict)
    for metric in ir_measures.iter_calc(measures, qrels, run):
        values[metric.query_id][metric.measure] = metric.value
    return values


def check_pres_against_recall(qrels, run, n_max, rel=1, judged_only=False):
    """Compare topic by topic, and return how many topics that were."""
    pres = PRES(rel=rel, judged_only=judged_only) @ n_max
    pres_est = PRES_est(rel=rel, judged_only=judged_only) @ n_max
    recalls = [R(rel=rel, judged_only=judged_only) @ k for k in range(1, n_max + 1)]
    for query_id, values in per_topic([pres, pres_est, *recalls], qrels, run).items():
        n = sum(relevance >= rel for relevance in qrels[query_id].values())
        r = values[recalls[-1]]
        expected = (sum(values[m] for m in recalls) + r * (n * r - 1) / 2) / n_max
        assert values[pres] == pytest.approx(expected, abs=1e-9)
        assert values[pres_est] == pytest.approx(expected * max(1, n / n_max), abs=1e-9)
    return len(qrels)


def check_ranks_against_ap_and_recall(qrels, run, n_max, rel=1):
    """Score our ranks with the kernel, and compare with the framework, topic by topic."""
    ap, ap_cut, r = AP(rel=rel), AP(rel=rel) @ n_max, R(rel=rel) @ n_max
    relevant = Judgements(qrels).at_least(rel)
    judged = {query_id: docs for query_id, docs in run.items() if query_id in qrels}
    table = rank(judged, relevant)
    values = per_topic([ap, ap_cut, r], qrels, judged)
    for i, query_id in enumerate(judged):
        ranks, n = table.ranks[table.starts[i] : table.starts[i + 1]], table.n[i]
        of_topic = values[query_id]
        assert average_precision(ranks, n) == pytest.approx(of_topic[ap], abs=1e-9)
        assert average_precision(ranks, n, n_max) == pytest.approx(of_topic[ap_cut], abs=1e-9)
        assert recall(ranks, n, n_max) == pytest.approx(of_topic[r], abs=1e-9)
    return len(judged)


def random_collection(rng, n_topics):
    """Topics of all sizes, full of ties, unjudged documents and negative judgements."""
    # Ids of several lengths and alphabets, so that their order matters.
    doc_ids = [f"{rng.choice('aZé9-')}{i}" for i in range(120)]
    scores = [0.0, 1.0, 1.0 + 1e-9, 1e-30, 5e300, float("inf")] + [rng.random() for _ in range(9)]
    qrels, run = {}, {}
    for topic in map(str, range(n_topics)):
        judged = rng.sample(doc_ids, rng.randint(0, 60))
        qrels[topic] = {doc_id: rng.choice([-1, 0, 0, 1, 2]) for doc_id in judged}
        retrieved = rng.sample(doc_ids, rng.randint(1, 100))
        run[topic] = {doc_id: rng.choice(scores) for doc_id in retrieved}
    return qrels, run


@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize("n_max", [1, 7, 100])
def test_pres_of_thousands_of_random_rankings_follows_from_recall(n_max, rel, judged_only):
    # Each topic takes as many values of recall as Nmax.
    n_topics = 300 if n_max == 100 else 1500
    qrels, run = random_collection(random.Random(f"{n_max} {rel} {judged_only}"), n_topics)
    assert check_pres_against_recall(qrels, run, n_max, rel, judged_only) == n_topics


@pytest.mark.parametrize("rel", [1, 2])
def test_ranks_of_thousands_of_random_rankings_give_the_frameworks_ap_and_recall(rel):
    qrels, run = random_collection(random.Random(rel), n_topics=3000)
    assert check_ranks_against_ap_and_recall(qrels, run, n_max=20, rel=rel) == 3000


def test_repeated_documents_are_resolved_as_for_recall():
    rng = random.Random(5)
    qrels, run = random_collection(rng, n_topics=300)
    rows = [
        ir_measures.ScoredDoc(topic, doc_id, score)
        for topic, docs in run.items()
        for doc_id, score in [*docs.items(), *rng.sample(list(docs.items()), len(docs) // 3)]
    ]
    repeated = [row._replace(score=rng.choice([0.0, 1.0, 2.0])) for row in rng.sample(rows, 5000)]
    rows = rng.sample(rows + repeated, len(rows) + len(repeated))
    recalls = [R @ k for k in range(1, 31)]
    for query_id, values in per_topic([PRES @ 30, *recalls], qrels, rows).items():
        n = sum(relevance > 0 for relevance in qrels[query_id].values())
        r = values[R @ 30]
        expected = (sum(values[m] for m in recalls) + r * (n * r - 1) / 2) / 30
        assert values[PRES @ 30] == pytest.approx(expected, abs=1e-9)
