"""Write runs and judgements as files."""

import io

import polars as pl
import pytest

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


def parquet(header, table):
    file = io.BytesIO()
    pl.DataFrame(table, schema=list(header), orient="row").write_parquet(file)
    return file.getvalue()


def workbook(sheets, change=None):
    """Return a workbook in which numbers are numbers; `change` gets it and its last sheet."""
    xlsxwriter = pytest.importorskip("xlsxwriter", reason="workbooks cannot be written")
    pytest.importorskip("fastexcel", reason="workbooks cannot be read")
    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for at, row in enumerate(rows):
                sheet.write_row(at, 0, row)
        if change:
            change(book, sheet)
    return file.getvalue()


def trec_run(run):
    return "".join(f"{q} Q0 {d} 1 {s!r} tag\n" for q, d, s in rows_of(run)).encode()


def trec_qrels(qrels):
    return "".join(f"{q} 0 {d} {n}\n" for q, d, n in rows_of(qrels)).encode()
