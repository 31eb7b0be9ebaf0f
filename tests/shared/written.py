"""Write a run or judgements in each of the formats that are read."""

import csv
import io
import json

import polars as pl

#: Names of columns: the topic, the document, the score and the relevance.
COLUMNS = {
    "ir-measures": ("query_id", "doc_id", "score", "relevance"),
    "PyTerrier": ("qid", "docno", "score", "label"),
    "ranx": ("q_id", "doc_id", "score", "score"),
    "BEIR": ("query-id", "corpus-id", "score", "score"),
}


def rows_of(topics):
    """Return topic, document and number of each document."""
    return [(topic, doc, n) for topic, docs in topics.items() for doc, n in docs.items()]


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


def parquet(header, table):
    file = io.BytesIO()
    pl.DataFrame(table, schema=list(header), orient="row").write_parquet(file)
    return file.getvalue()


def trec_run(run):
    return "".join(f"{q} Q0 {d} 1 {s!r} tag\n" for q, d, s in rows_of(run)).encode()


def trec_qrels(qrels):
    return "".join(f"{q} 0 {d} {n}\n" for q, d, n in rows_of(qrels)).encode()


def _tables(number):
    """Return a writer for each kind of table and each tool's names of columns."""
    writers = {}
    for tool, names in COLUMNS.items():
        header = (*names[:2], names[number])
        writers[f"CSV of {tool}"] = lambda t, h=header: delimited(h, rows_of(t), ",")
        writers[f"TSV of {tool}"] = lambda t, h=header: delimited(h, rows_of(t), "\t")
        writers[f"Parquet of {tool}"] = lambda t, h=header: parquet(h, rows_of(t))
    return writers


def _ranks(run):
    return [(q, d, rank) for q, docs in run.items() for rank, d in enumerate(ranked(docs))]


#: Functions that return a run as the content of a file.
RUNS = {
    "TREC": trec_run,
    **_tables(2),
    "CSV with ranks": lambda run: delimited(("qid", "docno", "rank"), _ranks(run), ","),
    "Parquet with ranks": lambda run: parquet(("qid", "docno", "rank"), _ranks(run)),
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
    **_tables(3),
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
