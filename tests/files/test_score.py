"""Files score as dataframes of the same rows do, and as ir-measures scores them."""

import gzip
from pathlib import Path

import command
import ir_measures
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pres_plugin  # noqa: F401 (adds PRES to ir-measures)
from pres_plugin import frames
from pres_plugin.files import FileError, score
from pres_plugin.measures import PRES, MeasureError

MEASURES = ["PRES@2", "PRES_est(rel=2)@3", "Rnorm(N=9)", "AP(judged_only=True)", "R@1"]

JUDGED = [("q2", "a", 1), ("q2", "b", 0), ("q1", "c", 2), ("q1", "a", 1), ("q3", "b", 1)]

# Topics may be unjudged or missing, their rows scattered, and scores equal.
RUN = st.lists(
    st.tuples(st.sampled_from(["q1", "q2", "q9"]), st.sampled_from("abcd"), st.integers(0, 2)),
    unique_by=lambda row: row[:2],
).map(lambda rows: [("q1", "e", 1), *rows])


def table(rows, value):
    return pl.DataFrame(rows, schema=["query_id", "doc_id", value], orient="row")


def write(folder, **runs):
    """Write judgements, and runs in TREC's format; return the path of the judgements."""
    (folder / "qrels").write_text("".join(f"{q} 0 {d} {r}\n" for q, d, r in JUDGED))
    for name, rows in runs.items():
        lines = "".join(f"{q} Q0 {d} 1 {s} t\n" for q, d, s in rows)
        (folder / name).write_text(lines)
    return folder / "qrels"


@given(RUN, RUN)
@settings(
    max_examples=settings.default.max_examples // 5,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
def test_files_score_as_dataframes_do(tmp_path, one, two):
    qrels = write(tmp_path, one=one, two=two)
    got = score(qrels, [tmp_path / "two", str(tmp_path / "one")], MEASURES)
    runs = {name: table(rows, "score") for name, rows in (("two", two), ("one", one))}
    expected = frames.score(
        pl.concat(run.with_columns(run=pl.lit(name)) for name, run in runs.items()),
        table(JUDGED, "relevance"),
        MEASURES,
        by="run",
    )
    assert got.schema == expected.schema
    values = {tuple(key): value for *key, value in expected.rows()}
    keys = [(run, q, m) for run in runs for q in ("q2", "q1", "q3") for m in MEASURES]
    assert got.rows() == [(*key, values[key]) for key in keys]
    assert len(values) == len(keys)


@given(RUN)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_files_score_as_in_ir_measures(tmp_path, rows):
    qrels = write(tmp_path, run=rows)
    measures = ["PRES@2", "AP", "R(rel=2)@3"]
    expected = {(q, str(m)): 0.0 for q, _, _ in JUDGED for m in measures}
    read = ir_measures.read_trec_qrels(str(qrels)), ir_measures.read_trec_run(str(tmp_path / "run"))
    for found in ir_measures.iter_calc(map(ir_measures.parse_measure, measures), *read):
        expected[found.query_id, str(found.measure)] = found.value
    got = {(q, m): value for _, q, m, value in score(qrels, tmp_path / "run", measures).rows()}
    assert got == expected


def test_all_formats_and_folders_score_alike(tmp_path):
    rows = [("q1", "c", 3), ("q1", "x", 3), ("q2", "x", 9), ("q2", "a", 1)]
    qrels = write(tmp_path, run=rows)
    expected = score(qrels, tmp_path / "run", MEASURES)
    table(JUDGED, "relevance").write_parquet(tmp_path / "qrels.parquet")
    parts = tmp_path / "folder" / "run=run"
    parts.mkdir(parents=True)
    table(rows[:1], "score").write_parquet(parts / "0.parquet")
    table(rows[1:], "score").write_parquet(parts / "1.parquet")
    named = table(rows, "score").with_columns(run=pl.lit("run"))
    named.sample(fraction=1, shuffle=True, seed=1).write_parquet(tmp_path / "several.parquet")
    (tmp_path / "run.gz").write_bytes(gzip.compress((tmp_path / "run").read_bytes()))
    for runs in ("folder", "folder/run=run", "several.parquet", "run.gz"):
        assert score(tmp_path / "qrels.parquet", tmp_path / runs, MEASURES).equals(expected)


def test_the_command_prints_the_same_scores(tmp_path):
    qrels = write(tmp_path, run=[("q1", "c", 3), ("q1", "x", 2), ("q2", "x", 9)])
    scores = score(qrels, tmp_path / "run", MEASURES)
    options = ("-q", "-p", "-1", "-f", "tsv", "-m", " ".join(MEASURES))
    printed = command.pres_eval("score", "qrels", "run", *options, cwd=tmp_path).stdout
    rows = [line.split("\t") for line in printed.splitlines()]
    assert rows[: scores.height] == [list(map(str, row)) for row in scores.rows()]
    assert len(rows) == scores.height + len(MEASURES)  # and the means


def test_measures_may_be_objects_and_repeated_documents_may_be_dropped(tmp_path):
    qrels = write(tmp_path, run=[("q1", "x", 2), ("q1", "c", 1), ("q1", "c", 3)])
    first = score(qrels, tmp_path / "run", PRES(rel=2) @ 2, duplicates="first")
    last = score(qrels, tmp_path / "run", [PRES(rel=2) @ 2], duplicates="last")
    assert [scores["value"].to_list()[1] for scores in (first, last)] == [0.5, 1.0]


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"measures": "nDCG@10"}, MeasureError, "nDCG@10.*use ir_measures for other measures"),
        ({"measures": []}, MeasureError, "no measure is given"),
        ({"runs": "missing"}, FileError, "missing: there is no such file"),
        ({"qrels": "bad"}, FileError, r"bad, line 1: expected 4 fields .*got 6"),
        ({"runs": "bad"}, FileError, r"bad, line 2: document 'a' is in topic 'q1' already; keep"),
        ({"runs": "other"}, FileError, r"other: no topic in common with the qrels \(run: q8;"),
        ({"runs": ["run", "run"]}, FileError, "two runs are called run: .*run and .*run"),
        ({"runs": ["-", "-"]}, FileError, "standard input can be read only once"),
        ({"measures": "Rnorm(N=1)"}, FileError, r"qrels: Rnorm\(N=1\): topic 'q1' has 2"),
        ({"measures": "Rnorm(N=2)"}, FileError, r"run: Rnorm\(N=2\): topic 'q1' has 3"),
        ({"duplicates": "highest"}, ValueError, "duplicates must be 'error', 'first' or 'last'"),
    ],
)
def test_wrong_arguments_and_files_are_named(tmp_path, monkeypatch, arguments, error, said):
    monkeypatch.chdir(tmp_path)
    once = ("q1", "a", 1)
    write(tmp_path, run=[("q1", "x", 1)], bad=[once, once], other=[("q8", "a", 1)])
    with pytest.raises(error, match=said):
        score(**{"qrels": Path("qrels"), "runs": "run", "measures": "AP"} | arguments)
