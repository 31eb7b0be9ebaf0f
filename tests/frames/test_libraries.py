"""Scores in the memory of pandas, polars and PyArrow, held against ir-measures."""

import re

import frame_contract
import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frame_contract import FEW, QRELS, RUN, Library, refused
from hypothesis import given, settings
from hypothesis import strategies as st
from interpreter import run_python
from repetitions import pairs
from scored_topics import check, expected, qrels_table, run_table

from pres_plugin import average_precision, pres
from pres_plugin.frames import AP, PRES, FrameError, PRES_est, R, Rnorm, score
from pres_plugin.ranking.dicts import rank

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


def by_name(libraries):
    """Return parameters of tests; a second kind of pandas frames is tested with the slow tests."""
    return [
        pytest.param(
            library,
            id=library.name,
            marks=[pytest.mark.slow] if library.name == "pandas on Arrow" else [],
        )
        for library in libraries
    ]


@pytest.fixture(params=by_name(LIBRARIES))
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
@pytest.mark.parametrize("library", by_name(LIBRARIES))
@given(st.dictionaries(DOC_IDS, SCORE, min_size=1, max_size=20), st.data())
def test_ranks_are_those_of_the_projects_own_ranking(library, docs, data):
    relevant = data.draw(st.lists(st.sampled_from(sorted(docs)), unique=True, min_size=1))
    ranks = rank({"q": docs}, {"q": relevant}).ranks
    run, qrels = run_table({"q": docs}), qrels_table({"q": dict.fromkeys(relevant, 1)})
    rows = library.rows(score(library.frame(run), library.frame(qrels), ["AP", "PRES@7"]))
    n = len(relevant)
    check(rows, {("q", "AP"): average_precision(ranks, n), ("q", "PRES@7"): pres(ranks, n, 7)})


@pytest.mark.parametrize("library", by_name(EAGER))
def test_results_in_memory_are_sorted(library):
    run, qrels = library.frame(run_table(RUN)), library.frame(qrels_table(QRELS))
    rows = library.rows(score(run, qrels, ["R@2", "AP"]))
    assert [(row["query_id"], row["measure"]) for row in rows] == [
        *(("q1", "R@2"), ("q1", "AP")),
        *(("q2", "R@2"), ("q2", "AP")),
    ]


@pytest.mark.parametrize("library", by_name(LIBRARIES))
def test_a_score_that_is_not_a_number_is_refused(library):
    run = run_table({"q1": {"a": 1.0, "b": float("nan")}})
    said = {
        "pandas": "run: topic 'q1', document 'b': the score is null or NaN",
    }.get(library.name, "run: topic 'q1', document 'b': the score is NaN, which has no order")
    refused(library, said, run)


# How pandas and polars can store the same ids.
PANDAS_TEXTS = [
    *("object", "str", "string[python]", "string[pyarrow]", "category"),
    pd.ArrowDtype(pa.string()),
    pd.ArrowDtype(pa.large_string()),
    pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string())),
]
POLARS_TEXTS = [pl.String, pl.Categorical, pl.Enum(["c", "b", "q2", "a", "x", "q1", "y", "z"])]


# What pandas 2.0 does to categories for which nothing is missing.
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
@pytest.mark.parametrize(("of_run", "of_qrels"), pairs(PANDAS_TEXTS))
def test_text_of_all_types_of_pandas_is_the_same(of_run, of_qrels):
    run, qrels = (
        table.to_pandas().astype({"query_id": kind, "doc_id": kind})
        for table, kind in ((run_table(RUN), of_run), (qrels_table(QRELS), of_qrels))
    )
    check(score(run, qrels, FEW).to_dict("records"), expected(FEW, QRELS, RUN))


@pytest.mark.parametrize("of_qrels", POLARS_TEXTS, ids=str)
@pytest.mark.parametrize("of_run", POLARS_TEXTS, ids=str)
def test_text_of_all_types_of_polars_is_the_same(of_run, of_qrels):
    run, qrels = (
        pl.from_arrow(table).lazy().with_columns(pl.col("query_id", "doc_id").cast(kind))
        for table, kind in ((run_table(RUN), of_run), (qrels_table(QRELS), of_qrels))
    )
    values = expected(FEW, QRELS, RUN)
    check(score(run, qrels, FEW).collect().to_dicts(), values)
    check(score(run.collect(), qrels.collect(), FEW).to_dicts(), values)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()], ids=str)
def test_the_results_topics_are_of_the_type_that_both_tables_have(kind):
    run, qrels = (
        frame_contract.as_text(table, kind, "query_id", "doc_id")
        for table in (run_table(RUN), qrels_table(QRELS))
    )
    assert score(run, qrels, "AP").schema.field("query_id").type == kind


@pytest.mark.parametrize("kind", ["int64", "uint64"])
def test_scores_need_not_be_exact_in_64_bits(kind):
    run = {"q1": {"a": 2**60 + 1, "b": 2**62 + 1, "c": 2**60 + 1}}
    for library in LIBRARIES:
        table = run_table(run, getattr(pa, kind)())
        rows = library.rows(score(library.frame(table), library.frame(qrels_table(QRELS)), FEW))
        check(rows, expected(FEW, QRELS, run))


@pytest.mark.parametrize("relevance", [2**63, -(2**63) - 1, 2**100])
@pytest.mark.parametrize("lazy", [False, True])
def test_128_bit_relevance_beyond_64_bits_is_refused(relevance, lazy):
    library = LIBRARIES[-1] if lazy else LIBRARIES[2]
    kind = pl.Series([relevance], dtype=pl.Int128)
    qrels = pl.DataFrame({"query_id": "q1", "doc_id": "a", "relevance": kind}).lazy()
    said = f"qrels: topic 'q1', document 'a': the relevance is {relevance}; relevance is a whole"
    with pytest.raises((FrameError, pl.exceptions.ComputeError), match=re.escape(said)):
        library.rows(score(library.frame(run_table(RUN)), qrels if lazy else qrels.collect(), FEW))


@pytest.mark.parametrize(
    "index",
    [
        lambda n: [0] * n,
        lambda n: range(n, 0, -1),
        lambda n: pd.MultiIndex.from_tuples([(i // 2, "a") for i in range(n)]),
        lambda n: [None, *range(1, n)],
    ],
    ids=["repeated", "descending", "of two levels", "null"],
)
def test_the_index_of_a_frame_makes_no_difference(index):
    run, qrels = run_table(RUN).to_pandas(), qrels_table(QRELS).to_pandas()
    run.index, qrels.index = index(len(run)), index(len(qrels))
    check(score(run, qrels, FEW).to_dict("records"), expected(FEW, QRELS, RUN))


@pytest.mark.parametrize("odd", [7, 1.5, None, ("a", "b"), pd.Timestamp(0)], ids=str)
def test_names_that_are_not_strings_make_no_difference_unless_asked_for(odd):
    run, qrels = (
        table.to_pandas().rename(columns={"note": odd})
        for table in (run_table(RUN, note="x"), qrels_table(QRELS, note="x"))
    )
    check(score(run, qrels, FEW).to_dict("records"), expected(FEW, QRELS, RUN))


def test_columns_that_cannot_be_named_are_refused():
    run, qrels = run_table(RUN).to_pandas(), qrels_table(QRELS).to_pandas()
    levels = run.copy()
    levels.columns = pd.MultiIndex.from_tuples([(name, "x") for name in run])
    rename = "; column names must be strings, so rename those that are not"
    for frame, said in [
        (levels, "run: there is no column 'query_id'; it has ('query_id', 'x'), ('doc_id', 'x'), "
                 f"('score', 'x'){rename}"),
        (run.rename(columns={"score": 3}),
         f"run: there is no column 'score'; it has query_id, doc_id, 3{rename}"),
        (run.set_index(["query_id", "doc_id"]),
         "run: there is no column 'query_id'; it is a level of the index; call reset_index() to "
         "make it a column"),
        (pd.concat([run, run[["score"]]], axis=1),
         "run: several columns are called 'score'; rename all but one of them"),
    ]:  # fmt: skip
        with pytest.raises(FrameError) as raised:
            score(frame, qrels, "AP")
        assert str(raised.value) == said


def test_a_repeated_name_is_refused():
    run, qrels = run_table(RUN), qrels_table(QRELS)
    twice = pa.table([*run.columns, run["score"]], names=[*run.column_names, "score"])
    with pytest.raises(FrameError, match="run: several columns are called 'score'"):
        score(twice, qrels, "AP")
    with pytest.raises(FrameError, match="qrels: several columns are called 'relevance'"):
        score(run, qrels.append_column("relevance", qrels["relevance"]), "AP")


@pytest.mark.parametrize("option", ["query_id", "doc_id", "score", "relevance", "by", "rank"])
@pytest.mark.parametrize("name", [0, ("a", "b"), 1.5])
def test_names_that_are_asked_for_must_be_strings(option, name):
    name = [name] if option == "by" and isinstance(name, tuple) else name
    with pytest.raises(TypeError, match=f"^{option}: the name of a column must be a string, got"):
        score(run_table(RUN), qrels_table(QRELS), "AP", **{option: name})


@pytest.mark.parametrize("library", ["pandas", "polars", "polars, lazy", "PyArrow"])
@pytest.mark.parametrize("column", ["query_id", "doc_id", "score", "relevance", "by", "rank"])
def test_a_name_may_be_empty(library, column):
    make = {"pandas": pd.DataFrame, "PyArrow": pa.table}.get(library, pl.DataFrame)
    rows = next(a.rows for a in LIBRARIES if a.name == library)
    run = {"query_id": ["q"], "doc_id": ["a"], "score": [1.0], "by": ["s"], "rank": [1]}
    qrels = {"query_id": ["q"], "doc_id": ["a"], "relevance": [1]}
    run, qrels = (
        make({"" if name == column else name: values for name, values in frame.items()})
        for frame in (run, qrels)
    )
    if library == "polars, lazy":
        run, qrels = run.lazy(), qrels.lazy()
    result = score(run, qrels, "AP", **{"by": "by", "rank": "rank", column: ""})
    first, second = ("" if name == column else name for name in ("by", "query_id"))
    assert rows(result) == [{first: "s", second: "q", "measure": "AP", "value": 1.0}]


@pytest.mark.parametrize("library", by_name(LIBRARIES))
def test_names_may_differ_in_case_only(library):
    run = run_table(RUN, QUERY_ID="x", Doc_Id="y", SCORE="z")
    run = run.select(run.column_names[::-1])
    rows = library.rows(score(library.frame(run), library.frame(qrels_table(QRELS)), FEW))
    check(rows, expected(FEW, QRELS, RUN))


def test_an_empty_frame_without_types_is_scored():
    values = dict.fromkeys(expected(FEW, QRELS, RUN), 0.0)
    names = ["query_id", "doc_id", "score"]
    qrels = qrels_table(QRELS)
    rows = score(pd.DataFrame(columns=names), qrels.to_pandas(), FEW).to_dict("records")
    check(rows, values)
    frame = pl.DataFrame(schema=names)
    check(score(frame, pl.from_arrow(qrels), FEW).to_dicts(), values)
    check(score(frame, pl.from_arrow(qrels).lazy(), FEW).collect().to_dicts(), values)
    check(score(frame.lazy(), pl.from_arrow(qrels).lazy(), FEW).collect().to_dicts(), values)


def test_a_lazy_frame_of_text_is_not_known_to_be_empty():
    run = pl.LazyFrame(schema=dict.fromkeys(["query_id", "doc_id", "score"], pl.String))
    with pytest.raises(FrameError, match="run: column 'score' contains String; scores are numbers"):
        score(run, pl.from_arrow(qrels_table(QRELS)).lazy(), "AP")


@pytest.mark.parametrize("library", by_name(LIBRARIES))
def test_a_column_of_nulls_is_refused_by_row(library):
    if library.name == "pandas":
        pytest.skip("has no type of null")
    run = run_table({"q1": {"a": 1.0}})
    run = run.set_column(2, "score", pa.nulls(1))
    refused(library, "run: topic 'q1', document 'a': the score is null or NaN", run)


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
    assert run_python(code) == "[0.5, 0.5]\n"


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
    said = "run is a pandas frame and qrels is a polars frame; convert one to the other's library"
    with pytest.raises(TypeError, match=re.escape(said)):
        score(run.to_pandas(), pl.from_arrow(qrels), "AP")


@pytest.mark.parametrize("options", [{"by": "measure"}, {"by": ["value"]}, {"query_id": "Value"}])
def test_columns_that_the_result_would_hold_twice_are_refused(options):
    name = next(iter(options.values()))
    name = name if isinstance(name, str) else name[0]
    run, qrels = run_table(RUN, **({name: "x"} if "by" in options else {})), qrels_table(QRELS)
    if "query_id" in options:
        run, qrels = (t.rename_columns([name, *t.column_names[1:]]) for t in (run, qrels))
    with pytest.raises(FrameError, match=f"column '{name}' would occur twice in the result"):
        score(run, qrels, "AP", **options)


def test_libraries_without_what_ranking_needs_are_refused():
    dask = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    run, qrels = (
        dask.from_pandas(t.to_pandas(), npartitions=1) for t in (run_table(RUN), qrels_table(QRELS))
    )
    with pytest.raises(TypeError, match=r"compute\(\) .* DuckDB or Spark"):
        score(run, qrels, "AP")
