"""Topics that show where interfaces differ, as tables of Arrow, and what they score.

``integration_tests/test_contract.py`` scores them in every interface, and tests of dataframes
add what is special there.
"""

import random

import by_definition
import pyarrow as pa
import pytest
from written import rows_of

MEASURES = [
    *("PRES@1", "PRES@3", "PRES@100", "PRES@10000000000", "PRES(rel=2)@3"),
    *("PRES(judged_only=True)@3", "PRES(rel=2,judged_only=True)@100"),
    *("PRES_est@1", "PRES_est@3", "PRES_est(rel=2)@1", "PRES_est(judged_only=True)@2"),
    *("Rnorm(N=500)", "Rnorm(N=500)@2", "Rnorm(rel=2,N=10000000000)", "Rnorm(N=500)@1000"),
    *("Rnorm(judged_only=True)", "Rnorm(judged_only=True)@2", "Rnorm(rel=2,judged_only=True)"),
    *("AP", "AP@2", "AP(rel=2)", "AP(rel=2)@100", "AP(judged_only=True)@3"),
    *("R@2", "R@1000", "R(rel=2)@3", "R(judged_only=True)@3"),
    *("WSS(N=500)", "WSS(N=500)@0.5", "WSS(N=500,rounding='nearest')@0.5", "WSS(rel=2,N=1000)@1"),
    *("WSS(judged_only=True)", "WSS(rel=2,judged_only=True,rounding='nearest')@0.3"),
    *("TNR(N=500)", "TNR(N=500)@0.5", "TNR(N=500,rounding='nearest')@0.5"),
    *("TNR(judged_only=True)", "TNR(rel=2,judged_only=True)@1"),
    *("Effort(N=500)", "Effort(rel=2,N=10000000000)@0.5", "Effort(N=500,rounding='nearest')@0.5"),
    *("Effort(judged_only=True)", "Effort(rel=2,judged_only=True)@1"),
    *("LastRel", "LastRel@2", "LastRel(rel=2)", "LastRel(judged_only=True)@3"),
]

# In UTF-16 the last of these comes before the one above it; a collation may
# take no notice of case or accents.
IDS = ["10", "9", "A", "B", "a", "a'b\"c", "b", "e\u0301", "z", "é", "～", "𐀀"]

# Half-way between the largest 32-bit float and what would be the next.
OVERFLOW = float(2**128 - 2**103)
SCORES = {
    "ties": dict.fromkeys(IDS, 1.5),
    "ties of all but one": dict.fromkeys(IDS, -1.5) | {"a": 3.0},
    "equal in 32 bits": {"a": 1 + 1e-12, "b": 1.0, "c": 1 - 1e-12, "d": 1 + 1e-6},
    "zeros": {"a": 0.0, "b": -0.0, "c": 0.0, "d": -0.0, "e": 1e-46, "f": -1e-46},
    "small": {"a": 1e-45, "b": 1.4e-45, "c": 3e-45, "d": 1e-38, "e": 1e-310, "f": -1e-45},
    "large": {"a": 1e300, "b": 1e39, "c": float("inf"), "d": 3e38, "e": 1e301},
    "low": {"a": -1e300, "b": -1e39, "c": float("-inf"), "d": -3e38, "e": -1e301},
    "largest": {"a": OVERFLOW, "b": 1.5 * OVERFLOW, "c": OVERFLOW * (1 - 1e-16), "d": 3.4e38},
    "lowest": {"a": -OVERFLOW, "b": -9e99, "c": -OVERFLOW * (1 - 1e-16), "d": -3.4e38},
}


def collection(seed=0):
    """Qrels and a run by topic: each of SCORES with every document relevant in turn, and more."""
    rng = random.Random(seed)
    qrels, run = {}, {}
    for name, docs in SCORES.items():
        for i, doc_id in enumerate(docs):
            topic = f"{name.replace(' ', '-')}-{i}"
            run[topic] = docs
            qrels[topic] = {doc_id: 2, "missed": 1, rng.choice(IDS) + "!": 0}
            for other in rng.sample(sorted(docs.keys() - {doc_id}), 2):
                qrels[topic][other] = rng.choice([-2, -1, 0, 1, 3])
    for i in range(30):
        judged, retrieved = rng.sample(range(80), rng.randint(1, 50)), rng.sample(range(80), 60)
        scores = [0.0, 1.0, 1 + 1e-9, *(rng.random() for _ in range(9))]
        qrels[f"random-{i}"] = {f"d{d}": rng.choice([-1, 0, 0, 1, 2]) for d in judged}
        run[f"random-{i}"] = {f"d{d}": rng.choice(scores) for d in retrieved}
    # Topics that differ by case, that sort otherwise in UTF-16.
    for topic in ("Case", "case", "～", "𐀀", "e\u0301", "é"):
        qrels[topic] = {rng.choice("ab"): 1, "c": 0, "d": 2}
        run[topic] = {"a": rng.random(), "b": rng.random(), "c": 0.5}
    qrels |= {
        "not-in-the-run": {"a": 1, "b": 0},
        "nothing-relevant": {"a": 0, "b": -1},
        "nothing-relevant-and-not-in-the-run": {"a": 0},
        "all-judged-are-relevant": {"a": 1, "b": 2},
        "all-judged-are-relevant-and-not-in-the-run": {"a": 1, "b": 2},
        "all-judged-are-relevant-and-none-was-found": {"a": 1, "b": 2},
        "found-nothing-relevant": {"a": 2, "b": 0},
        "found-nothing-judged": {"a": 2, "b": 0},
    }
    run |= {
        "not-in-the-qrels": {"a": 1.0, "b": 1.0},
        "nothing-relevant": {"a": 1.0, "c": 0.5},
        "all-judged-are-relevant": {"c": 3.0, "a": 2.0, "b": 1.0},
        "all-judged-are-relevant-and-none-was-found": {"c": 3.0},
        "found-nothing-relevant": {"b": 2.0, "c": 2.0},
        "found-nothing-judged": {"c": 2.0},
    }
    return qrels, run


def run_table(run, score=None, **others):
    """The run, given by topic or as rows, as a table with its rows shuffled."""
    rows = run if isinstance(run, list) else rows_of(run)
    return _table(rows, "score", score or pa.float64(), others)


def qrels_table(qrels, relevance=None, **others):
    return _table(rows_of(qrels), "relevance", relevance or pa.int64(), others)


def _table(rows, name, kind, others):
    rows = random.Random(len(rows)).sample(rows, len(rows))
    query_ids, doc_ids, values = zip(*rows, strict=True) if rows else ((), (), ())
    if pa.types.is_floating(kind):
        values = list(map(float, values))
    return pa.table(
        {
            "query_id": pa.array(query_ids, pa.string()),
            "doc_id": pa.array(doc_ids, pa.string()),
            name: pa.array(values, kind if pa.types.is_integer(kind) else None).cast(kind),
            **{other: [value] * len(rows) for other, value in others.items()},
        }
    )


def ranks_table(run):
    """The run with the ranks that its scores give, in place of them."""
    return gapped_table({}, run, kept=1)


def gapped_table(qrels, run, first=1, kept=0.3):
    """The ranks of the run from `first`, without many of its unjudged documents."""
    rng, rows = random.Random(first), []
    for topic, docs in run.items():
        judged, order = qrels.get(topic, {}), by_definition.ranking(docs)
        # The last rank states how many documents there are, and the first how ranks are counted.
        needed = {*judged, order[0], order[-1]} if order else ()
        rows += [
            (topic, doc, rank)
            for rank, doc in enumerate(order, first)
            if doc in needed or rng.random() < kept
        ]
    return _table(rows, "rank", pa.int64(), {})


def expected(measures, qrels, run):
    """By topic and measure, what the definitions say."""
    values = by_definition.values(measures, qrels, run)
    return {key: value for key, value in values.items() if key[0] != "all"}


def check(rows, values, *key):
    """The rows of a result hold these values, and no others."""
    found = {tuple(row[k] for k in key or ("query_id", "measure")): row["value"] for row in rows}
    assert len(found) == len(rows)
    assert found.keys() == values.keys()
    assert found == pytest.approx(values, abs=1e-9)
