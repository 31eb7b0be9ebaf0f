"""A small experiment, and what PRES is in it by definition."""

import random

import by_definition as definitions
import pandas as pd
import pytest

N_DOCS = 40
N_TOPICS = 8


@pytest.fixture
def topics():
    return pd.DataFrame(
        [(f"q{t}", f"query {t}") for t in range(N_TOPICS)], columns=["qid", "query"]
    )


@pytest.fixture
def qrels():
    """One to eight relevant documents a topic, two grades, and some judged irrelevant."""
    rng = random.Random(1)
    rows = []
    for t in range(N_TOPICS):
        judged = rng.sample(range(N_DOCS), t + 4)
        rows += [
            (f"q{t}", f"d{d}", rng.choice((1, 2)) if i <= t else 0) for i, d in enumerate(judged)
        ]
    return pd.DataFrame(rows, columns=["qid", "docno", "label"])


@pytest.fixture
def runs(qrels):
    """Three results, each better than the one before, of up to 30 documents with ties."""
    label = {(q, d): n for q, d, n in qrels.itertuples(index=False)}
    results = []
    for skill in (0, 2, 5):
        rng = random.Random(skill)
        rows = []
        for t in range(N_TOPICS):
            docs = rng.sample([f"d{d}" for d in range(N_DOCS)], 30)
            scored = [
                (d, float(rng.randrange(12) + skill * label.get((f"q{t}", d), 0))) for d in docs
            ]
            scored.sort(key=lambda pair: -pair[1])
            rows += [
                (f"q{t}", f"query {t}", d, score, rank) for rank, (d, score) in enumerate(scored)
            ]
        results.append(pd.DataFrame(rows, columns=["qid", "query", "docno", "score", "rank"]))
    return results


@pytest.fixture
def systems(runs):
    import pyterrier as pt

    return [pt.Transformer.from_df(run) for run in runs]


@pytest.fixture
def experiment(systems, topics, qrels):
    """pt.Experiment with some measures, on the small experiment where not told otherwise."""

    import pyterrier as pt

    def run(measures, **options):
        arguments = {"retr_systems": systems, "topics": topics, "qrels": qrels} | options
        if isinstance(arguments["retr_systems"], list):
            arguments.setdefault("names", list("ABC")[: len(arguments["retr_systems"])])
        return pt.Experiment(eval_metrics=measures, **arguments)

    return run


@pytest.fixture
def by_definition(runs, qrels):
    """PRES@20 of each system and topic."""
    judged = {q: dict(zip(g.docno, g.label, strict=True)) for q, g in qrels.groupby("qid")}
    return {
        (name, q): definitions.value("PRES@20", judged[q], dict(zip(g.docno, g.score, strict=True)))
        for name, run in zip("ABC", runs, strict=True)
        for q, g in run.groupby("qid")
    }


@pytest.fixture(scope="session")
def vaswani(data):
    """The folder of the Vaswani collection, with text, topics and qrels."""
    return data / "vaswani"
