"""Runs are found in files, folders and pipes, and each gets a name of its own."""

import gzip
import os
import threading
from pathlib import Path

import polars as pl
import pytest
from command import pres_eval

from pres_plugin.files import FileError, score
from pres_plugin.measures import PRES, MeasureError

RUN = "q1 Q0 a 1 2 t\nq1 Q0 x 2 1 t\n"
TABLE = pl.DataFrame({"qid": ["q1", "q1"], "docno": ["a", "x"], "score": [2.0, 1.0]})
NAMED = TABLE.with_columns(run=pl.Series(["z", "y"]))


def write(path):
    """Write a run, or the two runs z and y if the file is called like them."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    table = NAMED if path.stem == "zy" else TABLE
    match path.suffix:
        case ".parquet":
            table.write_parquet(path)
        case ".csv":
            table.write_csv(path)
        case ".gz":
            path.write_bytes(gzip.compress(RUN.encode()))
        case _:
            path.write_text(RUN)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("q1 0 a 1\nq1 0 b 1\n")


#: Files, arguments, and the names of the runs, in their order.
NAMES = {
    "files": ("b a.gz", "b a.gz", "b a"),
    "a folder": ("r/b r/a r/.hidden r/_half", "r", "a b"),
    "two runs in a file": ("zy.csv a", "zy.csv a", "z y a"),
    "two runs in a folder": ("r/zy.parquet r/a.csv", "r", "a.csv z y"),
    "run=NAME": ("r/run=d%65/0.parquet r/run=c/x/0.parquet r/run=c/y/1.parquet", "r", "c de"),
    "one run=NAME": ("r/run=c/0.parquet", "r/run=c", "c"),
    "equal names": ("x/a y/a z/y/a b", "x/a y/a z/y/a b", "x/a y/a z/y/a b"),
    "two paths of a file": ("x/a y/a", "x/a {}/y/a", "x/a y/a"),
}


@pytest.mark.parametrize(("files", "runs", "names"), NAMES.values(), ids=NAMES)
def test_each_run_is_scored_by_its_name(files, runs, names):
    for file in files.split():
        write(file)
    found = score("qrels", runs.format(os.getcwd()).split(), "R@1")
    assert found["run"].to_list() == names.split()
