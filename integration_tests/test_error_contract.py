"""The table of errors in docs/reference/errors.md, walked: each interface, each kind of bad input.

The table says what an interface raises for a kind of input; here the interface
gets such input, once for each form that it takes: dicts, frames and generators
in ir-measures, every library in frames, every function of the studies, and each
subcommand by our own measures and beside one of ir-measures', on TREC files and on
Parquet.
"""

import json
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import ir_measures
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from command import pres_eval
from optional_libraries import in_duckdb, in_ibis

import pres_plugin
from pres_plugin import files, frames
from pres_plugin.formats import read_qrels, read_run
from pres_plugin.study import compare, explain, robustness, scoring, sweep

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "errors.md"


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


def in_frames(make, execute=lambda result: result):
    def by_frames(given, folder):
        run, qrels = table(given.run, "score"), table(given.qrels, "relevance")
        measures = [] if given.measure is None else given.measure
        return execute(frames.score(make(run), make(qrels), measures))

    return by_frames


def in_study(study):
    def by_study(given, folder):
        return study(dicts(given.qrels), {"run": dicts(given.run)}, given)

    return by_study


def _listed(given):
    return [] if given.measure is None else [given.measure]


def _uncut(given):
    """The measures as a sweep takes them."""
    return [measure.replace("@2", "") for measure in _listed(given)]


def _n_max(given):
    return 0 if given.measure == "PRES@0" else 2


def _theirs(given):
    """A measure of ir-measures' own, or the wrong one."""
    return ["AP"] if given.measure == "PRES@2" else _listed(given)


STUDIES = {
    "score": lambda qrels, runs, given: scoring.score(qrels, runs, _listed(given)),
    "score by AP": lambda qrels, runs, given: scoring.score(qrels, runs, _theirs(given)),
    "compare": lambda qrels, runs, given: compare.compare(qrels, runs, _listed(given)),
    "explain": lambda qrels, runs, given: explain.explain(qrels, runs, "q1", _n_max(given)),
    "sweep": lambda qrels, runs, given: sweep.sweep(qrels, runs, _uncut(given), [2]),
    "robustness": lambda qrels, runs, given: robustness.robustness(qrels, runs, _listed(given)),
}


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
    elif suffix == ".json":
        for path, rows, value in zip(
            paths, (given.qrels, given.run), ("relevance", "score"), strict=True
        ):
            topics = {}
            for topic, doc, number in rows:
                topics.setdefault(topic, []).append({"doc_id": doc, value: number})
            records = [{"query_id": t, value + "s": docs} for t, docs in topics.items()]
            path.write_text(json.dumps(records).replace('"relevances"', '"qrels"'))
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


COMMANDS = {
    f"{subcommand}{', beside nDCG' * bool(beside)}{', Parquet' * bool(suffix)}": in_command(
        subcommand, beside, suffix
    )
    for subcommand in ("score", "check", "explain", "compare", "sweep", "robustness")
    for beside in ([], ["nDCG" if subcommand == "sweep" else "nDCG@2"])
    for suffix in ("", ".parquet")
    if not (subcommand in ("check", "explain") and beside)
}

#: By the columns of the table.
DOORS = {
    "ir-measures": {"dicts": by_dicts, "DataFrames": by_dataframes, "generators": by_generators},
    "PyTerrier": {"Experiment": by_pyterrier},
    "ranx": {"evaluate": by_ranx},
    "`frames`": {
        "pandas": in_frames(lambda t: t.to_pandas()),
        "polars": in_frames(pl.from_arrow),
        "PyArrow": in_frames(lambda t: t),
        "polars, lazy": in_frames(lambda t: pl.from_arrow(t).lazy(), lambda f: f.collect()),
        "DuckDB": in_frames(in_duckdb, lambda relation: relation.fetchall()),
        "Ibis": in_frames(in_ibis, lambda table: table.to_pyarrow()),
    },
    "`files`": {
        "TREC": by_files(""),
        "Parquet": by_files(".parquet"),
        "JSON": by_files(".json"),
    },
    "`read_run`, `read_qrels`": {"TREC": by_readers(""), "JSON": by_readers(".json")},
    "studies": {name: in_study(study) for name, study in STUDIES.items()},
    "`pres-eval`": COMMANDS,
}


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
    in_trec = interface in ("`pres-eval`", "`files`") and not door.endswith(("Parquet", "JSON"))
    return in_trec and (given.column in ("query_id", "doc_id") or kind == "missing id")


def to_be_named(interface, door, given):
    """What the message of a door about this input has to contain."""
    if interface == "ranx" and given.in_ranx is not None:
        # Without the cutoff, which ranx has read before it comes to us.
        return (given.in_ranx.partition("@")[0], *given.names[1:] * (given.about == "run"))
    if door.startswith(("check", "explain")) and given.about == "measure":
        return ("n-max" if interface == "`pres-eval`" else "n_max", "0")
    typed = interface == "`frames`" or "Parquet" in door
    if (
        interface in ("`pres-eval`", "`files`", "`read_run`, `read_qrels`")
        and given.about != "measure"
    ):
        if door == "JSON":
            names = ["record 1: "] if given.column == "query_id" else given.names[:1]
            return (f"{given.about}.json: ", *(name.strip("'") for name in names))
        file = f"{given.about}.parquet" if typed else given.about
        if given.line is not None and not typed:
            return (file, f"line {given.line}")
        # Of a run that is read, studies know the name, not the path.
        return ("run" if given.measure != "PRES@2" else file, *_about_columns(given, typed))
    return _about_columns(given, typed)


def _about_columns(given, typed):
    return (given.column,) if typed and given.column else given.names


# --- What is wrong in another way than a row or a measure: what is called, by interface. ------

SUBCOMMANDS = ("score", "check", "explain", "compare", "sweep", "robustness")
FRAMES = {
    "pandas": lambda t: t.to_pandas(),
    "polars": pl.from_arrow,
    "PyArrow": lambda t: t,
    "polars, lazy": lambda t: pl.from_arrow(t).lazy(),
}


def in_each_library(run, **options):
    """Score a run, a table of Arrow, in each library."""

    def door(make):
        def call(folder):
            result = frames.score(make(run), make(table(QRELS, "relevance")), "PRES@2", **options)
            return result.collect() if isinstance(result, pl.LazyFrame) else result

        return call

    return {name: door(make) for name, make in FRAMES.items()}


def in_each_subcommand(*arguments, files=(), query="q1", only=SUBCOMMANDS):
    """Run subcommands on right judgements and these arguments, with `{}` for the folder."""

    def door(subcommand):
        def call(folder):
            qrels, run = _write(Input(), folder, "")
            for name, content in files:
                (folder / name).parent.mkdir(exist_ok=True)
                if callable(content):
                    content(folder / name)
                else:
                    (folder / name).write_text(content)
            options = {"check": ["--n-max", "2"], "explain": ["--query", query]}
            given = [argument.format(folder) for argument in arguments] or [run]
            before = BEFORE.get(subcommand, [])
            return output_of(subcommand, *before, qrels, *given, *options.get(subcommand, []))

        return call

    return {subcommand: door(subcommand) for subcommand in only}


def scored_files(*runs, content=None, **options):
    """Score files with right judgements, with `{}` for the folder and content for the first."""

    def call(folder):
        qrels, _ = _write(Input(), folder, "")
        paths = [run.format(folder) for run in runs]
        if callable(content):
            content(paths[0])
        elif content is not None:
            Path(paths[0]).write_text(content)
        return files.score(qrels, paths, "PRES@2", **options)

    return {"score": call}


def calls(*functions):
    """Functions to call, as doors."""
    return {f"call {i}": lambda folder, call=call: call() for i, call in enumerate(functions, 1)}


def study_calls(*arguments, **options):
    """Each study on these qrels, runs and a measure."""
    qrels, runs = arguments
    return {
        "score": lambda folder: scoring.score(qrels, runs, ["PRES@2"]),
        "compare": lambda folder: compare.compare(qrels, runs, ["PRES@2"]),
        "explain": lambda folder: explain.explain(qrels, runs, "q1", 2),
        "sweep": lambda folder: sweep.sweep(qrels, runs, ["PRES"], [2]),
        "robustness": lambda folder: robustness.robustness(qrels, runs, ["PRES@2"]),
    }


def ranked(*ranks):
    rows = zip(("q1", "q1", "q2"), ("a", "EP1203408", "a"), ranks, strict=True)
    return table(tuple(rows), "rank")


def read_wrong(**contents):
    """Read files in TREC's format with these contents."""

    def door(name, content):
        def call(folder):
            (folder / name).write_text(content)
            return (read_qrels if name == "qrels" else read_run)(str(folder / name))

        return call

    return {name: door(name, content) for name, content in contents.items()}


def without_score(path):
    pl.from_arrow(table(RUN, "score").drop_columns("score")).write_parquet(path)


def with_wrong_options():
    """Each option of a study with values that do not exist, in Python."""
    good = dicts(QRELS), {"a": dicts(RUN), "b": dicts(RUN)}
    return calls(
        *(
            partial(compare.compare, *good, ["AP"], **{name: value})
            for name, values in {
                "test": ("foo", None, ["t"]),
                "correction": ("fdr", "", None),
                "alpha": (0, 1, 5, -1, NAN, "0.05", None, True),
                "confidence": (0, 1, 95, -1, NAN, "0.95", True),
                "resamples": (0, -1, 998, 100_001, 9999.5, "9999", None, True),
                "seed": (-1, 2**128, 0.5, None),
            }.items()
            for value in values
        ),
        *(
            partial(robustness.robustness, *good, ["AP"], **{name: value})
            for name, values in {
                "samples": (0, -1, 2.5, "3", None, True),
                "seed": (-1, 0.5, None),
                "processes": (0, -2, 1.5, "two"),
                "fractions": ([], [0], [1.1], [NAN], ["half"], 0.5, "0.5"),
            }.items()
            for value in values
        ),
        *(
            partial(sweep.sweep, *good, ["PRES"], cutoffs)
            for cutoffs in ([], [0], [2.7], [NAN], [-1], ["2"], 5, "5", [True], [10**13], None)
        ),
        *(partial(sweep.sweep, *good, [m], [2]) for m in ("PRES@2", "Rprec", "Rnorm", "R@5", 7)),
        *(
            partial(explain.explain, *good, "q1", n_max)
            for n_max in (0, 2.5, -1, "2", None, NAN, True)
        ),
        *(partial(explain.explain, *good, "q1", 2, rel=rel) for rel in (0, 1.5, "1", None)),
        *(partial(explain.explain, *good, query_id, 2) for query_id in (1, None, ["q1"])),
        *(partial(scoring.score, *good, asked) for asked in ([], ["R"], ["P@0"], [3], None)),
        # Measures that nothing here computes are not blamed on the judgements.
        *(partial(scoring.score, *good, [m]) for m in ("NRBP", "alpha_nDCG@5")),
    )


SAME_RANK = "qid,docno,rank\nq1,a,1\nq1,b,1\n"
TREC_RUN = "q1 Q0 a 1 3 t\n"
#: By row: what the message names, and the doors of each column.
SPECIAL = {
    "rank below 1": (
        ("'q2'", "'a'", "0"),
        {"`frames`": in_each_library(ranked(1, 2, 0), rank="rank")},
    ),
    "two documents of the same rank": (
        ("'q1'", "rank 1"),
        {
            "`frames`": in_each_library(ranked(1, 1, 1), rank="rank"),
            "`files`": scored_files("{}/wrong", content=SAME_RANK),
            "`read_run`, `read_qrels`": read_wrong(run=SAME_RANK),
            "`pres-eval`": in_each_subcommand("{}/wrong", files=[("wrong", SAME_RANK)]),
        },
    ),
    "invalid ranks (below 1, repeated, or too high for N)": (
        ("rank",),
        {
            "`pres`, …": calls(
                partial(pres_plugin.pres, [0, 3], 4, 100),
                partial(pres_plugin.pres, [3, 3], 4, 100),
                partial(pres_plugin.pres_est, [1.5], 4, 100),
                partial(pres_plugin.average_precision, [-1], 4),
                partial(pres_plugin.recall, [1, 2, 3], 2),
                partial(pres_plugin.rnorm, [1, 5], n_relevant=3, n_docs=5),
                partial(pres_plugin.relevant_ranks, ["a", "b", "a"], {"a"}),
            )
        },
    ),
    "number out of range": (
        (),
        {
            "`pres`, …": calls(
                partial(pres_plugin.pres, [1], 4, 0),
                partial(pres_plugin.pres, [1], 4, 2.5),
                partial(pres_plugin.pres, [1], -1, 5),
                partial(pres_plugin.pres, [1], 4, True),
                partial(pres_plugin.pres_est, [1], 4, "5"),
                partial(pres_plugin.rnorm, [1], 1, NAN),
                partial(pres_plugin.f_prime, 25, 0.5),
                partial(pres_plugin.f_prime, 0.5, NAN),
                partial(pres_plugin.f_prime, 0.5, 0.5, -1),
            )
        },
    ),
    "missing column": (
        ("score",),
        {
            "ir-measures": {
                "DataFrames": lambda folder: ir_measures.calc_aggregate(
                    [ir_measures.AP, ir_measures.PRES @ 2],
                    dicts(QRELS),
                    pandas_frame(RUN, "query_id", "doc_id", "points"),
                )
            },
            "`frames`": in_each_library(table(RUN, "points")),
            "`files`": scored_files("{}/wrong.parquet", content=without_score),
            "`pres-eval`": in_each_subcommand(
                "{}/wrong.parquet", files=[("wrong.parquet", without_score)]
            ),
        },
    ),
    "line with missing fields": (
        ("line 2",),
        {
            "`files`": scored_files("{}/wrong", content=TREC_RUN + "q1 Q0 b\n"),
            "`read_run`, `read_qrels`": read_wrong(run=TREC_RUN + "q1 a\n", qrels="q1 0 a 1\nq1\n"),
            "`pres-eval`": in_each_subcommand(
                "{}/wrong", files=[("wrong", TREC_RUN + "q1 Q0 b\n")]
            ),
        },
    ),
    "file that does not exist": (
        ("no-such-file",),
        {
            "`files`": scored_files("{}/no-such-file"),
            "`read_run`, `read_qrels`": calls(
                partial(read_run, "no-such-file"), partial(read_qrels, "no-such-file")
            ),
            "`pres-eval`": in_each_subcommand("{}/no-such-file"),
        },
    ),
    "empty path": (
        ("empty",),
        {"`pres-eval`": in_each_subcommand("")},
    ),
    "input that is not a run": (
        (),
        {
            "ir-measures": calls(
                *(
                    partial(ir_measures.calc_aggregate, [ir_measures.PRES @ 2], dicts(QRELS), run)
                    for run in (5, [1, 2])
                )
            ),
            "`frames`": calls(
                *(partial(frames.score, run, pl.DataFrame(), "AP") for run in (5, [], dicts(RUN)))
            ),
            "`pres`, …": calls(
                partial(pres_plugin.relevant_ranks, "abc", {"a"}),
                partial(pres_plugin.relevant_ranks, ["a"], {"a": 1}),
            ),
            "studies": study_calls(dicts(QRELS), {"run": 5})
            | {f"pairs: {k}": v for k, v in study_calls(dicts(QRELS), [dicts(RUN)]).items()}
            | {f"number: {k}": v for k, v in study_calls(dicts(QRELS), 5).items()},
        },
    ),
    "two runs of the same name": (
        ("run",),
        {
            "studies": study_calls(dicts(QRELS), [("run", dicts(RUN)), ("run", dicts(RUN))]),
            "`files`": scored_files("{}/run", "{}/run"),
            "`pres-eval`": in_each_subcommand("{}/run", "{}/run"),
        },
    ),
    "topic to explain that has no judgements": (
        ("'q7'",),
        {
            "studies": calls(partial(explain.explain, dicts(QRELS), {"r": dicts(RUN)}, "q7", 2)),
            "`pres-eval`": in_each_subcommand(query="q7", only=["explain"]),
        },
    ),
    "invalid value of an option": (
        (),
        {
            "`frames`": in_each_library(table(RUN, "score"), duplicates="last"),
            "`files`": scored_files("{}/run", duplicates="foo"),
            "`read_run`, `read_qrels`": calls(
                partial(read_run, "no-such-file", "foo"), partial(read_qrels, "no-such-file", "foo")
            ),
            "studies": with_wrong_options(),
            "`pres-eval`": in_each_subcommand("{}/run", "--duplicates", "foo")
            | {
                f"{subcommand} {' '.join(options)}": in_each_subcommand(
                    "{}/run", *options, only=[subcommand]
                )[subcommand]
                for subcommand, *options in (
                    ("score", "-f", "xml"),
                    ("check", "-f", "xml"),
                    ("check", "--n-docs", "0"),
                    ("score", "-p", "-2"),
                    ("compare", "--alpha", "nan"),
                    ("compare", "--alpha", "5"),
                    ("compare", "--test", "foo"),
                    ("compare", "--correction", "fdr"),
                    ("compare", "--ci", "95"),
                    ("compare", "--resamples", "10"),
                    ("compare", "--seed", "-1"),
                    ("sweep", "--n-max", "10:100:0"),
                    ("sweep", "--n-max", "100:10:10"),
                    ("sweep", "--n-max", "0,5"),
                    ("sweep", "--n-max", "2.7"),
                    ("sweep", "-m", "Rprec"),
                    ("robustness", "--fractions", "nan"),
                    ("robustness", "--fractions", "1.5"),
                    ("robustness", "--samples", "0"),
                    ("robustness", "--seed", "-1"),
                    ("robustness", "--processes", "0"),
                    ("score", "-m", "P@0"),
                    ("score", "-m", "NRBP"),
                )
            },
        },
    ),
}


# --- The table, and the walk. ----------------------------------------------------------------


def read_table():
    """The cells of the table, by row and column."""
    text = PAGE.read_text(encoding="utf-8")
    lines = text.split("<!-- table: errors -->")[1].split("<!-- end -->")[0].split("\n")
    rows = [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in lines
        if line.startswith("|") and "---" not in line
    ]
    (_, *interfaces), *cells = rows
    return {
        (kind, interface): cell
        for kind, *row in cells
        for interface, cell in zip(interfaces, row, strict=True)
    }


MARKED = read_table()
#: Without the mark of what a framework raises itself, in its own words.
TABLE = {cell: said.rstrip("¹") for cell, said in MARKED.items()}
NOT_RAISED = {"–", "comes last", "last counts", "counts as it is", "becomes a string", "scores 0"}
CASES = [
    pytest.param(
        kind,
        interface,
        name,
        door,
        id=f"{kind}: {interface} {name}",
        marks=[pytest.mark.xdist_group("ranx")] if interface == "ranx" else [],
    )
    for kind, given in KINDS.items()
    for interface, doors in DOORS.items()
    for name, door in doors.items()
    if TABLE[kind, interface] != "–" and not cannot_be(kind, interface, name)
]
SPECIAL_CASES = [
    pytest.param(kind, interface, door, id=f"{kind}: {interface} {name}")
    for kind, (_, interfaces) in SPECIAL.items()
    for interface, doors in interfaces.items()
    for name, door in doors.items()
]


def test_every_cell_of_the_table_is_walked():
    walked = {(case.values[0], case.values[1]) for case in (*CASES, *SPECIAL_CASES)}
    # Interfaces have a dash where such input cannot be, and nothing is tried there.
    assert walked == {cell for cell, said in TABLE.items() if said != "–"}


def check(raised, interface, said, names):
    """The error is of the class that the table names, and its message names what is wrong."""
    message = str(raised)
    if said == "exit 2":
        assert isinstance(raised, ExitError)
        code, message = raised.args
        assert code == 2
        assert re.fullmatch(r"pres-eval: [^\n]+\n", message), message
    elif not (interface == "`frames`" and type(raised).__module__.startswith("_duckdb")):
        # DuckDB, which executes later, raises an error of its own with our message.
        assert type(raised).__name__ == said, repr(raised)
    assert not re.search(r"<object object|Traceback|--\w" if said != "exit 2" else "^$", message)
    for name in names:
        assert name in message, message


def is_their_own(kind, interface):
    """Whether a framework raises this itself, which the table marks."""
    return MARKED[kind, interface].endswith("¹")


@pytest.mark.parametrize(("kind", "interface", "name", "door"), CASES)
def test_an_interface_raises_what_the_table_says(kind, interface, name, door, tmp_path):
    given, said = KINDS[kind], TABLE[kind, interface]
    if said in NOT_RAISED:
        door(given, tmp_path)
        return
    with pytest.raises(Exception) as caught:  # noqa: PT011 (the table says which)
        door(given, tmp_path)
    names = () if is_their_own(kind, interface) else to_be_named(interface, name, given)
    check(caught.value, interface, said, names)


@pytest.mark.parametrize(("kind", "interface", "door"), SPECIAL_CASES)
def test_what_else_can_be_wrong_is_raised_too(kind, interface, door, tmp_path):
    names, _ = SPECIAL[kind]
    with pytest.raises(Exception) as caught:  # noqa: PT011 (the table says which)
        door(tmp_path)
    check(caught.value, interface, TABLE[kind, interface], names)
