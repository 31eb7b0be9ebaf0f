"""Parquet files and folders score as the same rows in TREC's format do."""

import gzip
import random
import re
import subprocess
import sysconfig
from pathlib import Path

import polars as pl
import pytest

COMMAND = str(Path(sysconfig.get_path("scripts")) / "pres-eval")
MEASURES = ("-m", "PRES@5 AP R@5 Rnorm(judged_only=True)", "-p", "-1", "-q", "-f", "tsv")


def pres_eval(*arguments, cwd):
    return subprocess.run(
        [COMMAND, "score", *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


def scored(*arguments, cwd):
    result = pres_eval(*arguments, *MEASURES, cwd=cwd)
    assert (result.returncode, result.stderr) == (0, "")
    return [line.split("\t") for line in result.stdout.splitlines()]


def refused(*arguments, cwd):
    result = pres_eval(*arguments, cwd=cwd)
    assert (result.returncode, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    return line.removeprefix("pres-eval: ")


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
    result = pres_eval("qrels", "all.parquet", cwd=files)
    assert result.returncode == 0
    (line,) = result.stderr.splitlines()
    assert "all.parquet, run two: of 4 topics in the qrels, 1 are not in the run" in line


GOOD = {"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "score": [2.0, 1.0]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"score": None}, "there is no column score; the file has query_id, doc_id$"),
        ({"query_id": None}, "there is no column query_id or qid; the file has doc_id, score$"),
        ({"query_id": [1, 2]}, "column query_id holds Int64, where text belongs"),
        ({"score": ["2", "1"]}, "column score holds String, where numbers belong"),
        ({"score": [2.0, None]}, "column score holds null"),
        ({"doc_id": ["a", None]}, "column doc_id holds null"),
        ({"score": [2.0, float("nan")]}, "topic 'q1', document 'b': the score is NaN"),
        ({"doc_id": ["a", "a"]}, "document 'a' is in topic 'q1' twice; keep one of them"),
        ({"query_id": ["z", "z"]}, "no topic in common with the qrels; it has z"),
        ({"query_id": [], "doc_id": [], "score": []}, "the file holds no rows"),
        ({"run": [], "query_id": [], "doc_id": [], "score": []}, "the file holds no rows"),
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
    said = "q.parquet: column label holds Float64, where whole numbers belong"
    assert refused("q.parquet", "a.parquet", cwd=tmp_path) == said


def test_what_is_no_parquet_or_no_run_is_named(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    (tmp_path / "a.parquet").write_text("q1 Q0 a 1 1 t\n")
    (tmp_path / "empty").mkdir()
    (tmp_path / "folder" / "sub").mkdir(parents=True)
    assert "a.parquet: cannot be read as Parquet" in refused("qrels", "a.parquet", cwd=tmp_path)
    assert "b.parquet: there is no such file" in refused("qrels", "b.parquet", cwd=tmp_path)
    assert "empty: there are no runs in this folder" in refused("qrels", "empty", cwd=tmp_path)
    assert "sub: a folder among runs is called run=" in refused("qrels", "folder", cwd=tmp_path)


def test_two_runs_of_one_name_get_a_warning(files, runs):
    rows(runs["two"], "score").write_parquet(files / "one.parquet")
    result = pres_eval("qrels", "trec/one.gz", "one.parquet", cwd=files)
    assert "one.parquet and trec/one.gz are both called one in the results" in result.stderr


def test_scoring_imports_no_framework(files):
    code = (
        "import sys; from pres_plugin.cli.app import run; "
        "sys.argv = ['pres-eval', 'score', 'qrels', 'trec', '-m', 'PRES@5 AP R@5']; run(); "
        "print(sorted({'ir_measures', 'pandas', 'matplotlib', 'scipy'} & set(sys.modules)))"
    )
    python = Path(sysconfig.get_path("scripts")) / "python"
    result = subprocess.run(
        [python, "-c", code], cwd=files, capture_output=True, text=True, check=True
    )
    assert result.stdout.splitlines()[-1] == "[]"
