"""Scores in the memory of pandas, polars and PyArrow, held against ir-measures."""

import re

import frame_contract
import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frame_contract import FEW, QRELS, RUN, refused, scored
from frame_libraries import IN_MEMORY, LAZY, ON_ARROW, PANDAS, POLARS, PYARROW
from hypothesis import given, settings
from hypothesis import strategies as st
from interpreter import run_python
from scored_topics import check, expected, qrels_table, run_table

from pres_plugin import InputError, average_precision, pres
from pres_plugin.frames import AP, PRES, PRES_est, R, Rnorm, score
from pres_plugin.ranking.dicts import rank_each

LIBRARIES = [
    pytest.param(one, id=one.name, marks=[pytest.mark.release] * (one is ON_ARROW))
    for one in IN_MEMORY
]


@pytest.fixture(params=LIBRARIES)
def library(request):
    return request.param


class TestScores(frame_contract.Scores):
    pass


class TestRefusals(frame_contract.Refusals):
    pass


# Any character but those that have no UTF-8.
DOC_IDS = st.text(st.characters(codec="utf-8"), max_size=3)
SCORE = st.sampled_from([0.0, -0.0, 1, 1 + 1e-12, 2.5, -7.25, 1e300, 1e301, np.inf, -np.inf])


@settings(max_examples=settings.default.max_examples // 5)
@pytest.mark.parametrize("library", LIBRARIES)
@given(st.dictionaries(DOC_IDS, SCORE, min_size=1, max_size=20), st.data())
def test_ranks_are_those_of_the_projects_own_ranking(library, docs, data):
    relevant = data.draw(st.lists(st.sampled_from(sorted(docs)), unique=True, min_size=1))
    ranks = rank_each({"q": docs}, {"q": relevant})
    qrels = qrels_table({"q": dict.fromkeys(relevant, 1)})
    rows = scored(library, run_table({"q": docs}), qrels, ["AP", "PRES@7"])
    n = len(relevant)
    check(rows, {("q", "AP"): average_precision(ranks, n), ("q", "PRES@7"): pres(ranks, n, 7)})


@pytest.mark.parametrize("library", [PANDAS, POLARS, PYARROW], ids=lambda one: one.name)
def test_results_in_memory_are_sorted(library):
    rows = scored(library, run_table(RUN), measures=["R@2", "AP"])
    order = [("q1", "R@2"), ("q1", "AP"), ("q2", "R@2"), ("q2", "AP")]
    assert [(row["query_id"], row["measure"]) for row in rows] == order


def test_a_score_that_is_not_a_number_is_refused(library):
    # pandas cannot tell NaN from a missing value.
    what = "null or NaN" if library is PANDAS else "NaN, which has no order"
    run = run_table({"q1": {"a": 1.0, "b": float("nan")}})
    refused(library, f"run: topic 'q1', document 'b': the score is {what}", run)


@pytest.mark.parametrize(
    "kind", [pl.Categorical, pl.Enum(["c", "b", "q2", "a", "x", "q1"])], ids=str
)
def test_ids_of_polars_may_be_categories(kind):
    run = pl.from_arrow(run_table(RUN)).cast({"query_id": kind, "doc_id": kind})
    check(score(run, pl.from_arrow(qrels_table(QRELS)), FEW).to_dicts(), expected(FEW, QRELS, RUN))


@pytest.mark.parametrize("kind", [pa.int64(), pa.uint64(), pa.decimal128(25, 3)], ids=str)
def test_scores_are_any_numbers_and_need_not_be_exact_in_64_bits(library, kind):
    run = {"q1": {"a": 2**60 + 1, "b": 2**62 + 1, "c": 2**60 + 1}}
    check(scored(library, run_table(run, kind)), expected(FEW, QRELS, run))


@pytest.mark.parametrize("odd", [None, ("a", "b")], ids=str)
def test_the_index_and_unused_columns_of_pandas_make_no_difference(odd):
    run, qrels = run_table(RUN, note="x").to_pandas(), qrels_table(QRELS).to_pandas()
    run = run.rename(columns={"note": odd}).set_axis([None, *[0] * (len(run) - 1)])
    qrels.index = pd.MultiIndex.from_tuples([(i // 2, "a") for i in range(len(qrels), 0, -1)])
    check(PANDAS.rows(score(run, qrels, FEW)), expected(FEW, QRELS, RUN))


def with_levels(run):
    run.columns = pd.MultiIndex.from_product([run.columns, ["x"]])
    return run


MUST_BE_STRINGS = "; column names must be strings, so rename those that are not"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (with_levels, "there is no column 'query_id'; it has ('query_id', 'x'), ('doc_id', 'x'), "
                      f"('score', 'x'){MUST_BE_STRINGS}"),
        (lambda run: run.rename(columns={"score": 3}),
         f"there is no column 'score'; it has query_id, doc_id, 3{MUST_BE_STRINGS}"),
        (lambda run: run.set_index(["query_id", "doc_id"]),
         "there is no column 'query_id'; it is a level of the index; call reset_index() to "
         "make it a column"),
        (lambda run: pd.concat([run, run[["score"]]], axis=1),
         "several columns are called 'score'; rename all but one of them"),
    ],
)  # fmt: skip
def test_columns_of_pandas_that_cannot_be_named_are_refused(change, said):
    with pytest.raises(InputError) as raised:
        score(change(run_table(RUN).to_pandas()), qrels_table(QRELS).to_pandas(), "AP")
    assert str(raised.value) == f"run: {said}"


def test_a_repeated_name_is_refused():
    qrels = qrels_table(QRELS)
    with pytest.raises(InputError, match="qrels: several columns are called 'relevance'"):
        score(run_table(RUN), qrels.append_column("relevance", qrels["relevance"]), "AP")


@pytest.mark.parametrize("option", ["query_id", "by"])
def test_names_that_are_asked_for_must_be_strings(option):
    with pytest.raises(TypeError, match=f"^{option}: the name of a column must be a string, got"):
        score(run_table(RUN), qrels_table(QRELS), "AP", **{option: [1.5]})


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pl.LazyFrame])
def test_an_empty_frame_without_types_is_scored(frame):
    library = next(library for library in IN_MEMORY if library.kind is frame)
    run = frame({name: [] for name in ("query_id", "doc_id", "score")})
    rows = library.rows(score(run, library.frame(qrels_table(QRELS)), FEW))
    check(rows, dict.fromkeys(expected(FEW, QRELS, RUN), 0.0))


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
    assert run_python(code) == "[0.5, 0.5]\n"


def test_scoring_a_lazy_frame_does_not_execute_it():
    executed = []

    def seen(frame):
        executed.append(len(frame))
        return frame

    run = LAZY.frame(run_table(RUN)).map_batches(seen)
    result = score(run, LAZY.frame(qrels_table(QRELS)), FEW)
    assert not executed
    means = result.group_by("measure").agg(pl.col("value").mean()).collect()
    assert executed
    assert dict(means.iter_rows())["AP"] == pytest.approx(5 / 12)


def test_frames_of_two_libraries_are_refused():
    said = "run is a pandas frame and qrels is a polars frame; convert one to the other's library"
    with pytest.raises(TypeError, match=re.escape(said)):
        score(run_table(RUN).to_pandas(), pl.from_arrow(qrels_table(QRELS)), "AP")


@pytest.mark.parametrize(
    "options", [{"by": "measure"}, {"query_id": "Value"}, {"by": ["doc_id", "DOC_ID"]}], ids=str
)
def test_columns_that_the_result_would_hold_twice_are_refused(options):
    with pytest.raises(InputError, match="would occur twice in the result"):
        score(run_table(RUN), qrels_table(QRELS), "AP", **options)


def test_libraries_without_what_ranking_needs_are_refused():
    dask = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    run, qrels = (
        dask.from_pandas(t.to_pandas(), npartitions=1) for t in (run_table(RUN), qrels_table(QRELS))
    )
    with pytest.raises(TypeError, match=r"compute\(\) .* DuckDB or Spark"):
        score(run, qrels, "AP")
