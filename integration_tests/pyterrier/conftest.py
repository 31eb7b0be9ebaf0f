"""A small experiment."""

import random

import pandas as pd
import pytest

TOPICS = [f"q{t}" for t in range(8)]
DOCS = [f"d{d}" for d in range(40)]


@pytest.fixture
def topics():
    return pd.DataFrame({"qid": TOPICS, "query": "valve"})


@pytest.fixture
def qrels():
    """One to eight relevant documents per topic, two grades, and some judged irrelevant."""
    rng = random.Random(1)
    rows = [
        (topic, doc, rng.choice((1, 2)) if i <= t else 0)
        for t, topic in enumerate(TOPICS)
        for i, doc in enumerate(rng.sample(DOCS, t + 4))
    ]
    return pd.DataFrame(rows, columns=["qid", "docno", "label"])


@pytest.fixture
def runs(qrels):
    """Three results, each better than the one before, of 30 documents with ties."""
    import pyterrier as pt

    label = {(q, d): n for q, d, n in qrels.itertuples(index=False)}
    results = []
    for skill in (0, 2, 5):
        rng = random.Random(skill)
        rows = [
            (topic, "valve", doc, float(rng.randrange(12) + skill * label.get((topic, doc), 0)))
            for topic in TOPICS
            for doc in rng.sample(DOCS, 30)
        ]
        frame = pd.DataFrame(rows, columns=["qid", "query", "docno", "score"])
        results.append(pt.model.add_ranks(frame))
    return results


@pytest.fixture
def systems(runs):
    import pyterrier as pt

    return [pt.Transformer.from_df(run) for run in runs]


@pytest.fixture
def experiment(systems, topics, qrels):
    """pt.Experiment with some measures, of the systems if no others are given."""
    import pyterrier as pt

    def run(measures, retr_systems=systems, **options):
        return pt.Experiment(retr_systems, topics, qrels, measures, **options)

    return run
