"""Runs and judgements that other tools save are read as they were, and scored so."""

import os
import random

import by_definition
import duckdb
import pandas as pd
import polars as pl
import pytest
from written import COLUMNS, rows_of

from pres_plugin.files import read_qrels, read_run, score

MEASURES = ["AP", "PRES@5", "R@5"]

#: Ids with everything that a table has to quote, and scores that 32 bits tell apart.
RNG = random.Random(0)
DOCS = ["plain", "01", "a,b", 'say"x"', "EP1203408", "ü", "1e3", "(1)"]
RUN = {
    topic: {doc: RNG.randrange(64) / 8 + i / 1024 for i, doc in enumerate(RNG.sample(DOCS, 6))}
    for topic in ("q1", "2", "q,3")
}
QRELS = {topic: {doc: RNG.choice([0, 1, 1, 2]) for doc in DOCS[::2]} for topic in RUN}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def frame(dicts, *names):
    return pd.DataFrame(rows_of(dicts), columns=list(names))


def check_scores(run, qrels):
    found = {row[1:3]: row[3] for row in score(qrels, run, MEASURES).rows()}
    expected = by_definition.values(MEASURES, QRELS, RUN)
    assert found == pytest.approx({key: v for key, v in expected.items() if key[0] != "all"})


def check(run, qrels):
    assert read_run(run) == RUN
    assert read_qrels(qrels) == QRELS
    check_scores(run, qrels)


#: Functions of a pandas frame and a path.
TOOLS = {
    "pandas' TSV": lambda table, path: table.to_csv(
        path, sep="\t", index=False, compression="gzip"
    ),
    "pandas' Parquet": pd.DataFrame.to_parquet,
    "Excel's CSV UTF-8": lambda table, path: table.to_csv(
        path, encoding="utf-8-sig", lineterminator="\r\n"
    ),
    "polars' CSV with quotes": lambda table, path: pl.from_pandas(table).write_csv(
        path, quote_style="non_numeric"
    ),
    "DuckDB's Parquet": lambda table, path: duckdb.from_df(table).write_parquet(path),
}


@pytest.mark.parametrize("save", TOOLS.values(), ids=TOOLS)
def test_tables(save):
    for topic, doc, value, relevance in COLUMNS.values():
        save(frame(RUN, topic, doc, value), "run")
        save(frame(QRELS, topic, doc, relevance), "qrels")
        check("run", "qrels")


@pytest.mark.xdist_group("ranx")
@pytest.mark.parametrize("kind", ["json", "trec", "parquet"])
def test_files_of_ranx(kind):
    ranx = pytest.importorskip("ranx", reason="ranx is not installed")
    if kind == "json" and os.environ["NUMBA_DISABLE_JIT"] == "1":
        pytest.skip("interpreted, ranx cannot save JSON")
    ranx.Run(RUN, name="mine").save(f"run.{kind}")
    ranx.Qrels(QRELS).save(f"qrels.{kind}")
    check(f"run.{kind}", f"qrels.{kind}")


# PyTerrier uses what pandas will drop.
@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_results_of_pyterrier():
    pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")
    result = pt.model.add_ranks(frame(RUN, "qid", "docno", "score"))
    frame(QRELS, "qid", "docno", "label").to_csv("qrels")
    pt.io.write_results(result, "run.res.gz")
    # PyTerrier quotes the id with quotes, which nobody judged.
    check_scores("run.res.gz", "qrels")
    result["query"] = 'words, and "quotes"\non two lines'
    result.to_csv("run.csv")
    check("run.csv", "qrels")
    result.drop(columns="score").to_csv("ranks.csv")
    check_scores("ranks.csv", "qrels")
