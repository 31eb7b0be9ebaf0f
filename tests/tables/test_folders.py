"""A folder is the runs in it; a folder of Parquet files called run=NAME is one run."""

from pathlib import Path

import polars as pl
import pytest
from beginnings import raises

from pres_plugin import InputError
from pres_plugin.files import score

HIVE = "hive/run=one"


@pytest.fixture
def write_part(write):
    """Return a function that writes one document of topic ``q1`` to a Parquet file."""
    write("q1 0 a 1\n", "qrels")

    def write_document(path, doc, **columns):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        columns = {"query_id": "q1", "doc_id": doc, "score": float(ord(doc))} | columns
        pl.DataFrame([columns]).write_parquet(path)

    return write_document


def average_precision(runs="hive"):
    """Return the AP of the only relevant document, which is 1 / its rank, of each run."""
    return score("qrels", runs, "AP")["run", "value"].rows()


def test_parquet_files_in_subfolders_belong_to_the_run(write_part):
    for part, doc in (("0", "a"), ("part=1/0", "b"), ("part=2/day=3/0", "c")):
        write_part(f"{HIVE}/{part}.parquet", doc)
    assert average_precision() == average_precision(HIVE) == [("one", 1 / 3)]


@pytest.mark.parametrize("hidden", ["hive/_temporary/0/a.parquet", f"{HIVE}/part=2/.a.parquet"])
def test_hidden_and_partial_files_are_left_out_at_every_level(write_part, hidden):
    write_part(f"{HIVE}/part=2/0.parquet", "a")
    write_part(hidden, "z")
    assert average_precision() == [("one", 1.0)]


def test_the_files_of_a_folder_that_name_their_runs_are_one_table(write_part):
    for i, (run, doc) in enumerate([("x", "a"), ("y", "a"), ("x", "b")]):
        write_part(f"table/{i}.parquet", doc, run=run)
    assert average_precision("table") == [("x", 0.5), ("y", 1.0)]
    write_part("table/3.parquet", "a", run="x")
    with raises(InputError, r"table: document 'a' is in topic 'q1'"):
        average_precision("table")
    Path("table/3.parquet").write_text("run,qid,docno,rank\nz,q1,a,1\n")
    with raises(InputError, r"table/3\.parquet: some documents .* score.*rank"):
        average_precision("table")


@pytest.mark.parametrize("wrong", ["notes.txt", "link", "run=two/"])
def test_what_does_not_belong_in_the_folder_of_a_run_is_named(write_part, wrong):
    level = f"{HIVE}/part=2"
    write_part(f"{level}/0.parquet", "a")
    path = Path(level, wrong)
    if wrong == "link":
        path.symlink_to(Path(HIVE).absolute())
    elif wrong.endswith("/"):
        path.mkdir()
    else:
        path.touch()
    with raises(InputError, f"{path}: "):
        average_precision()


def test_a_column_run_must_agree_with_the_name_of_the_folder(write_part):
    write_part(f"{HIVE}/0.parquet", "a", run="one")
    assert average_precision() == [("one", 1.0)]
    write_part(f"{HIVE}/1.parquet", "b", run="two")
    with raises(InputError, rf"{HIVE}: column run contains 'two'.*'one'"):
        average_precision()


def test_a_folder_without_runs_is_named(write_part):
    Path("empty").mkdir()
    Path("other/sub").mkdir(parents=True)
    for folder, said in (
        ("empty", "empty: there are no runs"),
        ("other", "other/sub: a folder among runs must be called run=NAME"),
    ):
        with raises(InputError, said):
            average_precision(folder)
