"""Scores of tables of polars, which the frames of all libraries become."""

import sys

import polars as pl
import pyarrow as pa
import pytest
from beginnings import raises
from frame_contract import FEW, QRELS, RUN, SEVERAL, refused, scored, with_row
from frame_libraries import POLARS
from interpreter import run_python
from scored_topics import check, expected, qrels_table, run_table

from pres_plugin import InputError
from pres_plugin.frames import score


def test_results_are_sorted():
    rows = scored(POLARS, run_table(RUN), measures=["R@2", "AP"])
    order = [("q1", "R@2"), ("q1", "AP"), ("q2", "R@2"), ("q2", "AP")]
    assert [(row["query_id"], row["measure"]) for row in rows] == order


# --- Scores, ranks and relevance. ----------------------------------------------------------------


def test_scores_need_not_be_exact_in_64_bits():
    run = {"q1": {"a": 2**60 + 1, "b": 2**62 + 1, "c": 2**60 + 1}}
    check(scored(POLARS, run_table(run, pa.int64())), expected(FEW, QRELS, run))


def test_whole_numbers_may_be_large():
    qrels = qrels_table({"q": {"a": 2**63 - 1, "b": 0}}, pa.uint64())
    ranks = pa.table({"query_id": ["q"], "doc_id": ["a"], "rank": [10**10]})
    (row,) = scored(POLARS, ranks, qrels, "AP", rank="rank")
    assert row["value"] == pytest.approx(1e-10)


@pytest.mark.parametrize(
    ("rank", "kind"),
    [(10**10 + 1, pa.int64()), (2**64 - 1, pa.uint64()), (-1, pa.int8()), (1.5, pa.float32())],
)
def test_ranks_out_of_range_are_named(rank, kind):
    columns = {"query_id": ["q1", "q2"], "doc_id": ["a", "n"], "rank": pa.array([1, rank], kind)}
    said = f"run: topic 'q2', document 'n': the rank in column 'rank' is {rank}, not a whole number"
    refused(POLARS, said, pa.table(columns), rank="rank")


# --- Duplicates. ---------------------------------------------------------------------------------


# Document b is the relevant one. It is followed by c, whose two rows have ranks 2 and 5.
@pytest.mark.parametrize(("kept", "rank"), [("first", 2), ("last", 3), ("highest", 3)])
def test_ranks_close_up_where_rows_of_a_repeated_document_are_dropped(kept, rank):
    rows = [("q", "a", 1), ("q", "c", 5), ("q", "b", 4), ("q", "c", 2)]
    run = pl.DataFrame(rows, ["query_id", "doc_id", "rank"], orient="row")
    qrels = pl.DataFrame([("q", "b", 1)], ["query_id", "doc_id", "relevance"], orient="row")
    # Nothing is at rank 3, which remains a gap.
    (value,) = score(run, qrels, "LastRel", rank="rank", duplicates=kept)["value"]
    assert value == rank + 1


def test_the_highest_relevance_of_a_repeated_document_counts():
    qrels = with_row(qrels_table({"q1": {"a": 0}}), query_id="q1", doc_id="a", relevance=1)
    for kept, value in {"first": 0.0, "last": 1.0, "highest": 1.0}.items():
        (row,) = scored(POLARS, run_table(RUN), qrels, "AP", duplicates=kept)
        assert row["value"] == value


@pytest.mark.parametrize(
    ("topic", "doc_id", "measures"),
    [("q1", "b", "PRES@1"), ("q9", "b", "Rnorm(judged_only=True)")],
)
def test_a_repeated_document_is_named_wherever_it_is(topic, doc_id, measures):
    # Neither is relevant, and q9 is not in the qrels.
    table = with_row(run_table({**RUN, "q9": {"b": 1.0}}), query_id=topic, doc_id=doc_id, score=0.1)
    said = f"run: document '{doc_id}' is in topic '{topic}' twice; {SEVERAL}"
    refused(POLARS, said, table, measures=measures)


# --- Names. --------------------------------------------------------------------------------------


@pytest.mark.parametrize("option", ["query_id", "by"])
def test_names_that_are_asked_for_must_be_strings(option):
    with raises(TypeError, "the name of a column must be a string, got"):
        score(run_table(RUN), qrels_table(QRELS), "AP", **{option: [1.5]})


@pytest.mark.parametrize(
    "options", [{"by": "measure"}, {"query_id": "Value"}, {"by": ["doc_id", "DOC_ID"]}], ids=str
)
def test_columns_that_the_result_would_hold_twice_are_refused(options):
    with raises(InputError, "run: column '(measure|Value|doc_id)' would occur twice in the result"):
        score(run_table(RUN, Value="q"), qrels_table(QRELS, Value="q"), "AP", **options)


# --- What has to be installed, and processes. ----------------------------------------------------

SMALL = """
import sys
sys.modules |= dict.fromkeys({!r})
import pandas as pd
from pres_plugin.frames import score
run = pd.DataFrame({{"query_id": "q", "doc_id": ["a", "b"], "score": [2, 1], "s": ["x", "x"]}})
qrels = pd.DataFrame({{"query_id": ["q"], "doc_id": ["b"], "relevance": [1]}})
try:
    print(score(run, qrels, "AP", by="s")["value"].tolist())
except ImportError as error:
    print(error)
"""


@pytest.mark.ci
def test_pandas_does_not_need_other_packages():
    assert run_python(SMALL.format(["pyarrow", "ir_measures"])) == "[0.5]\n"


@pytest.mark.ci
def test_polars_is_asked_for_by_the_name_of_the_extra():
    assert run_python(SMALL.format(["polars"])) == (
        "pres_plugin.frames scores frames with polars, which is not installed; in a clone of "
        "pres-plugin, run: pip install '.[frames]'\n"
    )


@pytest.mark.ci
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows a process its threads")
@pytest.mark.parametrize("used_before", [True, pytest.param(False, marks=pytest.mark.release)])
def test_a_fork_without_polars_threads_is_told_what_to_do(used_before):
    code = f"""
import multiprocessing
import pandas as pd
from pres_plugin.frames import score

run = pd.DataFrame({{"query_id": ["q"], "doc_id": ["a"], "score": [1.0]}})
qrels = pd.DataFrame({{"query_id": ["q"], "doc_id": ["a"], "relevance": [1]}})

def scored(_):
    try:
        return score(run, qrels, "AP")["value"].sum()
    except RuntimeError as error:
        return str(error)

if {used_before}:
    scored(0)
with multiprocessing.get_context("fork").Pool(1) as pool:
    print(*pool.map(scored, range(2)), sep="\\n")
"""
    first, second = run_python(code, "-Wignore").splitlines()
    assert first == second
    assert ("start processes with multiprocessing.get_context('spawn')" in first) == used_before
    assert used_before or float(first) == 1
