"""What every subcommand does with runs and judgements that are easily scored wrong."""

import json
import os
from pathlib import Path

import polars as pl
import pytest
from command import pres_eval, refused, table_of

#: A command that ranks files in pieces, and one that reads runs as dicts, for nDCG.
DOORS = [("score", "-m", "PRES@2 AP R@2"), ("sweep", "-m", "PRES nDCG", "--n-max", "1,2")]
each_door = pytest.mark.parametrize("door", DOORS, ids=["pieces", "dicts"])

QRELS = "q1 0 a 1\nq1 0 b 1\nq2 0 a 1\n"
# One finds what is relevant for the first topic, the other for the second.
FIRST = "q1 Q0 a 1 9 t\nq1 Q0 b 2 8 t\nq2 Q0 x 1 9 t\nq2 Q0 y 2 8 t\n"
SECOND = "q1 Q0 x 1 9 t\nq1 Q0 y 2 8 t\nq2 Q0 a 1 9 t\nq2 Q0 b 2 8 t\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Judgements, and two different runs in files of the same name; the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    for folder, content in (("a", FIRST), ("b", SECOND)):
        Path(folder).mkdir()
        Path(folder, "run.txt").write_text(content)
    return tmp_path


def as_table(content, **more):
    lines = [line.split() for line in content.splitlines()]
    rows = [(line[0], line[2], float(line[4])) for line in lines]
    frame = pl.DataFrame(rows, ["query_id", "doc_id", "score"], orient="row")
    return frame.with_columns(**more)


def several_runs(folder, content):
    """Write a table and MTEB's predictions with two runs each."""
    Path(folder).mkdir(exist_ok=True)
    frames = [as_table(content, run=pl.lit(name)) for name in ("bm25", f"only {folder}")]
    pl.concat(frames).write_csv(f"{folder}/all.csv")
    topics = {}
    for topic, _, doc_id, _, score, _ in map(str.split, content.splitlines()):
        topics.setdefault(topic, {})[doc_id] = float(score)
    splits = {"mteb_model_meta": {}, "en": {"dev": topics, "test": topics}}
    Path(folder, "Task_predictions.json").write_text(json.dumps(splits))


FOLDERS = {
    "tables": ("all.csv", ["a/all/bm25", "only a", "b/all/bm25", "only b"]),
    "MTEB": ("Task_predictions.json", [f"{m}/Task/en/{s}" for m in "ab" for s in ("dev", "test")]),
}


@pytest.mark.parametrize(("file", "names"), FOLDERS.values(), ids=FOLDERS)
def test_runs_of_the_same_name_in_files_of_several_are_told_apart(files, file, names):
    alone = {}
    for folder, content in (("a", "q1 Q0 a 1 9 t\nq2 Q0 x 1 9 t\n"), ("b", SECOND)):
        several_runs(folder, content)
        Path(f"{folder}.run").write_text(content)
        ((_, *alone[folder]),) = table_of("score", "qrels", f"{folder}.run", "-m", "nDCG")
    assert alone["a"] != alone["b"]
    both = "score", "qrels", f"a/{file}", f"b/{file}", "-m", "nDCG"
    rows = [[name, *alone[name.removeprefix("only ")[0]]] for name in names]
    assert table_of(*both) == rows
    selected = "bm25" if file == "all.csv" else "Task/en/dev"
    assert table_of(*both, "--run-name", selected) == rows[::2]


@each_door
def test_a_run_in_a_column_and_a_file_of_the_same_name_are_refused(files, door):
    as_table(FIRST, run=pl.lit("run")).write_parquet("all.parquet")
    subcommand, *options = door
    assert refused(subcommand, "qrels", "a/run.txt", "all.parquet", *options) == (
        "two runs are called run: a/run.txt and all.parquet, run run; give each run once, or a "
        "name of its own (NAME=FILE)"
    )


@pytest.mark.parametrize("option", ["--baseline", "--out"])
def test_an_empty_path_is_refused(files, option):
    line = refused("compare", "qrels", "a", option, "")
    assert "'' is an empty path; is a shell variable unset?" in line
    assert sorted(os.listdir()) == ["a", "b", "qrels"]


def test_a_topic_called_all_is_told_apart_from_the_mean(files):
    for path, content in (("qrels", QRELS), ("a.run", FIRST)):
        Path(path).write_text(content.replace("q2", "all"))
    arguments = ("score", "qrels", "a.run", "-m", "AP")
    code, out, err = pres_eval(*arguments, "-q", "-f", "tsv")
    warning = "qrels: a topic is called 'all', so the mean is called 'all topics'"
    assert (code, err) == (0, f"pres-eval: warning: {warning}\n")
    _, *rows = [line.split("\t") for line in out.splitlines()]
    # trec_eval's AP of a topic with everything on top and one with nothing
    expected = [["q1", "1.0000"], ["all", "0.0000"], ["all topics", "0.5000"]]
    assert [row[1::2] for row in rows] == expected


BEYOND = {
    "score": ("score", "-m", "PRES@2 PRES@3 PRES_est@1000 AP@1000 R@9 Rnorm(N=99)@9"),
    "sweep": ("sweep", "-m", "PRES R", "--n-max", "2,3,1000"),
}


@pytest.mark.parametrize("door", BEYOND.values(), ids=BEYOND)
def test_a_run_that_ends_before_nmax_gets_one_warning(files, door):
    subcommand, *options = door
    code, _, err = pres_eval(subcommand, "qrels", "a/run.txt", *options)
    measures = "PRES@3, PRES_est@1000" if subcommand != "sweep" else "PRES@3, PRES@1000"
    assert (code, err) == (
        0,
        "pres-eval: warning: a/run.txt has at most 2 documents per topic; "
        f"relevant documents outside the run count as missed by {measures}\n",
    )


@pytest.mark.parametrize(
    ("measures", "lowest"),
    [
        ("PRES_est@1 nDCG@1 LastRel@1 R@2 AP", None),
        ("R@2 PRES_est@1 AP@1 PRES@1", "AP@1"),
        ("PRES(rel=2)@1 R@1", "R@1"),  # one document has a relevance of 2
        ("Rnorm(N=9)@1", "Rnorm(N=9)@1"),
    ],
)
def test_one_note_counts_the_topics_with_more_relevant_documents_than_nmax(files, measures, lowest):
    Path("qrels").write_text(QRELS.replace("b 1", "b 2"))
    code, _, err = pres_eval("score", "qrels", "a", "b", "-m", measures)
    note = (
        f"pres-eval: note: in 1 of 2 topics, {lowest} cannot reach 1, because more than 1 "
        "documents are relevant: q1\n"
    )
    assert (code, err) == (0, note if lowest else "")


@pytest.mark.ci
@each_door
@pytest.mark.parametrize(
    ("scores", "tied"),
    [
        ({"q1": ["1", "1"], "q2": ["0", "-0.0", "0"], "q3": ["2", "1"]}, True),
        # equal as 32-bit floats
        ({"q1": ["1e9", "999999999"], "q2": ["1e60", "1e50"], "q3": ["1"]}, True),
        ({"q1": ["1", "1", "0"], "q2": ["0", "1", "0"], "q3": ["1", "1"]}, False),
        ({"q1": ["1", "1"], "q2": ["1"], "q3": ["1"]}, False),
        ({"q1": ["1", "1"], "q2": ["1", "2"], "q3": ["2", "1"], "q4": ["1", "1"]}, False),
    ],
)
def test_a_run_in_which_most_topics_have_one_score_gets_a_warning(files, door, scores, tied):
    Path("qrels").write_text("q1 0 d0 1\nq2 0 d0 1\nq3 0 d0 1\n")
    rows = [(q, i, score) for q, of_q in scores.items() for i, score in enumerate(of_q)]
    Path("a.run").write_text("".join(f"{q} Q0 d{i} 0 {score} t\n" for q, i, score in rows))
    Path("a.csv").write_text("topic,doc,rank\n" + "".join(f"{q},d{i},{i}\n" for q, i, _ in rows))
    subcommand, *options = door
    warning = "pres-eval: warning: a.run: in 2 of 3 topics, all documents have the same score, so "
    for path, warned in (("a.run", tied), ("a.csv", False)):
        lines = pres_eval(subcommand, "qrels", path, *options).stderr.splitlines()
        said = [line for line in lines if "the same score" in line]
        assert [line.startswith(warning) for line in said] == [True] * warned


@pytest.mark.ci
@pytest.mark.parametrize("n_runs", [3, 100])
def test_warnings_of_one_kind_about_many_runs_are_one(files, n_runs):
    Path("many").mkdir()
    names = [f"many/{i:03}.run" for i in range(n_runs)]
    for name in names:
        Path(name).write_text("q1 Q0 a 1 9 t\nq3 Q0 a 1 9 t\n")
    result = pres_eval("score", "qrels", "many", "-m", "PRES@3")
    lines = result.stderr.splitlines()
    of_first = [line for line in lines if line.startswith(f"pres-eval: warning: {names[0]}")]
    assert len(of_first) == 3  # q2 is missing, q3 is not judged, and the run is short
    if n_runs == 3:
        assert len(lines) == 9
    else:
        more = f"; 99 more runs have a similar problem: {', '.join(names[1:4])}, …"
        assert lines == of_first
        assert all(line.endswith(more) for line in lines)
