"""What holds of scores in every dataframe library; test modules say which libraries.

They bring a fixture `library` of what :class:`Library` describes.
"""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from scored_topics import (
    MEASURES,
    check,
    collection,
    expected,
    qrels_table,
    ranks_table,
    run_table,
)

from pres_plugin.frames import AP, PRES, FrameError, MeasureError, score

pa = pytest.importorskip("pyarrow", reason="PyArrow is not installed")


@dataclass(frozen=True)
class Library:
    """A dataframe library under test.

    Attributes
    ----------
    name : str
    frame : callable
        From a PyArrow table to a frame of the library.
    rows : callable
        From such a frame to a list of dicts.
    kind : type
        Of its frames.
    error : type or tuple of types
        Of what executing a lazy frame raises; None of eager libraries.
    count : callable
        From a lazy frame to the number of its rows; None of eager libraries.
    odd_name : str
        A column's name that has to be quoted.
    """

    name: str
    frame: Any
    rows: Any
    kind: type
    error: Any = None
    count: Any = None
    odd_name: str = 'the "doc\'s" id'


RUN = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"a": 1.0, "c": 0.5}}
QRELS = {"q1": {"a": 1, "c": 2, "x": 0}, "q2": {"y": 1, "z": 0}}
FEW = ["PRES@2", "PRES_est@1", "Rnorm(N=9)", "Rnorm(judged_only=True)", "AP", "R@2"]


def with_rows(table, **columns):
    """The table with further rows, of which others than `columns` are null."""
    more = pa.table({name: pa.array(values) for name, values in columns.items()})
    arrays = {
        name: more[name].cast(table[name].type)
        if name in columns
        else pa.nulls(len(more), table[name].type)
        for name in table.column_names
    }
    return pa.concat_tables([table, pa.table(arrays, schema=table.schema)])


def refused(library, said, run=None, qrels=None, measures="PRES@2", **options):
    """The rows are refused: by eager libraries at once, by others when asked for the result."""
    run = library.frame(run_table(RUN) if run is None else run)
    qrels = library.frame(qrels_table(QRELS) if qrels is None else qrels)
    if library.error is None:
        with pytest.raises(FrameError) as raised:
            score(run, qrels, measures, **options)
        assert str(raised.value) == said
    else:
        result = score(run, qrels, measures, **options)
        with pytest.raises(library.error, match=re.escape(said)):
            library.rows(result)


class Scores:
    def test_scores_are_those_of_ir_measures(self, library):
        qrels, run = collection()
        result = score(library.frame(run_table(run)), library.frame(qrels_table(qrels)), MEASURES)
        assert isinstance(result, library.kind)
        rows = library.rows(result)
        assert list(rows[0]) == ["query_id", "measure", "value"]
        check(rows, expected(MEASURES, qrels, run))

    def test_ranks_take_the_place_of_scores(self, library):
        qrels, run = collection(seed=1)
        measures = [measure.replace("N=9", "N=500") for measure in FEW]
        result = score(
            library.frame(ranks_table(run)),
            library.frame(qrels_table(qrels)),
            measures,
            rank="rank",
        )
        check(library.rows(result), expected(measures, qrels, run))

    def test_runs_are_told_apart_by_columns(self, library):
        qrels, runs = {}, {}
        for seed in (1, 2):
            qrels, runs[seed] = collection(seed)
        del runs[2]["ties 0"]
        table = pa.concat_tables(
            [run_table(run, system=f"s{seed}", seed=seed) for seed, run in runs.items()]
        )
        result = score(
            library.frame(table), library.frame(qrels_table(qrels)), ["PRES@3", "AP"],
            by=["seed", "system"],
        )  # fmt: skip
        values = {
            (seed, f"s{seed}", *key): value
            for seed, run in runs.items()
            for key, value in expected(["PRES@3", "AP"], qrels, run).items()
        }
        rows = library.rows(result)
        assert list(rows[0]) == ["seed", "system", "query_id", "measure", "value"]
        check(rows, values, "seed", "system", "query_id", "measure")

    def test_columns_have_any_names_and_order(self, library):
        names = {"query_id": "_query", "doc_id": library.odd_name, "score": "select"}
        run = run_table(RUN, value=7, measure="x").rename_columns(
            [names.get(c, c) for c in run_table(RUN, value=7, measure="x").column_names]
        )
        qrels = qrels_table(QRELS, note="x")
        qrels = qrels.select(["note", "relevance", "doc_id", "query_id"]).rename_columns(
            ["_size", "value", names["doc_id"], "_query"]
        )
        result = score(
            library.frame(run.select(run.column_names[::-1])), library.frame(qrels), FEW,
            query_id="_query", doc_id=names["doc_id"], score="select", relevance="value",
        )  # fmt: skip
        check(library.rows(result), expected(FEW, QRELS, RUN), "_query", "measure")

    def test_empty_frames_are_scored(self, library):
        none = run_table({})
        rows = library.rows(score(library.frame(none), library.frame(qrels_table(QRELS)), FEW))
        check(rows, dict.fromkeys(expected(FEW, QRELS, RUN), 0.0))
        assert not library.rows(
            score(library.frame(run_table(RUN)), library.frame(qrels_table({})), FEW)
        )

    @pytest.mark.parametrize(
        ("scores", "relevance"),
        [(pa.float32(), pa.int8()), (pa.int64(), pa.int32()), (pa.int16(), pa.int64())],
    )
    def test_scores_and_relevance_are_of_any_numeric_type(self, library, scores, relevance):
        run = {"q1": {"a": 3, "b": 2, "c": 3}, "q2": {"a": -1, "c": 0}}
        qrels = {**QRELS, "q2": {"c": -1, "a": 1}}
        result = score(
            library.frame(run_table(run, scores)), library.frame(qrels_table(qrels, relevance)), FEW
        )
        check(library.rows(result), expected(FEW, qrels, run))

    def test_all_of_a_collection_may_be_relevant(self, library):
        qrels, run = {"q": {"a": 1, "b": 1}, "missing": {"a": 1, "b": 1}}, {"q": {"a": 2, "b": 1}}
        measures = ["Rnorm(N=2)", "Rnorm(N=2)@1", "Rnorm(judged_only=True)"]
        result = score(library.frame(run_table(run)), library.frame(qrels_table(qrels)), measures)
        check(library.rows(result), expected(measures, qrels, run))

    def test_the_higher_of_a_repeated_document_counts_if_asked_for(self, library):
        repeated = with_rows(run_table(RUN), query_id=["q1"], doc_id=["c"], score=[9.0])
        result = score(
            library.frame(repeated), library.frame(qrels_table(QRELS)), FEW, duplicates="highest"
        )
        best = {**RUN, "q1": {**RUN["q1"], "c": 9.0}}
        check(library.rows(result), expected(FEW, QRELS, best))


REPEATED = (
    "run: topic '{}', document '{}': retrieved twice; if the frame holds several runs, name the "
    "column that tells them apart with by=, else keep the best of each document with "
    "duplicates='highest'"
)


class Refusals:
    def test_a_missing_score_is_named(self, library):
        run = with_rows(run_table(RUN), query_id=["q2"], doc_id=["n"])
        refused(library, "run: topic 'q2', document 'n': the score is null or NaN", run)

    def test_missing_ids_are_named(self, library):
        run = with_rows(run_table(RUN), doc_id=["n"], score=[1.0])
        refused(library, "run: null in column 'query_id'", run)
        run = with_rows(run_table(RUN), query_id=["q2"], score=[1.0])
        said = "topic 'q2' has a document without an id: null in column 'doc_id'"
        refused(library, f"run: {said}", run)
        qrels = with_rows(qrels_table(QRELS), query_id=["q2"], relevance=[0])
        refused(library, f"qrels: {said}", qrels=qrels)

    def test_a_column_with_braces_in_its_name_is_named(self, library):
        run = with_rows(run_table(RUN), query_id=["q2"], score=[1.0])
        run = run.rename_columns(["query_id", "{doc}", "score"])
        qrels = qrels_table(QRELS).rename_columns(["query_id", "{doc}", "relevance"])
        said = "run: topic 'q2' has a document without an id: null in column '{doc}'"
        refused(library, said, run, qrels, doc_id="{doc}")

    @pytest.mark.parametrize(
        ("topic", "doc_id", "measures"),
        [("q1", "b", "PRES@1"), ("q2", "c", ["R@1"]), ("q9", "b", "Rnorm(judged_only=True)")],
    )
    def test_a_repeated_document_is_named_wherever_it_is(self, library, topic, doc_id, measures):
        # None of these is relevant; q2 found nothing relevant, q9 is not in the qrels.
        run = {**RUN, "q9": {"b": 1.0}}
        table = with_rows(run_table(run), query_id=[topic], doc_id=[doc_id], score=[0.1])
        refused(library, REPEATED.format(topic, doc_id), table, measures=measures)

    def test_a_document_judged_twice_is_named(self, library):
        qrels = with_rows(qrels_table(QRELS), query_id=["q2"], doc_id=["z"], relevance=[0])
        refused(library, "qrels: topic 'q2', document 'z': judged twice", qrels=qrels)

    def test_a_collection_too_small_is_named(self, library):
        refused(
            library,
            "Rnorm(N=2): topic 'q2' has 3 documents that were retrieved or are relevant, more "
            "than N; set N to the number of documents in the collection",
            run_table({"q2": RUN["q2"]}),
            qrels_table({"q2": QRELS["q2"]}),
            "Rnorm(N=2)",
        )

    def test_wrong_ranks_are_named(self, library):
        ranks = ranks_table(RUN)
        wrong = with_rows(ranks, query_id=["q2"], doc_id=["n"], rank=[0])
        said = "run: topic 'q2', document 'n': the rank is 0; ranks are counted from 1"
        refused(library, said, wrong, rank="rank")
        twice = with_rows(ranks_table({"q2": {"a": 1.0}}), query_id=["q3"], doc_id=["n"], rank=[5])
        twice = with_rows(twice, query_id=["q3"], doc_id=["n"], rank=[6])
        refused(library, REPEATED.format("q3", "n"), twice, rank="rank")

    def test_counting_the_result_finds_wrong_rows_too(self, library):
        if library.count is None:
            pytest.skip("fails at the call")
        qrels = library.frame(qrels_table(QRELS))
        run = with_rows(run_table(RUN), query_id=["q2"], doc_id=["c"], score=[0.1])
        result = score(library.frame(run), qrels, "PRES@2")
        with pytest.raises(library.error, match=re.escape(REPEATED.format("q2", "c"))):
            library.count(result)

    def test_columns_and_types_are_checked_at_the_call(self, library):
        run, qrels = run_table(RUN), qrels_table(QRELS)
        for table, options, said in [
            (run, {"score": "x"}, "run: there is no column 'x'; it has query_id, doc_id, score"),
            (run, {"by": "tag"}, "run: there is no column 'tag'; it has query_id, doc_id, score"),
            (run, {"score": "doc_id"}, "run: column 'doc_id' holds String; scores are numbers"),
            (run, {"rank": "score"},
             "run: column 'score' holds Float64; ranks are whole numbers from 1"),
            (run.set_column(1, "doc_id", pa.array(range(len(run)))), {},
             "run: column 'doc_id' holds Int64; ids are strings, as trec_eval and ir-measures "
             "have them"),
        ]:  # fmt: skip
            with pytest.raises(FrameError) as raised:
                score(library.frame(table), library.frame(qrels), "AP", **options)
            assert str(raised.value) == said
        floats = qrels.set_column(2, "relevance", pa.array([1.0] * len(qrels)))
        said = "qrels: column 'relevance' holds Float64; relevance is a whole number"
        with pytest.raises(FrameError, match=re.escape(said)):
            score(library.frame(run), library.frame(floats), AP)
        with pytest.raises(MeasureError, match="a cutoff is missing"):
            score(library.frame(run), library.frame(qrels), PRES)
        with pytest.raises(TypeError, match="run: list is no dataframe of"):
            score([], library.frame(qrels), AP)
