"""Real runs with complete judgements, as they were submitted.

Scores that do not fall with rank, are all 0 or tie in blocks; white space of
all kinds; truncated runs, runs that miss topics and one with repeated
documents: CLEF 2017 eHealth, technologically assisted reviews.
"""

import csv
import gzip
import random
from collections import defaultdict

import ir_measures
import numpy as np
import pytest
from ir_measures import AP, PRES, PRES_est, R, Rnorm
from repetitions import every
from sklearn.metrics import roc_auc_score

from pres_plugin import average_precision, relevant_ranks, rnorm
from pres_plugin.formats import read_qrels, read_run
from pres_plugin.ranking.dicts import rank
from pres_plugin.ranking.inputs import Judgements

pytestmark = pytest.mark.xdist_group("CLEF")

LEVELS = ["abstract", "content"]
each_level = pytest.mark.parametrize("level", every(2, LEVELS))
N_RUNS = 17


@pytest.fixture(scope="module")
def qrels(clef_tar):
    return {level: read_qrels(str(clef_tar / f"qrels.{level}.txt.gz")) for level in LEVELS}


@pytest.fixture(scope="module")
def runs(clef_tar):
    paths = sorted((clef_tar / "runs").iterdir())
    return {p.name.removesuffix(".gz"): read_run(str(p), duplicates="last") for p in paths}


def per_topic(measures, qrels, run):
    values = defaultdict(dict)
    for metric in ir_measures.iter_calc(measures, qrels, run):
        values[metric.query_id][metric.measure] = metric.value
    return values


@each_level
@pytest.mark.parametrize("n_max", [10, 100])
def test_pres_of_real_runs_follows_from_recall(qrels, runs, level, n_max):
    recalls = [R @ k for k in range(1, n_max + 1)]
    pres, pres_est = PRES @ n_max, PRES_est @ n_max
    compared = 0
    for run in runs.values():
        for query_id, values in per_topic([pres, pres_est, *recalls], qrels[level], run).items():
            n = sum(relevance > 0 for relevance in qrels[level][query_id].values())
            r = values[recalls[-1]]
            expected = (sum(values[m] for m in recalls) + r * (n * r - 1) / 2) / n_max
            assert values[pres] == pytest.approx(expected, abs=1e-9)
            assert values[pres_est] == pytest.approx(expected * max(1, n / n_max), abs=1e-9)
            compared += 1
    assert compared == N_RUNS * len(qrels[level])


def test_ranks_in_real_runs_give_the_frameworks_ap_and_recall(qrels, runs):
    relevant = Judgements(qrels["abstract"]).at_least(1)
    measures = [AP, AP @ 50, R @ 50]
    for run in runs.values():
        topics = {query_id: docs for query_id, docs in run.items() if query_id in relevant}
        table = rank(topics, relevant)
        values = per_topic(measures, qrels["abstract"], run)
        for i, query_id in enumerate(topics):
            ranks, n = table.ranks[table.starts[i] : table.starts[i + 1]], table.n[i]
            of_topic = values[query_id]
            assert average_precision(ranks, n) == pytest.approx(of_topic[AP], abs=1e-9)
            assert average_precision(ranks, n, 50) == pytest.approx(of_topic[AP @ 50], abs=1e-9)
            assert sum(ranks <= 50) / max(n, 1) == pytest.approx(of_topic[R @ 50], abs=1e-9)


def tie_free(docs):
    """The same order as trec_eval's, by scores that differ."""
    with np.errstate(over="ignore"):
        ranking = sorted(docs, key=lambda doc_id: (np.float32(docs[doc_id]), doc_id))
    return {doc_id: i for i, doc_id in enumerate(ranking)}


@each_level
def test_rnorm_of_full_rankings_is_the_area_under_the_roc_curve(qrels, runs, level):
    measure = Rnorm(judged_only=True)
    compared = 0
    for run in runs.values():
        values = per_topic([measure], qrels[level], run)
        for query_id, judged in qrels[level].items():
            docs = run.get(query_id, {})
            relevant = [judged[doc_id] > 0 for doc_id in judged]
            if not judged.keys() <= docs.keys() or len(set(relevant)) < 2:
                continue
            order = tie_free(docs)
            auc = roc_auc_score(relevant, [order[doc_id] for doc_id in judged])
            assert values[query_id][measure] == pytest.approx(auc, abs=1e-12)
            compared += 1
    assert compared > 100


def test_rnorm_of_a_random_full_ranking_is_the_area_under_the_roc_curve():
    rng = random.Random(0)
    for n_docs in (2, 10, 500):
        scores = rng.sample(range(10**6), n_docs)
        relevant = [1, 0] + [rng.randint(0, 1) for _ in range(n_docs - 2)]
        ranking = sorted(range(n_docs), key=scores.__getitem__, reverse=True)
        ranks = relevant_ranks(ranking, {i for i in range(n_docs) if relevant[i]})
        score = rnorm(ranks, sum(relevant), n_docs)
        assert score == pytest.approx(roc_auc_score(relevant, scores), abs=1e-12)


def in_line_order(path):
    """Of each topic, the documents in the order of the file's lines, as the organisers rank."""
    topics = defaultdict(list)
    with gzip.open(path, "rt") as file:
        for line in file:
            query_id, _, doc_id, *_ = line.split()
            topics[query_id].append(doc_id)
    return topics


def normalised_area(ranks, n_relevant, n_docs):
    """The organisers' measure, from the ranks of the relevant documents retrieved."""
    area = sum(n_docs - rank + 0.5 for rank in ranks)
    return area / (n_relevant * n_docs - n_relevant**2 / 2)


def test_published_scores_are_reproduced(clef_tar, qrels):
    with (clef_tar / "official.tsv").open() as file:
        published = list(csv.DictReader(file, delimiter="\t"))
    lines = {}
    compared = complete = 0
    for row in published:
        if row["run"] not in lines:
            lines[row["run"]] = in_line_order(clef_tar / "runs" / f"{row['run']}.gz")
        documents = list(dict.fromkeys(lines[row["run"]][row["topic"]]))
        assert len(documents) == int(row["num_shown"])
        judged = qrels[row["level"]][row["topic"]]
        n = int(row["num_rels"])
        n_docs = max(int(row["num_docs"]), int(row["num_shown"]))
        relevant = {doc_id for doc_id, relevance in judged.items() if relevance > 0}
        ranks = relevant_ranks(documents, relevant)
        assert len(ranks) == int(row["rels_found"])
        assert len(relevant) == n
        assert average_precision(ranks, n) == pytest.approx(float(row["ap"]), abs=0.00051)
        area = float(row["norm_area"])
        assert normalised_area(ranks, n, n_docs) == pytest.approx(area, abs=0.00051)
        compared += 1
        if len(ranks) == n < n_docs:
            # All found: the area tells Σr, and Σr tells Rnorm, as closely as it is printed.
            scale = n * n_docs - n * n / 2
            rank_sum = n * n_docs + n / 2 - area * scale
            implied = 1 - (rank_sum - n * (n + 1) / 2) / (n * (n_docs - n))
            assert rnorm(ranks, n, n_docs) == pytest.approx(
                implied, abs=0.00051 * scale / (n * (n_docs - n))
            )
            complete += 1
    assert compared == len(published) == 666
    assert complete > 300
