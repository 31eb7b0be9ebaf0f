"""What holds of scores in every dataframe library, beside the values of `test_contract.py`.

Test modules bring a fixture `library`, a :class:`frame_libraries.Library`.
"""

import re
from dataclasses import replace

import pytest
from repetitions import every, pairs
from scored_topics import check, collection, expected, qrels_table, ranks_table, run_table

from pres_plugin import InputError
from pres_plugin.frames import AP, PRES, Measure, MeasureError, R, score

pa = pytest.importorskip("pyarrow", reason="PyArrow is not installed")

# Names that mean something to a library, or that the package uses itself.
NAMES = [
    *("a.b", "a`b", 'a"b', "a'b", "{doc}", "{}", "%s", "a\\b", "a\nb", "a b", "select", "é"),
    *("*", "^.*$", "^_.*$", "#1", "$1", "a[0]", "a;b", "a,b", "a=b", "?"),
    *("_query", "_doc", "_score", "_rank", "_relevance", "_judged", "_size", "_by0", "_by1", "_0"),
    *("_count", "_hits", "_wrong", "_problem", "_times", "_rows", "_known", "_place", "_first"),
    *("_n_1", "_found_1_all_3", "_precisions_1_all_3", "PRES@3", "index", "lhs", "rhs"),
]

TEXTS = {
    "string": pa.string(),
    "large string": pa.large_string(),
    "string view": getattr(pa, "string_view", pa.string)(),
    "dictionary": pa.dictionary(pa.int32(), pa.string()),
}


def as_text(table, kind, *columns):
    """The table with columns of this type of text, in several chunks."""
    for column in columns:
        array = table[column].combine_chunks().cast(getattr(kind, "value_type", kind))
        chunks = pa.chunked_array([array[:2], array[2:]])
        if pa.types.is_dictionary(kind):
            chunks = chunks.dictionary_encode().cast(kind)
        table = table.set_column(table.column_names.index(column), column, chunks)
    return table


RUN = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"a": 1.0, "c": 0.5}}
QRELS = {"q1": {"a": 1, "c": 2, "x": 0}, "q2": {"y": 1, "z": 0}}
FEW = ["PRES@2", "PRES_est@1", "Rnorm(N=9)", "Rnorm(judged_only=True)", "AP", "R@2"]


def with_rows(table, **columns):
    """The table with further rows, which are null except in `columns`."""
    more = pa.table({name: pa.array(values) for name, values in columns.items()})
    arrays = {
        name: more[name].cast(table[name].type)
        if name in columns
        else pa.nulls(len(more), table[name].type)
        for name in table.column_names
    }
    return pa.concat_tables([table, pa.table(arrays, schema=table.schema)])


def with_equal_ranks(topic):
    """RUN with ranks, and two documents at the same rank that are not judged."""
    return with_rows(ranks_table(RUN), query_id=[topic] * 2, doc_id=["m", "n"], rank=[7, 7])


def refused(library, said, run=None, qrels=None, measures="PRES@2", where=None, **options):
    """The rows are refused: by eager libraries at once, by others when asked for the result.

    What is said begins with `where` if only that is certain.
    """
    run = library.frame(run_table(RUN) if run is None else run)
    qrels = library.frame(qrels_table(QRELS) if qrels is None else qrels)
    if library.error is None:
        with pytest.raises(InputError) as raised:
            score(run, qrels, measures, **options)
        said_so = str(raised.value)
        assert said_so == said if where is None else said_so.startswith(where)
    else:
        result = score(run, qrels, measures, **options)
        with pytest.raises(library.error, match=re.escape(said)) as raised:
            library.rows(result)
        said_so = str(raised.value)
    assert said in said_so
    assert (where or "") in said_so


def scored(library, run=None, qrels=None, measures=FEW, **options):
    """The rows of the result; RUN and QRELS are the default."""
    run = library.frame(run_table(RUN) if run is None else run)
    qrels = library.frame(qrels_table(QRELS) if qrels is None else qrels)
    return library.rows(score(run, qrels, measures, **options))


class Scores:
    def test_the_result_is_a_frame_of_the_library_with_three_columns(self, library):
        # An engine may find an empty id to be null.
        run, qrels = {**RUN, "": {"": 2, "b": 1}}, {**QRELS, "": {"": 1}}
        frames = library.frame(run_table(run)), library.frame(qrels_table(qrels))
        result = score(*frames, FEW)
        assert isinstance(result, library.kind)
        rows = library.rows(result)
        assert list(rows[0]) == ["query_id", "measure", "value"]
        check(rows, expected(FEW, qrels, run))

    def test_ranks_take_the_place_of_scores(self, library):
        qrels, run = collection(seed=1)
        measures = [measure.replace("N=9", "N=500") for measure in FEW]
        rows = scored(library, ranks_table(run), qrels_table(qrels), measures, rank="rank")
        check(rows, expected(measures, qrels, run))

    def test_runs_are_told_apart_by_columns(self, library):
        runs = {1: RUN, 2: {"q1": {"c": 1.0}}}
        tables = [run_table(run, system=f"s{i}", seed=i) for i, run in runs.items()]
        rows = scored(library, pa.concat_tables(tables), by=["seed", "system"])
        assert list(rows[0]) == ["seed", "system", "query_id", "measure", "value"]
        values = {
            (i, f"s{i}", *key): value
            for i, run in runs.items()
            for key, value in expected(FEW, QRELS, run).items()
        }
        check(rows, values, "seed", "system", "query_id", "measure")

    # Five names of each case are those of columns that are used: each name is, by default.
    @pytest.mark.parametrize("i", every(5, range(len(NAMES))), ids=map(repr, NAMES))
    def test_columns_have_any_names_and_order(self, library, i):
        by, query_id, doc_id, order, relevance, *unused = (NAMES[i:] + NAMES[:i])[:7]
        measures = ["PRES@3", "AP(judged_only=True)"]
        table, ranked = (run_table, {}) if i % 2 else (ranks_table, {"rank": order})
        run = table(RUN).rename_columns([query_id, doc_id, order])
        for other in (by, *unused):
            run = run.append_column(other, pa.array(["s"] * len(run)))
        qrels = qrels_table(QRELS, **dict.fromkeys(unused, "x"))
        rows = scored(
            library, run.select(run.column_names[::-1]),
            qrels.rename_columns([query_id, doc_id, relevance, *unused]), measures,
            query_id=query_id, doc_id=doc_id, score=order, relevance=relevance, by=by, **ranked,
        )  # fmt: skip
        assert list(rows[0]) == [by, query_id, "measure", "value"]
        values = expected(measures, QRELS, RUN)
        check(rows, {("s", *key): v for key, v in values.items()}, by, query_id, "measure")

    def test_empty_frames_are_scored(self, library):
        check(scored(library, run_table({})), dict.fromkeys(expected(FEW, QRELS, RUN), 0.0))
        assert not scored(library, qrels=qrels_table({}))

    # pandas 2.0 warns when it casts categories without missing values.
    @pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
    @pytest.mark.parametrize(("of_run", "of_qrels"), pairs(TEXTS))
    def test_text_of_all_types_is_the_same(self, library, of_run, of_qrels):
        run = as_text(run_table(RUN, system="s"), TEXTS[of_run], "query_id", "doc_id", "system")
        qrels = as_text(qrels_table(QRELS), TEXTS[of_qrels], "query_id", "doc_id")
        key = ("system", "query_id", "measure")
        values = {("s", *key): value for key, value in expected(FEW, QRELS, RUN).items()}
        check(scored(library, run, qrels, by="system"), values, *key)

    def test_the_highest_rank_of_a_repeated_document_counts_if_asked_for(self, library):
        # One of them is twice at the same rank.
        repeated = with_rows(
            ranks_table(RUN), query_id=["q1", "q2"], doc_id=["a", "a"], rank=[4, 1]
        )
        rows = scored(library, repeated, rank="rank", duplicates="highest")
        check(rows, expected(FEW, QRELS, RUN))

    def test_whole_numbers_may_be_large(self, library):
        qrels = qrels_table({"q": {"a": 2**63 - 1, "b": 0}}, pa.uint64())
        run = run_table({"q": {"b": 2**63, "a": 2**64 - 1}}, pa.uint64())
        assert [row["value"] for row in scored(library, run, qrels, "PRES@1")] == [1.0]
        rank = pa.array([10**10], pa.uint64())
        ranks = pa.table({"query_id": ["q"], "doc_id": ["a"], "rank": rank})
        (row,) = scored(library, ranks, qrels, "AP", rank="rank")
        assert row["value"] == pytest.approx(1e-10)

    @pytest.mark.parametrize("n_docs", [2**30, 2**31 - 1])
    def test_twice_the_size_of_a_collection_need_not_fit_32_bits(self, library, n_docs):
        # One of two relevant documents comes first, and the other one last.
        qrels, run = qrels_table({"q": {"a": 1, "b": 1}}), run_table({"q": {"a": 1.0}})
        (row,) = scored(library, run, qrels, f"Rnorm(N={n_docs})")
        assert row["value"] == 0.5

    def test_scores_below_minus_1_are_kept(self, library):
        low = replace(
            R.declaration, name="Low", formula=lambda topic: 100 * R.declaration.formula(topic) - 99
        )
        values = {
            (topic, "Low@2"): 100 * value - 99
            for (topic, _), value in expected(["R@2"], QRELS, RUN).items()
        }
        check(scored(library, measures=Measure(low) @ 2), values)


REPEATED = (
    "run: topic '{}', document '{}': retrieved twice; if the frame contains several runs, pass the "
    "column that distinguishes them as by=; otherwise keep the best rank of each document with "
    "duplicates='highest'"
)

BAD_RANK = (
    "run: topic 'q2', document 'n': the rank is {}; ranks are whole numbers from 0 to 10000000000"
)
EQUAL_RANKS = (
    "another document also has rank 7; if the frame contains several runs, pass the column that "
    "distinguishes them as by=; otherwise give each document of a topic its own rank"
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

    @pytest.mark.parametrize(
        ("topic", "doc_id", "measures"),
        [("q1", "b", "PRES@1"), ("q9", "b", "Rnorm(judged_only=True)")],
    )
    def test_a_repeated_document_is_named_wherever_it_is(self, library, topic, doc_id, measures):
        # Neither is relevant, and q9 is not in the qrels.
        run = {**RUN, "q9": {"b": 1.0}}
        table = with_rows(run_table(run), query_id=[topic], doc_id=[doc_id], score=[0.1])
        refused(library, REPEATED.format(topic, doc_id), table, measures=measures)

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
        wrong = with_rows(ranks, query_id=["q2"], doc_id=["n"], rank=[-1])
        refused(library, BAD_RANK.format(-1), wrong, rank="rank")
        twice = with_rows(ranks_table({"q2": {"a": 1.0}}), query_id=["q3"], doc_id=["n"], rank=[5])
        twice = with_rows(twice, query_id=["q3"], doc_id=["n"], rank=[6])
        refused(library, REPEATED.format("q3", "n"), twice, rank="rank")

    @pytest.mark.parametrize(
        ("rank", "kind"),
        [(10**10 + 1, pa.int64()), (2**64 - 1, pa.uint64()), (-1, pa.int8())],
    )
    def test_ranks_out_of_range_are_named(self, library, rank, kind):
        wrong = pa.table(
            {
                "query_id": ["q1", "q2"],
                "doc_id": ["a", "n"],
                "rank": pa.array([1, rank], kind),
            }
        )
        refused(library, BAD_RANK.format(rank), wrong, rank="rank")

    def test_whole_numbers_may_be_floats(self, library):
        floats = ranks_table(RUN), qrels_table(QRELS, pa.float64())
        ranks = floats[0].set_column(2, "rank", floats[0]["rank"].cast(pa.float64()))
        check(scored(library, ranks, floats[1], rank="rank"), expected(FEW, QRELS, RUN))
        half = qrels_table({"q1": {"a": 1.0, "b": 0.5}}, pa.float64())
        said = (
            "qrels: topic 'q1', document 'b': the relevance is 0.5; relevance is a whole number "
            f"from -{2**53} to {2**53}"
        )
        refused(library, said, qrels=half)

    @pytest.mark.parametrize("relevance", [2**63])
    def test_relevance_beyond_64_bits_is_named(self, library, relevance):
        qrels = qrels_table({"q1": {"a": 1, "b": relevance}}, pa.uint64())
        said = (
            f"qrels: topic 'q1', document 'b': the relevance is {relevance}; relevance is a whole "
            "number from -9223372036854775808 to 9223372036854775807"
        )
        refused(library, said, qrels=qrels)

    @pytest.mark.parametrize(
        ("topic", "duplicates", "measures"),
        [
            ("q1", "error", "PRES@3"),
            ("q9", "highest", ["AP(judged_only=True)", "R@1"]),  # a topic without judgements
        ],
    )
    def test_equal_ranks_of_two_documents_are_refused(self, library, topic, duplicates, measures):
        refused(
            library, EQUAL_RANKS, with_equal_ranks(topic), measures=measures, rank="rank",
            duplicates=duplicates, where=f"run: topic '{topic}', document ",
        )  # fmt: skip

    def test_equal_ranks_are_refused_where_a_higher_one_of_the_document_counts(self, library):
        ranks = with_rows(
            ranks_table(RUN), query_id=["q1"] * 3, doc_id=["n", "m", "m"], rank=[7, 7, 4]
        )
        refused(library, EQUAL_RANKS, ranks, rank="rank", duplicates="highest", where="run: ")

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
            (run, {"score": "doc_id"},
             "run: column 'doc_id' contains String; scores are numbers, so cast the column to "
             "floats"),
            (run, {"rank": "doc_id"},
             "run: column 'doc_id' contains String; ranks are whole numbers, so cast the column to "
             "integers"),
            (run.set_column(1, "doc_id", pa.array(range(len(run)))), {},
             "run: column 'doc_id' contains Int64; ids are strings, as in trec_eval and "
             "ir-measures, so cast the column to strings"),
        ]:  # fmt: skip
            with pytest.raises(InputError) as raised:
                score(library.frame(table), library.frame(qrels), "AP", **options)
            assert str(raised.value) == said
        words = qrels.set_column(2, "relevance", pa.array(["1"] * len(qrels)))
        said = "qrels: column 'relevance' contains String; relevance is a whole number"
        with pytest.raises(InputError, match=re.escape(said)):
            score(library.frame(run), library.frame(words), AP)
        with pytest.raises(MeasureError, match="a cutoff is missing"):
            score(library.frame(run), library.frame(qrels), PRES)
        with pytest.raises(TypeError, match="run: list is not a dataframe of"):
            score([], library.frame(qrels), AP)
