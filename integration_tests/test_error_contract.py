"""The table docs/reference/errors.csv: each interface gets each kind of wrong input.

The table says what an interface raises for a kind of input; here the interface gets such input.
The page beside it, errors.md, sums the table up.
One door of each interface gets every kind. Its other doors, which check input with the same code,
get one kind each.
"""

import ast
import csv
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import ir_measures
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from command import pres_eval

import pres_plugin
from pres_plugin import files, frames
from pres_plugin.formats import read_qrels, read_run
from pres_plugin.study import compare, explain, robustness, scoring, sweep

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "errors.md"
#: What a cell adds if a framework raises the error itself, with a message of its own.
ITS_OWN = " (its own)"


@dataclass(frozen=True)
class Input:
    """Something to score, and what an error about it has to name.

    Attributes
    ----------
    measure, in_ranx : str or None
        The measure, as ir-measures and as ranx write it.
    run, qrels : tuple of tuples
        Rows of topic, document, and score or relevance.
    names : tuple of str
        What is in the message.
    line : int or None
        The line that is wrong in a file in TREC's format; then `names` need not be there.
    column : str or None
        The column that is wrong where a column has one type; then `names` need not be there.
    about : str
        Which is wrong: the measure, the run or the qrels.
    """

    measure: Any = "PRES@2"
    # The longest id is as long as in our tests of ranx, so that numba need not compile it again.
    run: tuple = (("q1", "a", 3.0), ("q1", "EP1203408", 2.0), ("q2", "a", 1.0))
    qrels: tuple = (("q1", "a", 1), ("q1", "EP0971334", 1), ("q2", "a", 1))
    in_ranx: str = "pres@2"
    names: tuple = ()
    line: int | None = None
    column: str | None = None
    about: str = "run"


RUN, QRELS = Input.run, Input.qrels


def wrong_measure(measure, in_ranx, *names):
    return Input(measure, in_ranx=in_ranx, names=names, about="measure")


def wrong_run(*rows, names, column=None, whole=False):
    rows = rows if whole else (*RUN, *rows)
    line = None if whole else len(rows)
    return Input(run=rows, names=names, line=line, column=column)


def wrong_qrels(row, *names, column=None):
    return Input(qrels=(*QRELS, row), names=names, line=4, column=column, about="qrels")


NAN = float("nan")

#: By the first column of the table.
KINDS = {
    "measure that does not exist": wrong_measure("PRESS@2", "press@2", "PRESS"),
    "measure that cannot be read": wrong_measure("PRES(@2", "pres@x", "PRES("),
    "cutoff missing": wrong_measure("PRES", "pres", "PRES", "cutoff"),
    "cutoff not a positive whole number": wrong_measure("PRES@0", "pres@0", "PRES", "got 0"),
    "parameter that does not exist": wrong_measure("PRES(n=1)@2", "pres.n@2", "PRES", "'n'"),
    "Rnorm without the size of its collection": wrong_measure(
        "Rnorm", "rnorm@2", "Rnorm", "collection"
    ),
    "no measure at all": wrong_measure(None, None, "no measure is given"),
    "N smaller than the collection of a topic": Input(
        "Rnorm(N=2)", in_ranx="rnorm.2", names=("Rnorm(N=2)", "'q1'", "3")
    ),
    "score that is NaN": wrong_run(("q2", "n", NAN), names=("'q2'", "'n'", "NaN")),
    "score that is not a number": wrong_run(
        ("q2", "n", "high"), names=("'q2'", "'n'", "'high'"), column="score"
    ),
    "document retrieved twice": wrong_run(("q2", "a", 0.5), names=("'q2'", "'a'")),
    "relevance that is not a whole number": wrong_qrels(
        ("q2", "h", 0.5), "'q2'", "'h'", "0.5", column="relevance"
    ),
    "relevance beyond 64 bits": wrong_qrels(("q2", "h", 2**63), "'q2'", "'h'", str(2**63)),
    "document judged twice": wrong_qrels(("q2", "a", 2), "'q2'", "'a'"),
    "topic id that is not a string": wrong_run(
        (1, "a", 1.0), (1, "b", 2.0), names=("topic 1",), column="query_id", whole=True
    ),
    "document id that is not a string": wrong_run(
        ("q1", 7, 1.0), ("q1", 8, 2.0), names=("'q1'", "document 7"), column="doc_id", whole=True
    ),
    "missing id": wrong_run(("q2", None, 0.5), names=("'q2'", "doc")),
    "no topic in common": wrong_run(
        ("q8", "EP1203408", 1.0), ("q9", "a", 1.0), names=("q8", "q1"), whole=True
    ),
}


def dicts(rows):
    found = {}
    for topic, doc, value in rows:
        found.setdefault(topic, {})[doc] = value
    return found


def pandas_frame(rows, *columns):
    """A frame whose values stay what they are: one that is wrong does not change the others."""
    values = zip(*rows, strict=True)
    return pd.DataFrame(
        {
            name: pd.Series(of_name, dtype=object)
            for name, of_name in zip(columns, values, strict=True)
        }
    )


# --- The doors: each takes an Input and scores it. -------------------------------------------


def _measures(given):
    return [] if given.measure is None else [ir_measures.parse_measure(given.measure)]


def by_dicts(given, folder):
    return ir_measures.calc_aggregate(_measures(given), dicts(given.qrels), dicts(given.run))


def by_dataframes(given, folder):
    qrels = pandas_frame(given.qrels, "query_id", "doc_id", "relevance")
    run = pandas_frame(given.run, "query_id", "doc_id", "score")
    return ir_measures.calc_aggregate(_measures(given), qrels, run)


def by_generators(given, folder):
    qrels = (ir_measures.Qrel(*row) for row in given.qrels)
    run = (ir_measures.ScoredDoc(*row) for row in given.run)
    return ir_measures.calc_aggregate(_measures(given), qrels, run)


def by_pyterrier(given, folder):
    pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")
    qrels = pandas_frame(given.qrels, "qid", "docno", "label")
    run = pandas_frame(given.run, "qid", "docno", "score")
    ids = ["qid", "docno"]
    run[ids] = run[ids].infer_objects()  # PyTerrier makes strings of columns of numbers
    topics = pd.DataFrame({"qid": ["q1", "q2"], "query": "valve"})
    measures = [] if given.measure is None else [given.measure]
    return pt.Experiment([run], topics, qrels, measures)


def by_ranx(given, folder):
    ranx = pytest.importorskip("ranx", reason="ranx is not installed")
    qrels, run = ranx.Qrels(dicts(given.qrels)), ranx.Run(dicts(given.run))
    return ranx.evaluate(qrels, run, [] if given.measure is None else given.in_ranx)


def table(rows, value):
    """The rows as a table of Arrow, with the types that the values have."""
    columns = dict(zip(("query_id", "doc_id", value), zip(*rows, strict=True), strict=True))
    if len({type(v) for v in columns[value]}) > 1:  # of one type, as columns are
        kind = str if any(isinstance(v, str) for v in columns[value]) else float
        columns[value] = tuple(map(kind, columns[value]))
    kind = pa.uint64() if value == "relevance" and max(columns[value]) > 2**62 else None
    return pa.table(
        {
            name: pa.array(values, type=kind if name == value else None)
            for name, values in columns.items()
        }
    )


def by_frames(given, folder):
    run, qrels = table(given.run, "score"), table(given.qrels, "relevance")
    return frames.score(run, qrels, _listed(given))


def _listed(given):
    return [] if given.measure is None else [given.measure]


def _uncut(given):
    """The measures as a sweep takes them."""
    return [measure.replace("@2", "") for measure in _listed(given)]


def _n_max(given):
    return 0 if given.measure == "PRES@0" else 2


STUDIES = {
    "score": lambda qrels, runs, given: scoring.score(qrels, runs, _listed(given)),
    "compare": lambda qrels, runs, given: compare.compare(qrels, runs, _listed(given)),
    "explain": lambda qrels, runs, given: explain.explain(qrels, runs, "q1", _n_max(given)),
    "sweep": lambda qrels, runs, given: sweep.sweep(qrels, runs, _uncut(given), [2]),
    "robustness": lambda qrels, runs, given: robustness.robustness(qrels, runs, _listed(given)),
}


def in_study(name):
    def by_study(given, folder):
        return STUDIES[name](dicts(given.qrels), {"run": dicts(given.run)}, given)

    return by_study


class ExitError(Exception):
    """The command ended with an exit code other than 0; the message is what it wrote to stderr."""


def output_of(*arguments):
    """Run the command in this process, and return what it prints."""
    result = pres_eval(*arguments)
    if result.returncode:
        assert result.stdout == ""
        raise ExitError(result.returncode, result.stderr)
    return result.stdout


#: Arguments that come before the judgements.
BEFORE = {"check": ["0.5"]}


def in_command(subcommand, beside=(), suffix=""):
    """A subcommand, by our measures alone or `beside` others, on TREC files or on Parquet."""

    def by_command(given, folder):
        arguments = [subcommand, *BEFORE.get(subcommand, []), *_write(given, folder, suffix)]
        if subcommand == "check":
            arguments += ["--n-max", str(_n_max(given))]
        elif subcommand == "explain":
            arguments += ["--query", "q1", "--n-max", str(_n_max(given))]
        else:
            measures = [*(_uncut if subcommand == "sweep" else _listed)(given), *beside]
            arguments += ["-m", " ".join(measures)]
        if subcommand == "sweep":
            arguments += ["--n-max", "2"]
        return output_of(*arguments)

    return by_command


def _write(given, folder, suffix):
    """Write run and judgements, and return their paths, the judgements first."""
    paths = folder / f"qrels{suffix}", folder / f"run{suffix}"
    if suffix == ".parquet":
        for path, rows, value in zip(
            paths, (given.qrels, given.run), ("relevance", "score"), strict=True
        ):
            pl.from_arrow(table(rows, value)).write_parquet(path)
    else:
        paths[0].write_text("".join(f"{q} 0 {d} {n}\n" for q, d, n in given.qrels))
        paths[1].write_text("".join(f"{q} Q0 {d} 0 {s} t\n" for q, d, s in given.run))
    return [str(path) for path in paths]


def by_files(suffix):
    def by_score(given, folder):
        qrels, run = _write(given, folder, suffix)
        return files.score(qrels, run, [] if given.measure is None else given.measure)

    return by_score


def by_readers(suffix):
    def by_reading(given, folder):
        qrels, run = _write(given, folder, suffix)
        return read_qrels(qrels), read_run(run)

    return by_reading


#: By the columns of the table; the first door of each gets every kind of input.
DOORS = {
    "ir-measures": {"dicts": by_dicts, "DataFrames": by_dataframes, "generators": by_generators},
    "PyTerrier": {"Experiment": by_pyterrier},
    "ranx": {"evaluate": by_ranx},
    "frames": {"PyArrow": by_frames},
    "files": {"Parquet": by_files(".parquet"), "TREC": by_files("")},
    "read_run, read_qrels": {"TREC": by_readers("")},
    "studies": {name: in_study(name) for name in STUDIES},
    "pres-eval": {
        "score, Parquet": in_command("score", suffix=".parquet"),
        "score": in_command("score"),
        "score, beside nDCG": in_command("score", ["nDCG@2"]),
        **{
            name: in_command(name)
            for name in ("check", "explain", "compare", "sweep", "robustness")
        },
    },
}
#: The doors that read input with code of their own, and also get every kind of it.
WITH_CODE_OF_THEIR_OWN = ("DataFrames", "TREC", "score", "score, beside nDCG")
ONE_KIND = "score that is NaN"


def cannot_be(kind, interface, door):
    """Whether a door cannot get this kind of input, or does not look at it."""
    given = KINDS[kind]
    if given.about == "measure":
        if door.startswith(("check", "explain")):
            return given.measure != "PRES@0"
        if door.startswith("sweep") and kind == "cutoff missing":
            return True
        return "beside" in door and given.measure is None
    if door.startswith(("check", "explain")) and kind.startswith("N smaller"):
        return True
    if door == "dicts" and "twice" in kind:
        return True
    in_trec = interface in ("pres-eval", "files") and not door.endswith("Parquet")
    return in_trec and (given.column in ("query_id", "doc_id") or kind == "missing id")


def to_be_named(interface, door, given):
    """What the message of a door about this input has to contain."""
    if interface == "ranx" and given.in_ranx is not None:
        # Without the cutoff, which ranx has read before it comes to us.
        # ranx passes topics without their ids.
        named = ("topic number 1", given.names[-1]) * (given.about == "run")
        return (given.in_ranx.partition("@")[0], *named)
    if door.startswith(("check", "explain")) and given.about == "measure":
        return ("n-max" if interface == "pres-eval" else "n_max", "0")
    typed = interface == "frames" or "Parquet" in door
    if interface in ("pres-eval", "files", "read_run, read_qrels") and given.about != "measure":
        file = f"{given.about}.parquet" if typed else given.about
        if given.line is not None and not typed:
            return (file, f"line {given.line}")
        # Of a run that is read, studies know the name, not the path.
        return ("run" if given.measure != "PRES@2" else file, *_about_columns(given, typed))
    return _about_columns(given, typed)


def _about_columns(given, typed):
    return (given.column,) if typed and given.column else given.names


# --- What is wrong in another way than a row or a measure: calls, by row and interface. ----------

GOOD = dicts(QRELS), {"a": dicts(RUN), "b": dicts(RUN)}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The current folder, with good files and bad ones."""
    _write(Input(), tmp_path, "")
    (tmp_path / "same-rank").write_text("qid,docno,rank\nq1,a,1\nq1,b,1\n")
    (tmp_path / "short").write_text("q1 Q0 a 1 3 t\nq1 Q0 b\n")
    (tmp_path / "judged").write_text("q1 0 a 1\nq1\n")
    without_score = table(RUN, "score").drop_columns("score")
    pl.from_arrow(without_score).write_parquet(tmp_path / "points.parquet")
    monkeypatch.chdir(tmp_path)


def command(subcommand, *arguments, runs=("run",)):
    """Run a subcommand in a folder of files."""
    needed = {"check": ["--n-max", "2"], "explain": ["--query", "q1"]}.get(subcommand, ())
    options = [*needed, *arguments]
    return partial(output_of, subcommand, *BEFORE.get(subcommand, []), "qrels", *runs, *options)


def scored_files(*runs, **options):
    return partial(files.score, "qrels", runs, "PRES@2", **options)


def ranked(*ranks):
    rows = zip(("q1", "q1", "q2"), ("a", "EP1203408", "a"), ranks, strict=True)
    return scored_frame(table(tuple(rows), "rank"), rank="rank")


def scored_frame(run, **options):
    return partial(frames.score, run, table(QRELS, "relevance"), "PRES@2", **options)


def scored_dicts(run):
    return partial(ir_measures.calc_aggregate, [ir_measures.PRES @ 2], dicts(QRELS), run)


def study_calls(qrels, runs):
    """Each study on these qrels and runs."""
    return [partial(study, qrels, runs, Input()) for study in STUDIES.values()]


def with_wrong_options():
    """Each option of a study with values that do not exist, in Python."""
    wrong = {
        (compare.compare, ("AP",)): {
            "test": ("foo", None),
            "correction": ("fdr", None),
            "alpha": (0, 1, NAN, "0.05", True),
            "confidence": (0, 1, "0.95"),
            "resamples": (998, 100_001, 9999.5, True),
            "seed": (-1, 2**128, 0.5),
        },
        (robustness.robustness, ("AP",)): {
            "samples": (0, 2.5, "3"),
            "seed": (-1, 0.5),
            "fractions": ([], [0], [1.1], [NAN], 0.5),
        },
        (sweep.sweep, ("PRES",)): {
            "cutoffs": ([], [0], [2.7], ["2"], 5, [True], [10**13]),
        },
        (sweep.sweep, ()): {"measures": (["PRES@2"], ["Rprec"], ["Rnorm"], [7])},
        (explain.explain, ()): {"n_max": (0, 2.5, "2", NAN, True), "rel": (0, 1.5)},
        # Measures that nothing here computes are not blamed on the judgements.
        (scoring.score, ()): {"measures": ([], ["R"], ["P@0"], [3], ["NRBP"], ["alpha_nDCG@5"])},
    }
    needed = {sweep.sweep: {"cutoffs": [2]}, explain.explain: {"query_id": "q1", "n_max": 2}}
    return [
        partial(
            study,
            *GOOD,
            *([list(measures)] if measures else []),
            **needed.get(study, {}) | {name: value},
        )
        for (study, measures), options in wrong.items()
        for name, values in options.items()
        for value in values
    ]


#: By row and column of the table: what the message names, and calls.
SPECIAL = {
    ("rank below 0", "frames"): (("'q2'", "'a'", "-1"), [ranked(1, 2, -1)]),
    ("two documents of the same rank", "frames"): (("'q1'", "rank 1"), [ranked(1, 1, 1)]),
    ("two documents of the same rank", "files"): (
        ("'q1'", "rank 1"),
        [scored_files("same-rank")],
    ),
    ("two documents of the same rank", "read_run, read_qrels"): (
        ("'q1'", "rank 1"),
        [partial(read_run, "same-rank")],
    ),
    ("two documents of the same rank", "pres-eval"): (
        ("'q1'", "rank 1"),
        [command("score", runs=["same-rank"])],
    ),
    ("invalid ranks (below 1, repeated, or too high for N)", "pres, …"): (
        ("rank",),
        [
            partial(pres_plugin.pres, [0, 3], 4, 100),
            partial(pres_plugin.pres, [3, 3], 4, 100),
            partial(pres_plugin.pres_est, [1.5], 4, 100),
            partial(pres_plugin.average_precision, [-1], 4),
            partial(pres_plugin.recall, [1, 2, 3], 2),
            partial(pres_plugin.rnorm, [1, 5], n_relevant=3, n_docs=5),
            partial(pres_plugin.relevant_ranks, ["a", "b", "a"], {"a"}),
        ],
    ),
    ("number out of range", "pres, …"): (
        (),
        [
            partial(pres_plugin.pres, [1], 4, 0),
            partial(pres_plugin.pres, [1], -1, 5),
            partial(pres_plugin.pres, [1], 4, True),
            partial(pres_plugin.pres_est, [1], 4, "5"),
            partial(pres_plugin.rnorm, [1], 1, NAN),
            partial(pres_plugin.f_prime, 25, 0.5),
            partial(pres_plugin.f_prime, 0.5, NAN),
            partial(pres_plugin.f_prime, 0.5, 0.5, -1),
        ],
    ),
    ("missing column", "ir-measures"): (
        ("score",),
        [scored_dicts(pandas_frame(RUN, "query_id", "doc_id", "points"))],
    ),
    ("missing column", "frames"): (("score",), [scored_frame(table(RUN, "points"))]),
    ("missing column", "files"): (("score",), [scored_files("points.parquet")]),
    ("missing column", "pres-eval"): (("score",), [command("score", runs=["points.parquet"])]),
    ("line with missing fields", "files"): (("line 2",), [scored_files("short")]),
    ("line with missing fields", "read_run, read_qrels"): (
        ("line 2",),
        [partial(read_run, "short"), partial(read_qrels, "judged")],
    ),
    ("line with missing fields", "pres-eval"): (("line 2",), [command("score", runs=["short"])]),
    ("file that does not exist", "files"): (("no-file",), [scored_files("no-file")]),
    ("file that does not exist", "read_run, read_qrels"): (
        ("no-file",),
        [partial(read_run, "no-file"), partial(read_qrels, "no-file")],
    ),
    ("file that does not exist", "pres-eval"): (
        ("no-file",),
        [command(name, runs=["no-file"]) for name in ("check", *STUDIES)],
    ),
    ("empty path", "pres-eval"): (("empty",), [command(name, runs=[""]) for name in STUDIES]),
    ("input that is not a run", "ir-measures"): ((), [scored_dicts(5), scored_dicts([1, 2])]),
    ("input that is not a run", "frames"): ((), [scored_frame(5), scored_frame(dicts(RUN))]),
    ("input that is not a run", "pres, …"): (
        (),
        [
            partial(pres_plugin.relevant_ranks, "abc", {"a"}),
            partial(pres_plugin.relevant_ranks, ["a"], {"a": 1}),
        ],
    ),
    ("input that is not a run", "studies"): (
        (),
        [*study_calls(dicts(QRELS), {"run": 5}), *study_calls(dicts(QRELS), [dicts(RUN)])],
    ),
    ("two runs of the same name", "studies"): (
        ("run",),
        study_calls(dicts(QRELS), [("run", dicts(RUN)), ("run", dicts(RUN))]),
    ),
    ("two runs of the same name", "files"): (("run",), [scored_files("run", "run")]),
    ("two runs of the same name", "pres-eval"): (
        ("run",),
        [command(name, runs=["run", "run"]) for name in STUDIES],
    ),
    ("topic to explain that has no judgements", "studies"): (
        ("'q7'",),
        [partial(explain.explain, *GOOD, "q7", 2)],
    ),
    ("topic to explain that has no judgements", "pres-eval"): (
        ("'q7'",),
        [command("explain", "--query", "q7")],
    ),
    ("invalid value of an option", "frames"): (
        (),
        [scored_frame(table(RUN, "score"), duplicates="last")],
    ),
    ("invalid value of an option", "files"): ((), [scored_files("run", duplicates="foo")]),
    ("invalid value of an option", "read_run, read_qrels"): (
        (),
        [partial(read_run, "no-file", "foo"), partial(read_qrels, "no-file", "foo")],
    ),
    ("invalid value of an option", "studies"): ((), with_wrong_options()),
    ("invalid value of an option", "pres-eval"): (
        (),
        [
            command(*words.split())
            for words in (
                *("score --duplicates foo", "score -f xml", "check --n-docs 0", "score -p -2"),
                *("compare --alpha 5", "compare --test foo", "compare --resamples 10"),
                *("sweep --n-max 10:100:0", "sweep -m Rprec", "robustness --fractions 1.5"),
                *("robustness --samples 0", "score -m NRBP"),
            )
        ],
    ),
}


# --- The table, and the walk. ----------------------------------------------------------------


def read_table():
    """The cells of the table, by row and column."""
    with PAGE.with_suffix(".csv").open(encoding="utf-8", newline="") as lines:
        (_, *interfaces), *cells = csv.reader(lines)
    return {
        (kind, interface): cell
        for kind, *row in cells
        for interface, cell in zip(interfaces, row, strict=True)
    }


MARKED = read_table()
TABLE = {cell: said.removesuffix(ITS_OWN) for cell, said in MARKED.items()}
NOT_RAISED = {"–", "comes last", "last counts", "counts as it is", "becomes a string", "scores 0"}
CASES = [
    pytest.param(
        kind,
        interface,
        name,
        id=f"{kind}: {interface} {name}",
        marks=[pytest.mark.xdist_group("ranx")] * (interface == "ranx"),
    )
    for kind in KINDS
    for interface, doors in DOORS.items()
    for i, name in enumerate(doors)
    if TABLE[kind, interface] != "–" and not cannot_be(kind, interface, name)
    if i == 0 or name in WITH_CODE_OF_THEIR_OWN or kind == ONE_KIND
]


def test_every_cell_of_the_table_is_walked():
    walked = {(case.values[0], case.values[1]) for case in CASES} | SPECIAL.keys()
    # Interfaces have a dash where such input cannot be, and nothing is tried there.
    assert walked == {cell for cell, said in TABLE.items() if said != "–"}


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


def test_the_page_sums_the_table_up():
    """Per interface: the errors about a measure, and those about other input."""
    rows = re.findall(r"^\| (.+) \| (.+) \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.M)
    summed_up = {
        interface.replace("`", ""): [
            set(re.findall(r"\w+Error|exit code 2", cell)) for cell in cells
        ]
        for interface, *cells in rows
    }
    raised = {interface: [set(), set()] for _, interface in MARKED}
    for (kind, interface), said in MARKED.items():
        if not said.endswith(ITS_OWN) and said not in {"–", *NOT_RAISED}:
            of_measures = kind in KINDS and KINDS[kind].about == "measure"
            raised[interface][not of_measures].add(said)
    assert {interface: summed_up.get(interface) for interface in raised} == raised


def check(raised, interface, said, names):
    """The error is of the class that the table names, and its message names what is wrong."""
    message = str(raised)
    if said == "exit code 2":
        assert isinstance(raised, ExitError)
        code, message = raised.args
        assert code == 2
        assert re.fullmatch(r"pres-eval: [^\n]+\n", message), message
    else:
        assert type(raised).__name__ == said, repr(raised)
    assert not re.search(
        r"<object object|Traceback|--\w" if said != "exit code 2" else "^$", message
    )
    for name in names:
        assert name in message, message


def is_their_own(kind, interface):
    """Whether a framework raises this itself, which the table marks."""
    return MARKED[kind, interface].endswith(ITS_OWN)


@pytest.mark.parametrize(("kind", "interface", "name"), CASES)
def test_an_interface_raises_what_the_table_says(kind, interface, name, tmp_path):
    given, said, door = KINDS[kind], TABLE[kind, interface], DOORS[interface][name]
    if said in NOT_RAISED:
        door(given, tmp_path)
        return
    with pytest.raises(Exception) as caught:  # noqa: PT011 (the table says which)
        door(given, tmp_path)
    names = () if is_their_own(kind, interface) else to_be_named(interface, name, given)
    check(caught.value, interface, said, names)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("cell", SPECIAL, ids=": ".join)
def test_what_else_can_be_wrong_is_raised_too(cell):
    names, calls = SPECIAL[cell]
    for call in calls:
        with pytest.raises(Exception) as caught:  # noqa: PT011 (the table says which)
            call()
        check(caught.value, cell[1], TABLE[cell], names)
