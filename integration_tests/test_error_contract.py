"""The table of errors in docs/reference/errors.md, walked: each interface, each kind of bad input.

The table says what an interface raises for a kind of input; here the interface
gets such input, once for each form that it takes: dicts, frames and generators
in ir-measures, every library in frames, every function of the studies, and each
subcommand by our own measures and beside one of ir-measures', on TREC files and on
Parquet.
"""

import contextlib
import io
import re
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import ir_measures
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import pres_plugin
from pres_plugin import frames
from pres_plugin.cli.app import run as run_command
from pres_plugin.study import compare, explain, robustness, scoring, sweep
from pres_plugin.trec import read_qrels, read_run

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "errors.md"


@dataclass(frozen=True)
class Input:
    """Something to score: rows of run and judgements, measures, and how each tool writes these.

    What is wrong with it stands in `names`: each has to be in the message.
    """

    measure: Any = "PRES@2"
    run: tuple = (("q1", "a", 3.0), ("q1", "b", 2.0), ("q2", "a", 1.0))
    qrels: tuple = (("q1", "a", 1), ("q1", "z", 1), ("q2", "a", 1))
    in_ranx: str = "pres@2"
    names: tuple = ()
    line: int | None = None  # of the run or the judgements, as `wrong_file` says
    wrong_file: str = "run"
    columns: dict = field(default_factory=dict)


GOOD = Input()
RUN, QRELS = GOOD.run, GOOD.qrels

#: By the first column of the table.
KINDS = {
    "measure that does not exist": Input("PRESS@2", in_ranx="press@2", names=("PRESS",)),
    "measure that cannot be read": Input("PRES(@2", in_ranx="pres@x", names=("PRES(",)),
    "cutoff missing": Input("PRES", in_ranx="pres", names=("PRES", "cutoff")),
    "cutoff not a positive whole number": Input("PRES@0", in_ranx="pres@0", names=("PRES", "0")),
    "parameter that does not exist": Input("PRES(n=1)@2", names=("PRES", "'n'")),
    "Rnorm without the size of its collection": Input(
        "Rnorm", in_ranx="rnorm@2", names=("Rnorm", "collection")
    ),
    "no measure at all": Input(None, names=("measure",)),
    "N smaller than the collection of a topic": Input(
        "Rnorm(N=2)", in_ranx="rnorm.2", names=("Rnorm(N=2)", "q1", "3")
    ),
    "score that is NaN": Input(
        run=(*RUN, ("q2", "n", float("nan"))), names=("q2", "n", "NaN"), line=4
    ),
    "score that is not a number": Input(
        run=(*RUN, ("q2", "n", "high")), names=("q2", "n", "high"), line=4
    ),
    "document retrieved twice": Input(run=(*RUN, ("q2", "a", 0.5)), names=("q2", "a"), line=4),
    "relevance that is not a whole number": Input(
        qrels=(*QRELS, ("q2", "h", 0.5)), names=("q2", "h", "0.5"), line=4, wrong_file="qrels"
    ),
    "relevance beyond 64 bits": Input(
        qrels=(*QRELS, ("q2", "h", 2**63)), names=("q2", "h", str(2**63)), line=4,
        wrong_file="qrels",
    ),
    "document judged twice": Input(
        qrels=(*QRELS, ("q2", "a", 2)), names=("q2", "a"), line=4, wrong_file="qrels"
    ),
    "topic id that is not a string": Input(run=((1, "a", 1.0), (1, "b", 2.0)), names=("1",)),
    "document id that is not a string": Input(
        run=(("q1", 7, 1.0), ("q1", 8, 2.0)), names=("7",)
    ),
    "id that is missing": Input(run=(*RUN, ("q2", None, 0.5)), names=("q2",)),
    "no topic in common": Input(run=(("q8", "a", 1.0), ("q9", "a", 1.0)), names=("q8", "q1")),
}  # fmt: skip


def dicts(rows):
    found = {}
    for topic, doc, value in rows:
        found.setdefault(topic, {})[doc] = value
    return found


def pandas_frame(rows, *columns):
    return pd.DataFrame(list(rows), columns=list(columns))


# --- The doors: each takes an Input and scores it. -------------------------------------------


def _measures(given):
    return [] if given.measure is None else [ir_measures.parse_measure(given.measure)]


def by_dicts(given, folder):
    return ir_measures.calc_aggregate(_measures(given), dicts(given.qrels), dicts(given.run))


def by_dataframes(given, folder):
    qrels = pandas_frame(given.qrels, "query_id", "doc_id", "relevance").astype(
        {"relevance": object}
    )
    run = pandas_frame(given.run, "query_id", "doc_id", "score")
    return ir_measures.calc_aggregate(_measures(given), qrels, run)


def by_generators(given, folder):
    qrels = (ir_measures.Qrel(*row) for row in given.qrels)
    run = (ir_measures.ScoredDoc(*row) for row in given.run)
    return ir_measures.calc_aggregate(_measures(given), qrels, run)


def by_pyterrier(given, folder):
    pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")
    qrels = pandas_frame(given.qrels, "qid", "docno", "label").astype({"label": object})
    run = pandas_frame(given.run, "qid", "docno", "score")
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


def in_duckdb(arrow):
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    return duckdb.default_connection().from_arrow(arrow)


def in_ibis(arrow):
    ibis = pytest.importorskip("ibis", reason="Ibis is not installed")
    return ibis.memtable(arrow)


def in_study(study):
    def by_study(given, folder):
        return study(dicts(given.qrels), {"run": dicts(given.run)}, given)

    return by_study


def _listed(given):
    return [] if given.measure is None else [given.measure]


def _uncut(given):
    """The measures as a sweep takes them."""
    return [measure.replace("@2", "") for measure in _listed(given)]


STUDIES = {
    "score": lambda qrels, runs, given: scoring.score(qrels, runs, _listed(given)),
    "compare": lambda qrels, runs, given: compare.compare(qrels, runs, _listed(given)),
    "explain": lambda qrels, runs, given: explain.explain(qrels, runs, "q1", 2),
    "sweep": lambda qrels, runs, given: sweep.sweep(qrels, runs, _uncut(given), [2]),
    "robustness": lambda qrels, runs, given: robustness.robustness(qrels, runs, _listed(given)),
}


class ExitError(Exception):
    """The command ended with an exit code other than 0; the message is what it wrote to stderr."""


def in_command(subcommand, beside=(), suffix=""):
    """A subcommand, by our measures alone or `beside` others, on TREC files or on Parquet."""

    def by_command(given, folder):
        arguments = [subcommand, *_write(given, folder, suffix)]
        if subcommand == "explain":
            arguments += ["--query", "q1", "--n-max", "2"]
        else:
            measures = [*(_uncut if subcommand == "sweep" else _listed)(given), *beside]
            arguments += ["-m", " ".join(measures)]
        if subcommand == "sweep":
            arguments += ["--n-max", "2"]
        out, err = io.StringIO(), io.StringIO()
        old, sys.argv = sys.argv, ["pres-eval", *arguments]
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = run_command()
        finally:
            sys.argv = old
        if code:
            assert out.getvalue() == ""
            raise ExitError(code, err.getvalue())
        return out.getvalue()

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


def by_readers(given, folder):
    qrels, run = _write(given, folder, "")
    return read_qrels(qrels), read_run(run)


DOORS = {
    "ir-measures": {
        "dicts": by_dicts,
        "DataFrames": by_dataframes,
        "generators": by_generators,
    },
    "PyTerrier": {"Experiment": by_pyterrier},
    "ranx": {"evaluate": by_ranx},
    "frames": {
        "pandas": in_frames(lambda t: t.to_pandas()),
        "polars": in_frames(pl.from_arrow),
        "PyArrow": in_frames(lambda t: t),
        "polars, lazy": in_frames(lambda t: pl.from_arrow(t).lazy(), lambda f: f.collect()),
        "DuckDB": in_frames(in_duckdb, lambda relation: relation.fetchall()),
        "Ibis": in_frames(in_ibis, lambda table: table.to_pyarrow()),
    },
    "trec": {"read_qrels, read_run": by_readers},
    "studies": {name: in_study(study) for name, study in STUDIES.items()},
    "command": {
        f"{subcommand}{', beside nDCG' if beside else ''}{', Parquet' if suffix else ''}": (
            in_command(subcommand, beside, suffix)
        )
        for subcommand in ("score", "explain", "compare", "sweep", "robustness")
        for beside in ((), ("nDCG" if subcommand == "sweep" else "nDCG@2",))
        for suffix in ("", ".parquet")
        if not (subcommand == "explain" and beside)
    },
}
