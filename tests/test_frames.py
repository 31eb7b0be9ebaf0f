"""Scores in the memory of pandas, polars and PyArrow, held against ir-measures."""

import re
import subprocess
import sys

import frame_contract
import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frame_contract import FEW, QRELS, RUN, Library, refused
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scored_topics import check, expected, qrels_table, run_table

from pres_plugin import average_precision, pres
from pres_plugin.frames import AP, PRES, FrameError, PRES_est, R, Rnorm, score
from pres_plugin.ranking import rank

LIBRARIES = [
    Library("pandas", lambda t: t.to_pandas(), lambda f: f.to_dict("records"), pd.DataFrame),
    Library(
        "pandas on Arrow",
        lambda t: t.to_pandas(types_mapper=pd.ArrowDtype),
        lambda f: f.to_dict("records"),
        pd.DataFrame,
    ),
    Library("polars", pl.from_arrow, pl.DataFrame.to_dicts, pl.DataFrame),
    Library("PyArrow", lambda t: t, pa.Table.to_pylist, pa.Table),
    Library(
        "polars, lazy",
        lambda t: pl.from_arrow(t).lazy(),
        lambda f: f.collect().to_dicts(),
        pl.LazyFrame,
        (FrameError, pl.exceptions.ComputeError),  # which wraps it in older releases
        lambda f: f.select(pl.len()).collect().item(),
    ),
]
EAGER = LIBRARIES[:4]


@pytest.fixture(params=LIBRARIES, ids=lambda library: library.name)
def library(request):
    return request.param


class TestScores(frame_contract.Scores):
    pass


class TestRefusals(frame_contract.Refusals):
    pass


# Any character but those that have no UTF-8.
DOC_IDS = st.text(st.characters(codec="utf-8"), max_size=3)
SCORE = st.sampled_from([0.0, -0.0, 1, 1 + 1e-12, 2.5, -7.25, 1e300, 1e301, np.inf, -np.inf])


@settings(max_examples=50)
@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)
@given(st.dictionaries(DOC_IDS, SCORE, min_size=1, max_size=20), st.data())
def test_ranks_are_those_of_the_projects_own_ranking(library, docs, data):
    if library.name == "pandas" and int(pd.__version__.split(".")[0]) < 3:
        # There, strings that are the same up to a NUL are one group.
        assume("\0" not in "".join(docs))
    relevant = data.draw(st.lists(st.sampled_from(sorted(docs)), unique=True, min_size=1))
    ranks = rank({"q": docs}, {"q": relevant}).ranks
    run, qrels = run_table({"q": docs}), qrels_table({"q": dict.fromkeys(relevant, 1)})
    rows = library.rows(score(library.frame(run), library.frame(qrels), ["AP", "PRES@7"]))
    n = len(relevant)
    check(rows, {("q", "AP"): average_precision(ranks, n), ("q", "PRES@7"): pres(ranks, n, 7)})


@pytest.mark.parametrize("library", EAGER, ids=lambda library: library.name)
def test_results_in_memory_are_sorted(library):
    run, qrels = library.frame(run_table(RUN)), library.frame(qrels_table(QRELS))
    rows = library.rows(score(run, qrels, ["R@2", "AP"]))
    assert [(row["query_id"], row["measure"]) for row in rows] == [
        *(("q1", "R@2"), ("q1", "AP")),
        *(("q2", "R@2"), ("q2", "AP")),
    ]


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)
def test_a_score_that_is_not_a_number_is_refused(library):
    run = run_table({"q1": {"a": 1.0, "b": float("nan")}})
    said = {
        "pandas": "run: topic 'q1', document 'b': the score is null or NaN",
    }.get(library.name, "run: topic 'q1', document 'b': the score is NaN, which has no order")
    refused(library, said, run)


# What pandas 2.0 does to categories for which nothing is missing.
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
def test_ids_may_be_categories():
    run, qrels = run_table(RUN), qrels_table(QRELS)
    values = expected(FEW, QRELS, RUN)
    coded = [t.set_column(1, "doc_id", t["doc_id"].dictionary_encode()) for t in (run, qrels)]
    check(score(*coded, FEW).to_pylist(), values)
    category = {"query_id": "category", "doc_id": "category"}
    rows = score(*(t.to_pandas().astype(category) for t in (run, qrels)), FEW)
    check(rows.to_dict("records"), values)
    enum = pl.Enum(["c", "b", "a", "x", "y", "z"])  # not the order of their ids
    frames = (pl.from_arrow(t).with_columns(pl.col("doc_id").cast(enum)) for t in (run, qrels))
    check(score(*frames, FEW).to_dicts(), values)


def test_decimal_scores_and_unsigned_relevance_are_numbers():
    run = {"q1": {"a": 3, "b": 2, "c": 3}}
    tables = run_table(run, pa.decimal128(25, 3)), qrels_table(QRELS, pa.uint8())
    values = expected(FEW, QRELS, run)
    check(score(*tables, FEW).to_pylist(), values)
    check(score(*map(pl.from_arrow, tables), FEW).to_dicts(), values)


def test_measures_are_strings_or_objects_of_either_library():
    frames = run_table(RUN), qrels_table(QRELS)
    ours = [PRES @ 2, PRES_est @ 1, Rnorm(N=9), Rnorm(judged_only=True), AP, R @ 2]
    theirs = [ir_measures.parse_measure(measure) for measure in FEW]
    assert score(*frames, ours).equals(score(*frames, FEW))
    assert score(*frames, theirs).equals(score(*frames, FEW))


def test_ir_measures_is_not_needed():
    code = """
import sys
sys.modules["ir_measures"] = None
import pyarrow as pa
from pres_plugin.frames import PRES, score
run = pa.table({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [2.0, 1.0]})
qrels = pa.table({"query_id": ["q"], "doc_id": ["b"], "relevance": [1]})
print(score(run, qrels, [PRES @ 2, "AP"])["value"].to_pylist())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[0.5, 0.5]\n"


def test_scoring_a_lazy_frame_does_not_execute_it():
    executed = []

    def seen(frame):
        executed.append(len(frame))
        return frame

    run = pl.from_arrow(run_table(RUN)).lazy().map_batches(seen)
    result = score(run, pl.from_arrow(qrels_table(QRELS)).lazy(), FEW)
    assert not executed
    means = result.group_by("measure").agg(pl.col("value").mean()).collect()
    assert executed
    assert dict(means.iter_rows())["AP"] == pytest.approx(5 / 12)


def test_frames_of_two_libraries_are_refused():
    run, qrels = run_table(RUN), qrels_table(QRELS)
    said = "run is a frame of pandas, qrels of polars; make both frames of the same library"
    with pytest.raises(TypeError, match=re.escape(said)):
        score(run.to_pandas(), pl.from_arrow(qrels), "AP")


@pytest.mark.parametrize("options", [{"by": "measure"}, {"by": ["value"]}, {"query_id": "Value"}])
def test_columns_that_the_result_would_hold_twice_are_refused(options):
    name = next(iter(options.values()))
    name = name if isinstance(name, str) else name[0]
    run, qrels = run_table(RUN, **({name: "x"} if "by" in options else {})), qrels_table(QRELS)
    if "query_id" in options:
        run, qrels = (t.rename_columns([name, *t.column_names[1:]]) for t in (run, qrels))
    with pytest.raises(FrameError, match=f"column '{name}' would be twice in the result"):
        score(run, qrels, "AP", **options)


def test_libraries_without_what_ranking_needs_are_refused():
    dask = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    run, qrels = (
        dask.from_pandas(t.to_pandas(), npartitions=1) for t in (run_table(RUN), qrels_table(QRELS))
    )
    with pytest.raises(TypeError, match=r"compute\(\) .* DuckDB or Spark"):
        score(run, qrels, "AP")
