"""The table docs/reference/errors.csv: what each interface raises for each kind of wrong input.

One door of each interface gets every kind of wrong measure and wrong row. `OTHER` is what can be
wrong besides, with a call of each interface that checks it by itself.
"""

import ast
import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click
import ir_measures
import pandas as pd
import polars as pl
import pytest
from beginnings import raises
from command import pres_eval

import pres_plugin
from pres_plugin import files, frames
from pres_plugin.files import read_qrels, read_run
from pres_plugin.study import compare, explain, robustness, scoring, sweep

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "errors.md"
#: What a cell adds if a framework raises the error itself, with a message of its own.
ITS_OWN = " (its own)"
NOT_RAISED = {"–", "comes last", "last counts", "counts as it is", "becomes a string", "scores 0"}
NAN = float("nan")

# The longest id is as long as in our tests of ranx, so that numba need not compile it again.
RUN = (("q1", "a", 3.0), ("q1", "EP1203408", 2.0), ("q2", "a", 1.0))
QRELS = (("q1", "a", 1), ("q1", "EP0971334", 1), ("q2", "a", 1))


@dataclass(frozen=True)
class Wrong:
    """Something to score, and what an error about it names, as a regular expression."""

    named: str
    measures: Sequence = ("PRES@2",)
    run: Sequence = RUN
    qrels: Sequence = QRELS


def run_with(row, named):
    return Wrong(named, run=(*RUN, row))


def qrels_with(row, named):
    return Wrong(named, qrels=(*QRELS, row))


# A file in TREC's format is named with the line, and a column of one type with its name.
KINDS = {
    "measure that does not exist": Wrong("(?i)press", ["PRESS@2"]),
    "measure that cannot be read": Wrong("(?i)pres", ["PRES(@2"]),
    "cutoff missing": Wrong("cutoff", ["PRES"]),
    "cutoff not a positive whole number": Wrong("0", ["PRES@0"]),
    "parameter that does not exist": Wrong("(?i)pres.*n", ["PRES(n=1)@2"]),
    "Rnorm without the size of its collection": Wrong("(?i)rnorm.*collection", ["Rnorm"]),
    "no measure at all": Wrong("no measure is given", []),
    "N smaller than the collection of a topic": Wrong("(?i)rnorm.*topic.*1.*3", ["Rnorm(N=2)"]),
    "score that is NaN": run_with(("q2", "n", NAN), "NaN"),
    "score that is not a number": run_with(("q2", "n", "high"), "'high'|score"),
    "document retrieved twice": run_with(("q2", "a", 0.5), "'q2'|line 4"),
    "relevance that is not a whole number": qrels_with(("q2", "h", 0.5), r"0\.5|'relevance'"),
    "relevance beyond 64 bits": qrels_with(("q2", "h", 2**63), f"'q2'.*'h'|line 4.*{2**63}"),
    "document judged twice": qrels_with(("q2", "a", 2), "'q2'|line 4"),
    "topic id that is a whole number": Wrong(
        "topic 1|query_id", run=((1, "a", 1.0), (1, "b", 2.0)), qrels=(*QRELS, ("1", "a", 1))
    ),
    "document id that is a whole number": Wrong(
        "document 7|doc_id", run=(("q1", 7, 1.0), ("q1", 8, 2.0))
    ),
    "missing id": run_with(("q2", None, 0.5), "doc"),
    "no topic in common": Wrong("q8.*q1", run=(("q8", "EP1203408", 1.0), ("q9", "a", 1.0))),
}
IN_RANX = {"PRES(@2": "pres@x", "PRES(n=1)@2": "pres.n@2", "Rnorm(N=2)": "rnorm.2"}


# --- The doors. ----------------------------------------------------------------------------------


def dicts(rows):
    found = {}
    for topic, doc, value in rows:
        found.setdefault(topic, {})[doc] = value
    return found


def table(rows, value):
    names = ["query_id", "doc_id", value]
    return pl.DataFrame(rows, names, orient="row", strict=False, infer_schema_length=None)


def objects(rows, *columns):
    """A frame whose values stay what they are: one that is wrong does not change the others."""
    return pd.DataFrame(rows, columns=columns, dtype=object)


def by_dicts(given, _):
    measures = map(ir_measures.parse_measure, given.measures)
    return ir_measures.calc_aggregate(measures, dicts(given.qrels), dicts(given.run))


def by_dataframes(given, _):
    qrels = objects(given.qrels, "query_id", "doc_id", "relevance")
    run = objects(given.run, "query_id", "doc_id", "score")
    return ir_measures.calc_aggregate(map(ir_measures.parse_measure, given.measures), qrels, run)


def by_pyterrier(given, _):
    pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")
    run = objects(given.run, "qid", "docno", "score")
    ids = ["qid", "docno"]
    run[ids] = run[ids].infer_objects()  # PyTerrier makes strings of columns of numbers
    topics = pd.DataFrame({"qid": ["q1", "q2"], "query": "valve"})
    return pt.Experiment(
        [run], topics, objects(given.qrels, "qid", "docno", "label"), given.measures
    )


def by_ranx(given, _):
    ranx = pytest.importorskip("ranx", reason="ranx is not installed")
    names = [IN_RANX.get(measure, measure.lower()) for measure in given.measures]
    return ranx.evaluate(ranx.Qrels(dicts(given.qrels)), ranx.Run(dicts(given.run)), *names or [[]])


def by_frames(given, _):
    return frames.score(table(given.run, "score"), table(given.qrels, "relevance"), given.measures)


def parquet(given, folder):
    table(given.qrels, "relevance").write_parquet(folder / "qrels.parquet")
    table(given.run, "score").write_parquet(folder / "run.parquet")
    return folder / "qrels.parquet", folder / "run.parquet"


def by_files(given, folder):
    return files.score(*parquet(given, folder), given.measures)


def by_readers(given, folder):
    (folder / "qrels").write_text("".join(f"{q} 0 {d} {n}\n" for q, d, n in given.qrels))
    (folder / "run").write_text("".join(f"{q} Q0 {d} 0 {s} t\n" for q, d, s in given.run))
    return read_qrels(folder / "qrels"), read_run(folder / "run")


def by_study(given, _):
    return scoring.score(dicts(given.qrels), {"run": dicts(given.run)}, given.measures)


def command(*arguments):
    """Run the command, and raise its exit code and the only line that it prints, if it fails."""
    result = pres_eval(*arguments)
    if result.returncode:
        (line,) = (result.stdout + result.stderr).splitlines()
        raise RuntimeError(f"exit code {result.returncode}: {line}")


def by_command(given, folder):
    command("score", *parquet(given, folder), "-m", " ".join(given.measures))


#: By column of the table.
DOORS = {
    by_dicts: "ir-measures",
    by_dataframes: "ir-measures",
    by_pyterrier: "PyTerrier",
    by_ranx: "ranx",
    by_frames: "frames",
    by_files: "files",
    by_readers: "read_run, read_qrels",
    by_study: "studies",
    by_command: "pres-eval",
}

# --- What is wrong in another way than a row or a measure. ---------------------------------------

GOOD = dicts(QRELS), {"a": dicts(RUN), "b": dicts(RUN)}


def scored_frame(run, **options):
    return partial(frames.score, run, table(QRELS, "relevance"), "PRES@2", **options)


def ranked(*ranks):
    rows = [(topic, doc, rank) for (topic, doc, _), rank in zip(RUN, ranks, strict=True)]
    return scored_frame(table(rows, "rank"), rank="rank")


def scored_file(*runs, **options):
    return partial(files.score, "qrels", runs, "PRES@2", **options)


def in_command(text):
    return partial(command, *text.split(" "))


def options(study, *needed, **values):
    """Call a study with each of these values of its options."""
    return [partial(study, *GOOD, *needed, **{k: v}) for k, vs in values.items() for v in vs]


#: By row and column of the table, calls.
OTHER = {
    ("rank below 0", "frames"): [ranked(1, 2, -1)],
    ("two documents of the same rank", "frames"): [ranked(1, 1, 1)],
    ("two documents of the same rank", "files"): [scored_file("same-rank")],
    ("invalid ranks (below 1, repeated, or too high for N)", "pres, …"): [
        partial(pres_plugin.pres, [3, 3], 4, 100)
    ],
    ("number out of range", "pres, …"): [partial(pres_plugin.f_prime, 25, 0.5)],
    ("missing column", "frames"): [scored_frame(table(RUN, "points"))],
    ("missing column", "files"): [scored_file("no-ids.csv")],
    ("line with missing fields", "read_run, read_qrels"): [partial(read_run, "short")],
    ("file that does not exist", "files"): [scored_file("no-file")],
    ("file that does not exist", "pres-eval"): [in_command("score qrels no-file")],
    ("empty path", "pres-eval"): [in_command("score qrels ")],
    ("input that is not a run", "frames"): [scored_frame(5), scored_frame(dicts(RUN))],
    ("input that is not a run", "pres, …"): [
        partial(pres_plugin.relevant_ranks, "abc", {"a"}),
        partial(pres_plugin.relevant_ranks, ["a"], {"a": 1}),
    ],
    ("input that is not a run", "studies"): [
        partial(scoring.score, GOOD[0], runs, ["AP"]) for runs in ({"run": 5}, [dicts(RUN)])
    ],
    ("two runs of the same name", "studies"): [
        partial(scoring.score, GOOD[0], [("a", dicts(RUN))] * 2, ["AP"])
    ],
    ("two runs of the same name", "files"): [scored_file("run", "run")],
    ("topic to explain that has no judgements", "studies"): [
        partial(explain.explain, *GOOD, "q7", 2)
    ],
    ("invalid value of an option", "frames"): [scored_frame(table(RUN, "score"), duplicates="all")],
    ("invalid value of an option", "files"): [scored_file("run", duplicates="all")],
    ("invalid value of an option", "read_run, read_qrels"): [partial(read_run, "run", "all")],
    ("invalid value of an option", "studies"): [
        *options(compare.compare, ["AP"], test=["foo"], alpha=["0.05"], confidence=[0]),
        *options(robustness.robustness, ["AP"], samples=[0], fractions=[[1.1], 0.5]),
        *options(sweep.sweep, ["PRES"], cutoffs=[[], [2.7], [10**13]]),
        *options(partial(sweep.sweep, cutoffs=[2]), measures=[["PRES@2"], ["Rprec"]]),
        *options(explain.explain, "q1", n_max=[2.5]),
        # Measures that nothing here computes are not blamed on the judgements.
        *options(scoring.score, measures=[["R"], [3], ["NRBP"]]),
    ],
    ("invalid value of an option", "pres-eval"): [
        in_command("score --duplicates foo qrels run"),
        in_command("sweep --n-max 10:100:0 qrels run"),
    ],
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The current folder, with good files and bad ones."""
    by_readers(Wrong(""), tmp_path)
    (tmp_path / "same-rank").write_text("qid,docno,rank\nq1,a,1\nq1,b,1\n")
    (tmp_path / "short").write_text("q1 Q0 a 1 3 t\nq1 Q0 b\n")
    table(RUN, "score").drop("doc_id").write_csv(tmp_path / "no-ids.csv")
    monkeypatch.chdir(tmp_path)


# --- The table, and the walk. --------------------------------------------------------------------

with PAGE.with_suffix(".csv").open(encoding="utf-8", newline="") as lines:
    TABLE = {row.pop("wrong input"): row for row in csv.DictReader(lines)}


def test_every_row_of_the_table_is_walked():
    assert {*KINDS, *(kind for kind, _ in OTHER)} == TABLE.keys()


# Each framework words its own messages, but none begins with a place that is missing.
BEGINNING = r"(exit code \d: pres-eval: )?+(?!None|:)"


def check(said, named, call):
    """Call, and compare the error with what the table says and with what it has to name."""
    if said in NOT_RAISED:
        call()
        return
    with raises(Exception, BEGINNING) as caught:
        call()
    message = str(caught.value)
    if said.startswith("exit code"):
        assert message.startswith(said)
    else:
        assert type(caught.value).__name__ == said.removesuffix(ITS_OWN), repr(caught.value)
    if not said.endswith(ITS_OWN):
        assert re.search(named, message)
        assert "<object" not in message


CASES = [(kind, door) for kind in KINDS for door in DOORS if TABLE[kind][DOORS[door]] != "–"]


@pytest.mark.xdist_group("ranx")
@pytest.mark.parametrize(("kind", "door"), CASES)
def test_an_interface_raises_what_the_table_says(kind, door, tmp_path):
    check(TABLE[kind][DOORS[door]], KINDS[kind].named, partial(door, KINDS[kind], tmp_path))


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("kind", "interface"), OTHER)
def test_what_else_can_be_wrong_is_raised_too(kind, interface):
    for call in OTHER[kind, interface]:
        check(TABLE[kind][interface], "", call)


def test_messages_on_the_page_are_in_the_code():
    """The page names parts of messages, which the package contains as they are, or Click."""
    rows = re.findall(r"^\| (`[^|]+) \| [^|]+ \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    parts = re.findall("`([^`]+)`", "\n".join(rows))
    sources = [*Path(pres_plugin.__file__).parent.rglob("*.py"), Path(click.exceptions.__file__)]
    code = "\n".join(
        node.value
        for path in sources
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    assert len(parts) > 50
    assert [part for part in parts if part not in code] == []
