"""Files of every size score as the definitions of the measures say."""

import gzip
from collections import defaultdict
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import by_definition
import polars as pl
import pytest
from beginnings import raises, warns
from command import pres_eval
from hypothesis import example, given
from hypothesis import strategies as st
from repetitions import every

from pres_plugin import InputError
from pres_plugin.files import score
from pres_plugin.tables import file_sets, parquet, text

COLUMNS = ["run", "query_id", "doc_id", "score"]
MEASURES = ["PRES@3", "PRES_est(rel=2)@3", "AP", "AP(judged_only=True)@9", "R(rel=2)@2"]

#: Topic q3 is in no run, and nothing is relevant for q4.
QRELS = {
    "q2": {"a": 1, "b": 0, "😀": 2},
    "q1": {"10": 2, "é": 1, "first": 1, "B": -1},
    "q3": {"a": 1},
    "q4": {"a": 0},
}
#: Ids that a reader of tables could change, or whose order in UTF-16 is another one.
DOCS = ["a", "b", "B", "10", "9", "1e3", "é", "😀", "\ufffd", 'say"x"', "null", "a\u00a0b"]
#: Some of these scores are equal as 32-bit floats.
SCORES = [1.0, 1.0000000001, 0.0, -0.0, 1e300, float("inf"), 1e-300, -2.5]


def by_run(frame):
    return [(name, rows) for (name,), rows in frame.group_by("run", maintain_order=True)]


def write_trec(folder, frame):
    line = pl.format("{} Q0 {} 1 {} tag\n", "query_id", "doc_id", "score")
    for name, rows in by_run(frame):
        content = "".join(rows.select(line).to_series()).encode()
        (folder / name).write_bytes(gzip.compress(content, 1) if name == "two" else content)


def write_partitions(folder, frame):
    """Write two Parquet files per run, as Spark and others do."""
    for name, rows in by_run(frame):
        parts = folder / f"run={name}"
        parts.mkdir()
        half = rows.height // 2
        rows.drop("run").head(half).write_parquet(parts / "0.parquet")
        rows.drop("run").slice(half).write_parquet(parts / "1.parquet")


#: Functions that write runs into a folder.
WRITERS = {
    "TREC": write_trec,
    "CSV": lambda folder, frame: frame.write_csv(folder / "runs.csv"),
    "Parquet": lambda folder, frame: frame.write_parquet(folder / "runs.parquet"),
    "Parquet folders": write_partitions,
}


def write(folder, frame, qrels, writer):
    folder = Path(folder)
    lines = (f"{q} 0 {d} {n}\n" for q, docs in qrels.items() for d, n in docs.items())
    (folder / "qrels").write_text("".join(lines))
    (folder / "runs").mkdir()
    WRITERS[writer](folder / "runs", frame)
    return folder / "qrels", folder / "runs"


def by_hand(frame, qrels, duplicates="last"):
    """Return the scores by run, topic and measure; the means belong to topic ``all``."""
    values = {}
    for name, rows in by_run(frame):
        run = defaultdict(dict)
        for query_id, doc_id, value in rows.drop("run").iter_rows():
            if duplicates != "first" or doc_id not in run[query_id]:
                run[query_id][doc_id] = value
        scores = by_definition.values(MEASURES, qrels, run)
        values |= {(name, *key): value for key, value in scores.items()}
    return values


def check(paths, expected, duplicates="error"):
    """Check the scores that the function returns, and the means that the command prints."""
    rows = score(*paths, MEASURES, duplicates=duplicates).rows()
    found = {tuple(key): value for *key, value in rows}
    assert len(found) == len(rows)
    options = ("-m", " ".join(MEASURES), "--duplicates", duplicates, "-p", -1, "-f", "tsv")
    for line in pres_eval("score", *paths, *options).stdout.splitlines()[1:]:
        name, measure, mean = line.split("\t")
        found[name, "all", measure] = float(mean)
    assert found == pytest.approx(expected, abs=1e-12)


@example(
    [("one", "q1", "a", 1.0), ("one", "q2", "a", 1.0), ("one", "q1", "a", 2.0)], "TREC", "last"
)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["one", "two"]),
            st.sampled_from(["q1", "q2", "q4", "unjudged"]),
            st.sampled_from(DOCS),
            st.sampled_from(SCORES),
        ),
    ),
    st.sampled_from(list(WRITERS)),
    st.sampled_from(["first", "last"]),
)
def test_small_runs_score_as_defined(rows, writer, duplicates):
    rows = [("one", "q2", "first", 1.0), ("two", "q1", "first", 1.0), *rows]
    frame = pl.DataFrame(rows, COLUMNS, orient="row")
    with TemporaryDirectory() as folder:
        paths = write(folder, frame, QRELS, writer)
        check(paths, by_hand(frame, QRELS, duplicates), duplicates)


#: The number of topics and of documents: a piece of a file contains many topics, or less than one.
SHAPES = {
    "topics one after the other": (40, 500),
    "topics scattered over the file": (40, 500),
    "one huge topic": (2, 10_000),
    "tiny topics": (1500, 10),
}


@pytest.fixture(params=[1, pytest.param(4, marks=pytest.mark.release)])
def times(request, monkeypatch):
    """How many times as many topics and documents there are; files are read in small pieces."""
    monkeypatch.setattr(text, "PIECE", 16_384 * request.param)
    monkeypatch.setattr(file_sets, "ROWS_AT_ONCE", 1000 * request.param)
    monkeypatch.setattr(parquet, "ROWS", 5000 * request.param)
    return request.param


@cache
def large(shape, times):
    """Return rows of two runs, judgements, and the scores.

    The runs lack every seventh topic, and the judgements every fifth.
    """
    n_topics, n_docs = (times * n for n in SHAPES[shape])
    topics, docs = pl.DataFrame({"topic": range(n_topics)}), pl.DataFrame({"doc": range(n_docs)})
    noise = (pl.struct("topic", "doc").hash(seed=7) % 9973).cast(int)
    pairs = topics.join(docs, how="cross").select(
        "topic",
        run=pl.when(noise % 2 == 0).then(pl.lit("one")).otherwise(pl.lit("two")),
        query_id=pl.format("q{}", "topic"),
        doc_id=pl.format("d{}", "doc"),
        score=noise % 101 / 8 + noise % 3 * 1e-12,
        relevance=noise % 7 - 4,
    )
    judged = pairs.filter(pl.col("topic") % 5 > 0, pl.col("relevance") > -2)
    qrels = defaultdict(dict)
    for query_id, doc_id, relevance in judged.select("query_id", "doc_id", "relevance").rows():
        qrels[query_id][doc_id] = relevance
    rows = pairs.filter(pl.col("topic") % 7 > 0).sample(fraction=0.9, shuffle=True, seed=1)
    if shape != "topics scattered over the file":
        rows = rows.sort("run", "query_id", maintain_order=True)
    frame = rows.select(COLUMNS)
    return frame, qrels, by_hand(frame, qrels)


@pytest.mark.parametrize("case", every(5, product(WRITERS, SHAPES), pytest.mark.ci), ids=", ".join)
def test_large_runs_score_as_defined(tmp_path, case, times):
    writer, shape = case
    frame, qrels, expected = large(shape, times)
    check(write(tmp_path, frame, qrels, writer), expected)


def test_a_large_file_with_scattered_topics_is_announced(tmp_path, times, monkeypatch):
    frame, qrels, _ = large("topics scattered over the file", times)
    paths = write(tmp_path, frame, qrels, "Parquet")
    monkeypatch.setattr(file_sets, "MANY_ROWS", frame.height - 1)
    with warns(UserWarning, f"{tmp_path}/runs: the rows of a topic are not together, .* memory"):
        score(*paths, "AP")


@pytest.mark.ci
@pytest.mark.parametrize("writer", ["TREC", "CSV", "Parquet"])
def test_a_document_that_returns_at_the_end_of_a_large_file_is_found(tmp_path, writer, times):
    frame, qrels, expected = large("topics one after the other", times)
    again = frame.head(1).with_columns(score=pl.lit(99.0))
    paths = write(tmp_path, pl.concat([frame, again]), qrels, writer)
    n_lines = frame.filter(run="one").height + 1
    where = f"one, line {n_lines}" if writer == "TREC" else r"runs\.(csv, line \d+|parquet)"
    query_id, doc_id = again.select("query_id", "doc_id").row(0)
    with raises(
        InputError, f"{tmp_path}/runs/{where}: document '{doc_id}' is in topic '{query_id}'.*first"
    ):
        score(*paths, "AP")
    check(paths, expected, "first")
    check(paths, by_hand(pl.concat([frame, again]), qrels), "last")
