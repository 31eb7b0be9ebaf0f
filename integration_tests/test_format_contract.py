"""A run and judgements score the same in every format, as the definitions of the measures say."""

import csv
import gzip
import io
import json
import random

import by_definition
import pytest
from command import pres_eval
from written import COLUMNS, parquet, rows_of, trec_qrels, trec_run

from pres_plugin.files import read_qrels

MEASURES = ["PRES@5", "AP", "Rnorm(N=50)"]

# --- Each format. --------------------------------------------------------------------------------


def ranked(docs):
    """Return the documents by descending score."""
    return sorted(docs, key=docs.get, reverse=True)


def lines(records):
    """Return JSON lines."""
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def delimited(header, table, separator):
    """Return CSV or TSV, as Python's csv module writes it."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator)
    writer.writerow(header)
    writer.writerows(table)
    return text.getvalue().encode()


def tables(number):
    """Return a writer for each kind of table and each tool's names of columns."""
    writers = {}
    for tool, names in COLUMNS.items():
        header = (*names[:2], names[number])
        writers[f"CSV of {tool}"] = lambda t, h=header: delimited(h, rows_of(t), ",")
        writers[f"TSV of {tool}"] = lambda t, h=header: delimited(h, rows_of(t), "\t")
        writers[f"Parquet of {tool}"] = lambda t, h=header: parquet(h, rows_of(t))
    return writers


def ranks(run):
    return [(q, d, rank) for q, docs in run.items() for rank, d in enumerate(ranked(docs))]


#: Functions that return a run as the content of a file.
RUNS = {
    "TREC": trec_run,
    **tables(2),
    "CSV with ranks": lambda run: delimited(("qid", "docno", "rank"), ranks(run), ","),
    "Parquet with ranks": lambda run: parquet(("qid", "docno", "rank"), ranks(run)),
    "JSON with scores": lambda run: json.dumps(run, indent=2, ensure_ascii=False).encode(),
    "JSON with ranked lists": lambda run: json.dumps(
        {q: ranked(docs) for q, docs in run.items()}
    ).encode(),
    "JSON lines of sentence-transformers": lambda run: lines(
        {
            "query_id": q,
            "results": [{"corpus_id": d, "score": docs[d]} for d in ranked(docs)],
        }
        for q, docs in run.items()
    ),
    "JSON lines with rankings": lambda run: lines(
        {"query_id": q, "ranking": ranked(docs)} for q, docs in run.items()
    ),
    "JSON lines with scores": lambda run: lines(
        {"query_id": q, "scores": docs} for q, docs in run.items()
    ),
    "MTEB": lambda run: json.dumps(
        {"mteb_model_meta": {"model_name": "m", "revision": None}, "default": {"test": run}}
    ).encode(),
}

#: Functions that return judgements as the content of a file.
QRELS = {
    "TREC": trec_qrels,
    **tables(3),
    "JSON with relevances": lambda qrels: json.dumps(qrels).encode(),
    "JSON lines with relevances": lambda qrels: lines(
        {"query_id": q, "relevant": docs} for q, docs in qrels.items()
    ),
}

#: The same for judgements without grades: every judged document is relevant.
BINARY_QRELS = {
    "JSON with lists": lambda qrels: json.dumps({q: list(d) for q, d in qrels.items()}).encode(),
    "JSON lines with lists": lambda qrels: lines(
        {"query_id": q, "relevant": list(docs)} for q, docs in qrels.items()
    ),
}

# --- What they score. ----------------------------------------------------------------------------


# Three topics whose scores fall neither with the ids nor in the order of the rows.
RNG = random.Random(0)
DOCS = [f"DOCUMENT{i}" for i in range(8)]
RUN = {t: dict(zip(DOCS, RNG.sample([s / 8 for s in range(64)], 8), strict=True)) for t in "123"}
JUDGED = {topic: dict.fromkeys(RNG.sample([*DOCS, "missed"], 4), 1) for topic in RUN}
EXPECTED = pytest.approx(by_definition.values(MEASURES, JUDGED, RUN), abs=1e-12)


def scored(tmp_path, qrels, run, measures):
    """The values that ``pres-eval score`` prints for files without endings with this content."""
    (tmp_path / "qrels").write_bytes(qrels)
    (tmp_path / "run").write_bytes(run)
    options = ("-m", " ".join(measures), "-q", "-f", "json", "-p", -1)
    result = pres_eval("score", tmp_path / "qrels", tmp_path / "run", *options)
    assert result.stderr == ""
    rows = json.loads(result.stdout)
    return {(r["query_id"], r["measure"]): r["value"] for r in rows if r["measure"] != "nDCG@3"}


@pytest.mark.parametrize("beside", [[], ["nDCG@3"]], ids=str)
def test_every_format_scores_as_the_definitions_say(beside, tmp_path):
    qrels, run, measures = trec_qrels(JUDGED), trec_run(RUN), [*MEASURES, *beside]
    for name, write_run in RUNS.items():
        content = write_run(RUN)
        for one in {content, content if name.startswith("Parquet") else gzip.compress(content)}:
            assert scored(tmp_path, qrels, one, measures) == EXPECTED, name
    for name, write_qrels in (QRELS | BINARY_QRELS).items():
        assert scored(tmp_path, write_qrels(JUDGED), run, measures) == EXPECTED, name


@pytest.mark.parametrize("write_qrels", QRELS.values(), ids=QRELS)
def test_grades_of_relevance_are_read(write_qrels, tmp_path):
    graded = {topic: {**docs, "ZERO": 0, "TWO": 2} for topic, docs in JUDGED.items()}
    (tmp_path / "judged").write_bytes(write_qrels(graded))
    assert read_qrels(tmp_path / "judged") == graded
