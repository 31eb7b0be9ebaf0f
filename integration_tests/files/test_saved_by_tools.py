"""Runs and judgements that other tools save, scored as the tools themselves rank them."""

import csv
import gzip
import os
import random
import threading
from pathlib import Path

import ir_measures
import pandas as pd
import polars as pl
import pytest
from command import pres_eval_process, refused

from pres_plugin.files import score
from pres_plugin.formats import FileError, read_qrels, read_run

MEASURES = [ir_measures.AP, ir_measures.PRES @ 5, ir_measures.R @ 5]

#: Ids with everything that a table has to quote, and scores that 32 bits tell apart. The longest
#: id is as long as in our tests of ranx, so that numba need not compile it again.
RNG = random.Random(0)
DOCS = ["plain", "01", "a,b", 'say "x"', "EP1203408", "ü", "1e3", "(1)"]
RUN = {
    topic: {doc: RNG.randrange(64) / 8 + i / 1024 for i, doc in enumerate(RNG.sample(DOCS, 6))}
    for topic in ("q1", "2", "q,3")
}
QRELS = {topic: {doc: RNG.choice([0, 1, 1, 2]) for doc in DOCS[::2]} for topic in RUN}


def frame(dicts, *names):
    rows = [(q, doc, value) for q, docs in dicts.items() for doc, value in docs.items()]
    return pd.DataFrame(rows, columns=list(names))


def write_beir(path, **options):
    """Write judgements as BEIR's `write_to_tsv` does."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter="\t", quoting=csv.QUOTE_MINIMAL, **options)
        writer.writerow(["query-id", "corpus-id", "score"])
        for query_id, docs in QRELS.items():
            for doc_id, value in docs.items():
                writer.writerow([query_id, doc_id, value])


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_beir("qrels.tsv")
    return tmp_path


def check(run, qrels="qrels.tsv"):
    """Check that a run and judgements are read as they were, and scored so, by both paths."""
    assert read_run(run) == RUN
    assert read_qrels(qrels) == QRELS
    found = score(qrels, run, list(map(str, MEASURES)))
    by_topic = {
        (m.query_id, str(m.measure)): m.value for m in ir_measures.iter_calc(MEASURES, QRELS, RUN)
    }
    for query_id, measure, value in found.select("query_id", "measure", "value").iter_rows():
        assert value == pytest.approx(by_topic[query_id, measure], abs=1e-12)
    assert found.height == len(by_topic)


@pytest.mark.parametrize("name", ["run.csv", "run.csv.gz", "run"])
@pytest.mark.parametrize("index", [False, True])
def test_pandas(here, name, index):
    frame(RUN, "qid", "docno", "score").to_csv(name, index=index)
    frame(QRELS, "qid", "docno", "label").to_csv("qrels", index=index, sep="\t")
    check(name, "qrels")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"separator": "\t"},
        {"quote_style": "always", "include_bom": True, "line_terminator": "\r\n"},
        {"quote_style": "non_numeric"},
    ],
)
def test_polars(here, options):
    pl.from_pandas(frame(RUN, "query_id", "doc_id", "score")).write_csv("run.csv", **options)
    pl.from_pandas(frame(QRELS, "query_id", "doc_id", "relevance")).write_csv("q", **options)
    check("run.csv", "q")


def test_excel(here):
    """Excel saves "CSV UTF-8" with a byte order mark and CRLF; "Unicode text" is UTF-16."""
    table = frame(RUN, "qid", "docno", "score")
    table.to_csv("run.csv", index=False, encoding="utf-8-sig", lineterminator="\r\n")
    check("run.csv")
    table.to_csv("run.txt", index=False, encoding="utf-16", lineterminator="\r\n", sep="\t")
    assert refused("score", "qrels.tsv", "run.txt", "--run-format", "csv") == (
        "run.txt: this text is in UTF-16, like Excel's Unicode Text; save it as UTF-8"
    )


#: PyTerrier uses what pandas will drop.
of_pyterrier = pytest.mark.filterwarnings("ignore:The inplace keyword")


@pytest.mark.xdist_group("ranx")
@pytest.mark.slow
def test_ranx(here):
    ranx = pytest.importorskip("ranx")
    run, qrels = ranx.Run(RUN, name="mine"), ranx.Qrels(QRELS)
    for kind in ("csv", "tsv", "csv.gz"):
        separator = "\t" if kind == "tsv" else ","
        run.to_dataframe().to_csv(f"run.{kind}", sep=separator)
        qrels.to_dataframe().to_csv(f"q.{kind}", sep=separator, index=False)
        check(f"run.{kind}", f"q.{kind}")
    for kind in ("parquet", "parq"):
        run.save(f"run.{kind}")
        qrels.save(f"q.{kind}")
        check(f"run.{kind}", f"q.{kind}")
    run.save("run.lz4")
    with pytest.raises(FileError, match=r"run\.lz4, line 1: this is a binary file, not text"):
        read_run("run.lz4")


@pytest.mark.xdist_group("ranx")
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["trec", "txt", "gz"])
def test_trec_files_of_ranx(here, kind):
    """Ranx writes plain text into files called `.gz`; ids with blanks do not fit the format."""
    ranx = pytest.importorskip("ranx")
    run = {
        q: {doc: value for doc, value in docs.items() if " " not in doc} for q, docs in RUN.items()
    }
    qrels = {
        q: {doc: value for doc, value in docs.items() if " " not in doc}
        for q, docs in QRELS.items()
    }
    ranx.Run(run, name="mine").save(f"run.{kind}")
    ranx.Qrels(qrels).save(f"q.{kind}")
    assert read_run(f"run.{kind}") == run
    assert read_qrels(f"q.{kind}") == qrels


@of_pyterrier
def test_pyterrier(here):
    pt = pytest.importorskip("pyterrier")
    docs = frame(RUN, "qid", "docno", "score")
    transformer = pt.Transformer.from_df(pt.model.add_ranks(docs)) % 5
    result = transformer(pd.DataFrame({"qid": list(RUN), "query": "some words"}))
    result["query"] = 'words, and "quotes"'
    expected = frame(RUN, "qid", "docno", "score").merge(result[["qid", "docno"]])
    top = {
        q: dict(zip(rows["docno"], rows["score"], strict=True))
        for q, rows in expected.groupby("qid")
    }
    result.to_csv("run.csv")
    result.to_csv("run.tsv.gz", sep="\t", index=False)
    result.to_parquet("run.parquet")
    for name in ("run.csv", "run.tsv.gz", "run.parquet"):
        assert read_run(name) == top
    result.drop(columns="score").to_csv("ranks.csv", index=False)
    result.drop(columns="score").to_parquet("ranks.parquet")
    by_rank = score(
        "qrels.tsv", ["ranks.csv", "run.csv", "ranks.parquet", "run.parquet"], ["AP", "PRES@5"]
    )
    values = {name: rows["value"].to_list() for (name,), rows in by_rank.group_by(["run"])}
    assert len(values) == 4
    assert len(set(map(tuple, values.values()))) == 1
    for name in ("ranks.csv", "ranks.parquet"):
        found = read_run(name)
        assert {q: sorted(docs, key=docs.get) for q, docs in found.items()} == {
            q: sorted(docs, key=docs.get) for q, docs in top.items()
        }


@of_pyterrier
def test_results_that_pyterrier_writes_without_blanks_in_ids(here):
    pt = pytest.importorskip("pyterrier")
    run = {
        q: {doc: value for doc, value in docs.items() if " " not in doc} for q, docs in RUN.items()
    }
    result = pt.model.add_ranks(frame(run, "qid", "docno", "score"))
    pt.io.write_results(result, "run.res")
    pt.io.write_results(result, "run.res.gz")
    assert read_run("run.res") == read_run("run.res.gz") == run
    # MS MARCO's format has ranks, but no header and no scores.
    pt.io.write_results(result, "run.tsv", format="minimal")
    with pytest.raises(
        FileError, match=r"line 1: these columns are missing: query_id .*name the columns"
    ):
        read_run("run.tsv")


# Parquet in pipes, and compressed once more


@pytest.fixture
def parquet(here):
    frame(RUN, "q_id", "doc_id", "score").to_parquet("run.parquet")
    frame(QRELS, "q_id", "doc_id", "score").to_parquet("q.parquet")
    for name in ("run.parquet", "q.parquet"):
        Path(f"{name}.gz").write_bytes(gzip.compress(Path(name).read_bytes()))
    return here


def test_parquet_compressed_with_gzip(parquet):
    check("run.parquet.gz", "q.parquet.gz")
    os.rename("run.parquet.gz", "run")
    check("run")
    os.makedirs("runs/run=mine")
    os.rename("run", "runs/run=mine/0.parquet.gz")
    found = score("q.parquet.gz", "runs", "AP")
    assert found["run"].unique().to_list() == ["mine"]
    assert found["value"].equals(score("q.parquet", "run.parquet", "AP")["value"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["run.parquet", "run.parquet.gz", "run.csv"])
def test_tables_on_standard_input(parquet, name):
    frame(RUN, "q_id", "doc_id", "score").to_csv("run.csv")
    expected = pres_eval_process("score", "-q", "-f", "csv", "qrels.tsv", name)
    with open(name, "rb") as file:
        found = pres_eval_process("score", "-q", "-f", "csv", "qrels.tsv", "-", stdin=file)
    assert found.returncode == expected.returncode == 0, found.stderr
    assert found.stdout.replace("-,", "run,") == expected.stdout


@pytest.mark.parametrize("name", ["run.parquet", "run.parquet.gz", "all.csv"])
def test_tables_in_a_pipe(parquet, name):
    frame(RUN, "q_id", "doc_id", "score").assign(run="x").to_csv("all.csv")
    os.mkfifo("pipe")
    content = Path(name).read_bytes()
    writer = threading.Thread(target=Path("pipe").write_bytes, args=[content])
    writer.start()
    try:
        assert read_run("pipe") == RUN
    finally:
        writer.join()


@pytest.mark.slow
def test_a_parquet_file_that_grows_too_much_is_not_decompressed(parquet):
    with gzip.open("run.parquet.gz", "wb", compresslevel=1) as file:
        file.write(b"PAR1")
        for _ in range(100):
            file.write(bytes(1 << 20))
    with pytest.raises(FileError, match=r"run\.parquet\.gz: decompress this file first"):
        read_run("run.parquet.gz")
