"""Parquet files and folders score as the same rows in TREC's format do."""

import gzip
import os
import random
import re
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import command
import polars as pl
import pytest
from interpreter import run_python

from pres_plugin.files import runs as runs_module
from pres_plugin.files.judgements import JudgedTopics
from pres_plugin.files.run_files import runs_in
from pres_plugin.files.runs import Runs
from pres_plugin.formats.base import FileError
from pres_plugin.formats.parquet import files as parquet
from pres_plugin.formats.parquet.files import ParquetFile
from pres_plugin.measures.parsing import parse

MEASURES = ("-m", "PRES@5 AP R@5 Rnorm(judged_only=True)", "-p", "-1", "-q")

pres_eval = partial(command.pres_eval, "score")
refused = partial(command.refused, "score")


def scored(*paths, cwd):
    return command.table_of("score", *MEASURES, *paths, cwd=cwd)


@pytest.fixture(scope="module")
def runs():
    """Three runs of the same topics, with ties and scores that only 64 bits tell apart."""
    rng = random.Random(0)
    scores = [0.0, -0.0, 1.5, 2, 2 + 1e-12, 1e300, -7]
    return {
        name: [
            (f"q{t}", f"d{d}", float(rng.choice(scores)))
            for t in range(4)
            for d in rng.sample(range(30), 12)
        ]
        for name in ("one", "two", "three")
    }


@pytest.fixture
def files(tmp_path, runs):
    """Judgements and runs in TREC's format."""
    rng = random.Random(1)
    judged = [(f"q{t}", f"d{d}", rng.randint(-1, 2)) for t in range(4) for d in range(0, 30, 2)]
    (tmp_path / "qrels").write_text("".join(f"{q} 0 {d} {r}\n" for q, d, r in judged))
    rows(judged, "relevance").write_parquet(tmp_path / "qrels.parquet")
    (tmp_path / "trec").mkdir()
    for name, lines in runs.items():
        text = "".join(f"{q} Q0 {d} 1 {score!r} t\n" for q, d, score in lines)
        (tmp_path / "trec" / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    return tmp_path


def rows(triples, value, **more):
    frame = pl.DataFrame(triples, schema=["query_id", "doc_id", value], orient="row")
    return frame.with_columns(**more)


def table(runs):
    return pl.concat(rows(lines, "score", run=pl.lit(name)) for name, lines in runs.items())


def test_a_folder_is_all_the_runs_in_it_by_name(files):
    paths = [f"trec/{name}.gz" for name in ("one", "three", "two")]
    expected = scored("qrels", *paths, cwd=files)
    assert scored("qrels", "trec", cwd=files) == expected
    assert scored("qrels.parquet", "trec", cwd=files) == expected
    (files / "trec" / ".hidden").write_text("no run\n")
    (files / "trec" / "_SUCCESS").touch()
    assert scored("qrels", "trec", cwd=files) == expected


def by_run(results):
    return {
        name: [row for row in results if row[0] == name] for name in {row[0] for row in results}
    }


def test_parquet_runs_score_as_text(files, runs):
    expected = scored("qrels", "trec", cwd=files)
    (files / "single").mkdir()
    (files / "hive").mkdir()
    for name, lines in runs.items():
        rows(lines, "score").write_parquet(files / "single" / f"{name}.parquet")
        part = files / "hive" / f"run={name}"
        part.mkdir()
        rows(lines[:7], "score").write_parquet(part / "0.parquet")
        rows(lines[7:], "score").write_parquet(part / "1.parquet")
    assert scored("qrels.parquet", "single", cwd=files) == expected
    assert scored("qrels", "hive", cwd=files) == expected
    one = [row for row in expected if row[0] == "one"]
    assert scored("qrels", "single/one.parquet", cwd=files) == one


@pytest.mark.parametrize("order", ["by run", "by topic", "shuffled"])
@pytest.mark.parametrize("n_files", [1, 3])
def test_a_column_run_tells_runs_apart_in_any_order(files, runs, order, n_files):
    expected = by_run(scored("qrels", "trec", cwd=files))
    frame = table(runs)
    if order == "by topic":
        frame = frame.sort("query_id", maintain_order=True)
    elif order == "shuffled":
        # Means are sums in the order of topics, which decides on the last digit.
        first = frame.unique(["run", "query_id"], keep="first", maintain_order=True)
        frame = pl.concat([first, frame.sample(fraction=1, shuffle=True, seed=0)])
    (files / "table").mkdir()
    size = -(-frame.height // n_files)
    for i in range(n_files):
        part = frame.slice(i * size, size)
        part.write_parquet(files / "table" / f"{i}.parquet", row_group_size=10)
    duplicates = ("--duplicates", "first")
    assert by_run(scored("qrels", "table", *duplicates, cwd=files)) == expected
    if n_files == 1:
        assert by_run(scored("qrels", "table/0.parquet", *duplicates, cwd=files)) == expected


@pytest.mark.parametrize("at_once", [1, 7, 36, 1000])
def test_rows_are_read_in_pieces_of_any_size(tmp_path, runs, monkeypatch, at_once):
    monkeypatch.setattr(parquet, "ROWS", at_once)
    written = table(runs).select("run", "query_id", "doc_id", "score")
    written.write_parquet(tmp_path / "all.parquet")
    pieces = list(ParquetFile(str(tmp_path / "all.parquet")).pieces("score"))
    assert pl.concat(pieces).equals(written)
    assert max(piece.height for piece in pieces) == min(at_once, written.height)


def test_whole_runs_are_read_together_up_to_a_number_of_rows(tmp_path, monkeypatch):
    sizes = {"a": 3, "b": 2, "c": 4, "d": 1, "e": 9, "f": 1}
    scattered = [(f"q{i}", "d", 1.0, run) for i in range(9) for run in sizes if i < sizes[run]]
    columns = ["query_id", "doc_id", "score", "run"]
    pl.DataFrame(scattered, schema=columns, orient="row").write_parquet(tmp_path / "x.parquet")
    monkeypatch.setattr(runs_module, "ROWS_IN_MEMORY", 5)
    files = (ParquetFile(str(tmp_path / "x.parquet")),)
    together = [set(rows["run"]) for rows in Runs("x", "score", files, None).whole_runs("error")]
    assert together == [{"a", "b"}, {"c", "d"}, {"e"}, {"f"}]


def test_other_measures_are_scored_of_parquet_too(files, runs):
    table(runs).write_parquet(files / "all.parquet")
    arguments = ("-m", "nDCG@5 PRES@5", "-f", "tsv", "-p", "-1")
    expected = pres_eval("qrels", *(f"trec/{name}.gz" for name in runs), *arguments, cwd=files)
    got = pres_eval("qrels.parquet", "all.parquet", *arguments, cwd=files)
    assert (got.stdout, got.stderr) == (expected.stdout, "")
    assert got.stdout.count("\n") == 6


def test_pyterriers_names_and_other_types_are_taken(files, runs):
    expected = scored("qrels", "trec/one.gz", cwd=files)
    frame = rows(runs["one"], "score").select(
        pl.col("query_id").cast(pl.Categorical).alias("qid"), docno="doc_id", score="score"
    )
    frame.with_columns(rank=0).write_parquet(files / "one.parquet")
    judged = pl.read_parquet(files / "qrels.parquet")
    judged.select(
        qid="query_id", docno="doc_id", label=pl.col("relevance").cast(pl.Int8)
    ).write_parquet(files / "labels.parquet")
    assert scored("labels.parquet", "one.parquet", cwd=files) == expected


def test_warnings_name_the_run_and_the_file(files, runs):
    short = {"one": runs["one"], "two": [row for row in runs["two"] if row[0] != "q3"]}
    table(short).write_parquet(files / "all.parquet")
    result = pres_eval("qrels", "all.parquet", "-m", "AP", cwd=files)
    assert result.returncode == 0
    (line,) = result.stderr.splitlines()
    assert "all.parquet, run two: the run lacks 1 of the 4 topics in the qrels" in line


GOOD = {"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "score": [2.0, 1.0]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"score": None},
            r"there is no column score \(or rank\); the columns are query_id, doc_id$",
        ),
        (
            {"query_id": None},
            r"there is no column query_id \(or qid, .*\); the columns are doc_id, score$",
        ),
        ({"query_id": [1, 2]}, "column query_id contains Int64; expected text"),
        ({"score": ["2", "1"]}, "column score contains String; expected numbers"),
        ({"score": [2.0, None]}, "column score contains null"),
        ({"doc_id": ["a", None]}, "column doc_id contains null"),
        ({"score": [2.0, float("nan")]}, "topic 'q1', document 'b': the score is NaN"),
        ({"doc_id": ["a", "a"]}, "document 'a' is in topic 'q1' twice; keep one of them"),
        ({"query_id": ["z", "z"]}, r"no topic in common with the qrels \(run: z; "),
        ({"query_id": [], "doc_id": [], "score": []}, "the file contains no rows"),
        ({"run": [], "query_id": [], "doc_id": [], "score": []}, "the file contains no rows"),
    ],
)
@pytest.mark.parametrize("measure", ["PRES@5", "nDCG"], ids=["pieces", "dicts"])
def test_wrong_parquet_runs_are_named(tmp_path, change, said, measure):
    columns = {name: values for name, values in (GOOD | change).items() if values is not None}
    types = dict.fromkeys(("run", "query_id", "doc_id"), pl.String) | {"score": pl.Float64}
    empty = {name: types[name] for name, values in columns.items() if not values}
    pl.DataFrame(columns, schema_overrides=empty).write_parquet(tmp_path / "a.parquet")
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    line = refused("qrels", "a.parquet", "-m", measure, cwd=tmp_path)
    assert re.match(rf"a\.parquet: .*{said}", line)


def test_wrong_parquet_judgements_are_named(tmp_path):
    pl.DataFrame(GOOD).rename({"score": "label"}).write_parquet(tmp_path / "q.parquet")
    pl.DataFrame(GOOD).write_parquet(tmp_path / "a.parquet")
    said = "q.parquet: column label contains Float64; expected whole numbers"
    assert refused("q.parquet", "a.parquet", cwd=tmp_path) == said


def test_what_is_no_parquet_or_no_run_is_named(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    (tmp_path / "a.parquet").write_text("no Parquet\n")
    (tmp_path / "empty").mkdir()
    (tmp_path / "folder" / "sub").mkdir(parents=True)
    assert "a.parquet: cannot be read as Parquet" in refused("qrels", "a.parquet", cwd=tmp_path)
    assert "b.parquet: there is no such file" in refused("qrels", "b.parquet", cwd=tmp_path)
    assert "empty: there are no runs in this folder" in refused("qrels", "empty", cwd=tmp_path)
    assert "sub: a folder among runs must be called run=NAME" in refused(
        "qrels", "folder", cwd=tmp_path
    )


def test_scoring_imports_no_framework(files):
    code = (
        "import sys; from pres_plugin.cli.app import run; "
        "sys.argv = ['pres-eval', 'score', 'qrels', 'trec', '-m', 'PRES@5 AP R@5']; run(); "
        "print(sorted({'ir_measures', 'pandas', 'matplotlib', 'scipy'} & set(sys.modules)))"
    )
    assert run_python(code, cwd=files).splitlines()[-1] == "[]"


# Folders of a run

HIDDEN = [".a.parquet", "_tmp.parquet", "_SUCCESS", ".part-0.crc", "_temporary/0/a.parquet"]


@pytest.mark.parametrize("level", ["", "run=one", "run=one/part=2"])
@pytest.mark.parametrize("hidden", HIDDEN)
def test_hidden_and_partial_files_are_left_out_at_every_level(files, runs, level, hidden):
    part = files / "hive" / "run=one" / "part=2"
    part.mkdir(parents=True)
    rows(runs["one"], "score").write_parquet(part / "0.parquet")
    expected = scored("qrels", "hive", cwd=files)
    path = files / "hive" / level / hidden
    path.parent.mkdir(parents=True, exist_ok=True)
    # It would put another document first in each topic.
    better = [(f"q{t}", "better", 1e301) for t in range(4)]
    rows(better, "score").write_parquet(path)
    assert scored("qrels", "hive", cwd=files) == expected


@pytest.mark.parametrize("hidden", HIDDEN)
def test_hidden_files_are_left_out_of_a_table_of_judgements(files, hidden):
    table = files / "table.parquet"
    table.mkdir()
    (files / "qrels.parquet").rename(table / "0.parquet")
    path = table / hidden
    path.parent.mkdir(parents=True, exist_ok=True)
    rows([("q9", "d1", 1)], "relevance").write_parquet(path)
    expected = scored("qrels", "trec", cwd=files)
    assert scored("table.parquet", "trec", cwd=files) == expected


def test_parquet_files_in_subfolders_belong_to_the_run(files, runs):
    expected = scored("qrels", "trec/one.gz", cwd=files)
    folder = files / "hive" / "run=one"
    for i, part in enumerate([folder, folder / "part=1", folder / "part=2" / "day=3"]):
        part.mkdir(parents=True, exist_ok=True)
        rows(runs["one"][12 * i : 12 * i + 12 if i < 2 else None], "score").write_parquet(
            part / "a.parquet"
        )
    assert scored("qrels", "hive", cwd=files) == expected
    assert scored("qrels", "hive/run=one", cwd=files) == expected


@pytest.mark.parametrize("level", ["run=one", "run=one/part=2"])
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("notes.txt", "{path}: only Parquet files belong in {folder}; move it elsewhere"),
        ("x.run.gz", "{path}: only Parquet files belong in {folder}; move it elsewhere"),
        ("run=two/", "{path}: one run's folder is inside another's; move it out"),
        ("up", "{path}: this link leads to a folder that is already included"),
    ],
)
def test_what_does_not_belong_in_the_folder_of_a_run_is_named(files, runs, level, wrong, said):
    folder = files / "hive" / level
    folder.mkdir(parents=True)
    rows(runs["one"], "score").write_parquet(folder / "0.parquet")
    path = folder / wrong
    if wrong == "up":
        path.symlink_to(files / "hive" / "run=one")
    elif wrong.endswith("/"):
        path.mkdir()
    else:
        path.write_text("")
    expected = said.format(path=path.relative_to(files), folder=folder.relative_to(files))
    assert refused("qrels", "hive", cwd=files) == expected


def test_a_column_run_must_agree_with_the_name_of_the_folder(files, runs):
    expected = scored("qrels", "trec/one.gz", cwd=files)
    folder = files / "hive" / "run=one"
    folder.mkdir(parents=True)
    rows(runs["one"], "score", run=pl.lit("one")).write_parquet(folder / "0.parquet")
    assert scored("qrels", "hive", cwd=files) == expected
    rows(runs["one"][:9], "score", run=pl.lit("two")).write_parquet(folder / "1.parquet")
    assert refused("qrels", "hive", cwd=files) == (
        "hive/run=one/1.parquet: column run contains 'two', but the folder is that of run 'one'"
    )


# Files that change


def replaced(path):
    """Put another file in its place, as ``mv`` does."""
    other = Path(f"{path}.new")
    pl.read_parquet(path).head(5).write_parquet(other)
    os.replace(other, path)


def overwritten(path):
    content = Path(path).read_bytes()
    with open(path, "r+b") as file:
        file.write(content + content)


def touched(path):
    """The same size and content, written at another time."""
    os.utime(path, ns=(0, 0))


CHANGES = pytest.mark.parametrize("change", [replaced, overwritten, touched, os.remove])
CHANGED = "the file changed while it was read; run again when nothing writes to it"


@pytest.fixture
def parts(tmp_path, runs):
    """Three runs in the two files of a table; the order of topics scatters their rows."""
    frame = table(runs).sort("query_id", maintain_order=True)
    paths = [str(tmp_path / name) for name in ("0.parquet", "1.parquet")]
    for path, part in zip(paths, (frame.head(70), frame.tail(-70)), strict=True):
        part.write_parquet(path)
    return paths


@CHANGES
@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize(
    "pieces",
    [
        lambda files: Runs("table", "score", files, None).pieces(),
        lambda files: Runs("table", "score", files, "a name").pieces(),
        lambda files: Runs("table", "score", files, None).whole_runs("error"),
    ],
    ids=["runs", "a run", "batches"],
)
def test_a_run_that_changes_between_two_pieces_is_an_error(
    parts, change, which, pieces, monkeypatch
):
    monkeypatch.setattr(parquet, "ROWS", 10)
    monkeypatch.setattr(runs_module, "ROWS_IN_MEMORY", 10)
    reading = pieces(tuple(ParquetFile(path) for path in parts))
    next(reading)
    change(parts[which])
    with pytest.raises(FileError) as caught:
        list(reading)
    assert str(caught.value) == f"{parts[which]}: {CHANGED}"


@CHANGES
@pytest.mark.parametrize(
    "path", ["hive", "hive/run=one", "table", "table/0.parquet", "one.parquet"]
)
@pytest.mark.parametrize("fast", [True, False], ids=["scores", "dicts"])
def test_a_run_that_changes_after_it_was_listed_is_an_error(tmp_path, runs, change, path, fast):
    for name in ("hive/run=one/0", "hive/run=one/1", "table/0", "table/1", "one"):
        file = tmp_path / f"{name}.parquet"
        file.parent.mkdir(parents=True, exist_ok=True)
        more = {"run": pl.lit("one")} if name.startswith("table") else {}
        half = runs["one"][24 * name.endswith("1") :][:24]
        rows(half, "score", **more).write_parquet(file)
    judged = JudgedTopics(rows([("q0", "d1", 1)], "relevance"), [parse("AP")])
    with ExitStack() as until:
        [run] = runs_in(str(tmp_path / path), until)
        assert run.scores(judged, "error")
        assert list(run.dicts("error"))
        change(changed := run.files[-1].path)
        with pytest.raises(FileError) as caught:
            run.scores(judged, "error") if fast else list(run.dicts("error"))
    assert str(caught.value) == f"{changed}: {CHANGED}"


@CHANGES
def test_judgements_that_change_while_they_are_read_are_an_error(files, change):
    path = str(files / "qrels.parquet")
    opened = ParquetFile(path)
    assert sum(piece.height for piece in opened.pieces("relevance")) > 9
    change(path)
    with pytest.raises(FileError) as caught:
        list(opened.pieces("relevance"))
    assert str(caught.value) == f"{path}: {CHANGED}"
