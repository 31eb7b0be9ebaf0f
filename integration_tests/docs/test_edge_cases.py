"""The table of edge cases in docs/explained/edge-cases.md, in each framework.

The test vectors cover what all frameworks treat alike, such as topics without relevant documents.
Each topic here has one relevant document, so its rank determines AP and PRES.
"""

import json
import math
import re
from pathlib import Path

import ir_measures
import pandas as pd
import pytest
from command import pres_eval
from forks import run_with_ranx

from pres_plugin import frames

pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")
pytest.importorskip("ranx", reason="ranx is not installed")

pytestmark = [
    pytest.mark.xdist_group("forks for ranx"),
    pytest.mark.filterwarnings("ignore:The inplace keyword"),
    pytest.mark.filterwarnings("ignore:.*not found in qrels"),
]

PAGE = Path(__file__).parents[2] / "docs" / "explained" / "edge-cases.md"
MEASURES = ["AP", "PRES@10"]
IR_MEASURES, PYTERRIER, RANX = "ir-measures", "PyTerrier", "ranx"
COMMAND, FRAMES = "`pres-eval score`", "`pres_plugin.frames`"


class RefusedError(Exception):
    """The message of a framework that does not return scores."""


def framed(rows, *columns):
    return pd.DataFrame(rows, columns=columns)


def by_ir_measures(qrels, run, folder):
    measures = [ir_measures.parse_measure(name) for name in MEASURES]
    evaluator = ir_measures.evaluator(measures, framed(qrels, "query_id", "doc_id", "relevance"))
    found = evaluator.calc(framed(run, "query_id", "doc_id", "score"))
    rows = [(row.query_id, str(row.measure), row.value) for row in found.per_query]
    return rows + [("mean", str(measure), mean) for measure, mean in found.aggregated.items()]


def by_pyterrier(qrels, run, folder):
    topics = sorted({topic for topic, *_ in run})
    measures = [ir_measures.parse_measure(name) for name in MEASURES]
    asked = (
        [pt.Transformer.from_df(framed(run, "qid", "docno", "score"))],
        framed([(topic, "valve") for topic in topics], "qid", "query"),
        framed(qrels, "qid", "docno", "label"),
        measures,
    )
    (means,) = pt.Experiment(*asked).to_dict("records")
    rows = pt.Experiment(*asked, perquery=True)[["qid", "measure", "value"]]
    return [*rows.itertuples(index=False), *(("mean", name, means[name]) for name in MEASURES)]


def by_ranx(qrels, run, folder):
    """Score in a fork, without numba's compiler, which computes the same in less time."""
    printed = run_with_ranx(
        f"""
        import json, math, pandas as pd, ranx, pres_plugin

        nan = math.nan
        qrels, run = (
            kind.from_df(
                pd.DataFrame(rows, columns=["q_id", "doc_id", "score"]).astype(
                    {{"q_id": object, "doc_id": object}}
                )
            )
            for kind, rows in ((ranx.Qrels, {qrels!r}), (ranx.Run, {run!r}))
        )
        try:
            means = ranx.evaluate(qrels, run, ["map", "pres@10"])
            scores = {{name: {{**run.scores[name], "mean": means[name]}} for name in means}}
            print(json.dumps(scores, default=float))
        except AssertionError as error:
            print(json.dumps(str(error)))
        """
    )
    scores = json.loads(printed)
    if isinstance(scores, str):
        raise RefusedError(scores)
    names = {"map": "AP", "pres@10": "PRES@10"}
    return [(q, names[name], value) for name in scores for q, value in scores[name].items()]


def by_command(qrels, run, folder):
    (folder / "qrels").write_text("".join(f"{q} 0 {doc} {rel}\n" for q, doc, rel in qrels))
    (folder / "run").write_text("".join(f"{q} Q0 {doc} 1 {s} t\n" for q, doc, s in run))
    options = ("-m", " ".join(MEASURES), "-q", "-f", "tsv", "-p", "15")
    result = pres_eval("score", "qrels", "run", *options, cwd=folder)
    if result.returncode:
        raise RefusedError(result.stderr)
    rows = [line.split("\t")[1:] for line in result.stdout.splitlines()[1:]]
    return [(q if q != "all" else "mean", name, float(value)) for q, name, value in rows]


def by_frames(qrels, run, folder):
    scored = frames.score(
        framed(run, "query_id", "doc_id", "score"),
        framed(qrels, "query_id", "doc_id", "relevance"),
        MEASURES,
    )
    rows = list(scored[["query_id", "measure", "value"]].itertuples(index=False))
    return rows + [("mean", name, of["value"].mean()) for name, of in scored.groupby("measure")]


SCORERS = {
    IR_MEASURES: by_ir_measures,
    PYTERRIER: by_pyterrier,
    RANX: by_ranx,
    COMMAND: by_command,
    FRAMES: by_frames,
}

AN_ERROR_FOR_MISSING_TOPICS = {RANX: "make_comparable=True"}
A, B = ("q", "a", 1.0), ("q", "b", 2.0)
SEARCHED = [("q1", "a", 1.0), ("q2", "a", 1.0)]
JUDGED = [("q1", "a", 1), ("q2", "a", 1)]
Q1_OF_TWO = {"q1": 1, "q2": None}

# For each row of the page: judgements, a run, the rank of each topic's relevant document (None if
# it is missed), and the ranks or the message of each framework that differs.
CASES = [
    ("Equal scores", [("q", "a", 1)], [("q", "a", 1.0), ("q", "b", 1.0)], {"q": 2},
     {RANX: {"q": 1}}),
    ("Scores that differ only beyond 32 bits", [("q", "a", 1)],
     [("q", "b", 1.0), ("q", "a", 1.00000001)], {"q": 2}, {RANX: {"q": 1}}),
    ("Ranks or lines that contradict the scores", [("q", "a", 1)], [A, B], {"q": 2}, {}),
    ("A score of NaN", [("q", "m", 1)], [("q", "m", -5.0), ("q", "a", math.nan)],
     "document 'a': the score is NaN",
     {RANX: {"q": 1}, COMMAND: "line 2: .*: the score is NaN", FRAMES: "is null or NaN"}),
    ("Unjudged documents in a run", [("q", "a", 1), ("q", "c", 0)], [A, B, ("q", "c", 3.0)],
     {"q": 3}, {}),
    ("A relevance below 0", [("q", "a", 1), ("q", "b", -1)], [A, B], {"q": 2}, {}),
    ("A document retrieved twice for a topic", [("q", "a", 1)], [("q", "a", 3.0), B, A], {"q": 2},
     {COMMAND: "run, line 3: document 'a' is in topic 'q' twice", FRAMES: "retrieved twice"}),
    ("A document retrieved twice for a topic", [("q", "a", 1)], [A, B, ("q", "a", 3.0)], {"q": 1},
     {COMMAND: "run, line 3: document 'a' is in topic 'q' twice", FRAMES: "retrieved twice"}),
    ("A document judged twice for a topic", [("q", "a", 0), ("q", "a", 1)], [A], {"q": 1},
     {COMMAND: "qrels, line 2: document 'a' is in topic 'q' twice", FRAMES: "judged twice"}),
    ("A document judged twice for a topic", [("q", "a", 1), ("q", "a", 0)], [A], {"q": None},
     {COMMAND: "qrels, line 2: document 'a' is in topic 'q' twice", FRAMES: "judged twice"}),
    ("Fewer results than Nmax", [("q", "a", 1)], [B], {"q": None}, {}),
    ("A judged topic without results", JUDGED, SEARCHED[:1], Q1_OF_TWO,
     {**AN_ERROR_FOR_MISSING_TOPICS, PYTERRIER: {"q1": 1}}),
    ("A topic without relevant documents (n = 0)", [("q1", "a", 1), ("q2", "a", 0)], SEARCHED,
     Q1_OF_TWO, {}),
    ("An unjudged topic in a run", JUDGED[:1], SEARCHED, {"q1": 1}, AN_ERROR_FOR_MISSING_TOPICS),
    ("No common topics", JUDGED[:1], SEARCHED[1:], {"q1": None},
     {**AN_ERROR_FOR_MISSING_TOPICS, PYTERRIER: "no overlap", COMMAND: "no topic in common"}),
]  # fmt: skip


def expected(ranks):
    """Return the scores of topics with one relevant document, and their means."""
    found = {
        topic: (1 / rank, 1 - (rank - 1) / 10) if rank else (0, 0) for topic, rank in ranks.items()
    }
    found["mean"] = [sum(values) / len(found) for values in zip(*found.values(), strict=True)]
    return {
        (topic, name): v
        for topic, vs in found.items()
        for name, v in zip(MEASURES, vs, strict=True)
    }


@pytest.mark.parametrize("framework", SCORERS)
@pytest.mark.parametrize(("name", "qrels", "run", "ranks", "others"), CASES)
def test_an_edge_case_is_scored_or_refused(framework, name, qrels, run, ranks, others, tmp_path):
    score, ranks = SCORERS[framework], others.get(framework, ranks)
    if isinstance(ranks, str):
        with pytest.raises((RefusedError, ValueError), match=ranks):
            score(qrels, run, tmp_path)
        return
    found = {(q, name): value for q, name, value in score(qrels, run, tmp_path)}
    # PyTerrier returns NaN for topics without judgements, and leaves them out of the mean.
    found = {key: value for key, value in found.items() if not math.isnan(value)}
    assert found == pytest.approx(expected(ranks))


def test_the_table_has_these_rows_and_frameworks():
    table = PAGE.read_text(encoding="utf-8").partition("<!-- table: edge cases -->")[2]
    lines = re.findall(r"^\| (.*) \|$", table, re.MULTILINE)
    header, *rows = [re.split(r" \| ", line) for line in lines]
    assert header == ["Case", *SCORERS]
    assert list(dict.fromkeys(row[0] for row in rows)) == list(dict.fromkeys(c[0] for c in CASES))
