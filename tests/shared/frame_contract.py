"""What holds in every dataframe library, beside the values of `test_contract.py`.

Test modules bring a fixture `library`, a :class:`frame_libraries.Library`.
"""

from itertools import pairwise

import pyarrow as pa
import pytest
from beginnings import raises
from frame_libraries import OF_SPARK
from repetitions import every
from scored_topics import check, expected, qrels_table, ranks_table, run_table

from pres_plugin.frames import score

# Names that mean something to a library, or that the package uses itself.
NAMES = [
    *("a.b", "a`b", 'a"b', "a'b", "{doc}", "{}", "%s", "a\\b", "a\nb", "a b", "select", "é"),
    *("*", "^.*$", "^_.*$", "#1", "$1", "a[0]", "a;b", "a,b", "a=b", "?", "_0", "_1"),
    *("by0", "by1", "run", "is_run", "start", "run_on", "rank", "native", "PRES@3", "index"),
]
TEXTS = [
    *(pa.string(), pa.large_string(), getattr(pa, "string_view", pa.string)()),
    pa.dictionary(pa.int32(), pa.string()),
]
NUMBERS = [pa.int8(), pa.uint64(), pa.float32(), pa.float64(), pa.decimal128(25, 3)]

RUN = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"a": 1.0, "c": 0.5}}
QRELS = {"q1": {"a": 1, "c": 2, "x": 0}, "q2": {"y": 1, "z": 0}}
FEW = ["PRES@2", "PRES_est@1", "Rnorm(N=9)", "Rnorm(judged_only=True)", "AP", "R@2"]


def as_text(table, kind, *columns):
    """The table with columns of this type of text, in several chunks."""
    for column in columns:
        array = table[column].combine_chunks().cast(getattr(kind, "value_type", kind))
        chunks = pa.chunked_array([array[:2], array[2:]])
        if pa.types.is_dictionary(kind):
            chunks = chunks.dictionary_encode().cast(kind)
        table = table.set_column(table.column_names.index(column), column, chunks)
    return table


def with_row(table, **values):
    """The table with a further row, which is null except in these columns."""
    row = {field.name: pa.array([values.get(field.name)], field.type) for field in table.schema}
    return pa.concat_tables([table, pa.table(row, schema=table.schema)])


def scored(library, run=None, qrels=None, measures=FEW, **options):
    """The rows of the result; RUN and QRELS are the default."""
    run = library.frame(run_table(RUN) if run is None else run)
    qrels = library.frame(qrels_table(QRELS) if qrels is None else qrels)
    result = score(run, qrels, measures, **options)
    assert type(result) is type(run)
    return library.rows(result)


def refused(library, said, *frames, **options):
    with raises(library.error, OF_SPARK + said):
        scored(library, *frames, **options)


SEVERAL = "pass the column that distinguishes several runs as by="
HALF = qrels_table({"q1": {"a": 1.0, "b": 0.5}}, pa.float64())

# The arguments of `scored`, and what is said, as a regular expression.
REFUSED = {
    "no column": (
        {"score": "x"},
        "run: there is no column 'x'; the columns are query_id, doc_id, score",
    ),
    "text as scores": (
        {"score": "doc_id"},
        "run: column 'doc_id' contains String; expected numbers, so cast the column to floats",
    ),
    "numbers as ids": (
        {"run": run_table(RUN, query_id=3)},
        "run: column 'query_id' contains (Int64|bigint); ids are strings, as in trec_eval and "
        "ir-measures, so cast the column to strings",
    ),
    "no score": (
        {"run": with_row(run_table(RUN), query_id="q2", doc_id="n")},
        "run: topic 'q2', document 'n': the score in column 'score' is missing or NaN; fill it in",
    ),
    "no id": (
        {"qrels": with_row(qrels_table(QRELS), query_id="q2", relevance=1)},
        "qrels: topic 'q2': the document in column 'doc_id' is empty; fill it in",
    ),
    "retrieved twice": (
        {"run": with_row(run_table(RUN), query_id="q2", doc_id="c", score=0.1)},
        f"run: document 'c' is in topic 'q2' twice; {SEVERAL}; duplicates='highest' keeps",
    ),
    "judged twice": (
        {"qrels": with_row(qrels_table(QRELS), query_id="q2", doc_id="y", relevance=1)},
        "qrels: document 'y' is in topic 'q2' twice; duplicates='highest' keeps the best row of",
    ),
    "equal ranks": (
        {"run": with_row(ranks_table(RUN), query_id="q2", doc_id="n", rank=2), "rank": "rank"},
        f"run: topic 'q2': documents '[cn]' and '[cn]' both have rank 2; {SEVERAL}",
    ),
    "half a relevance": (
        {"qrels": HALF},
        "qrels: topic 'q1', document 'b': the relevance in column 'relevance' is 0.5, not a whole "
        "number that fits 64 bits; write 1 or 0",
    ),
    "N too small": (
        {"measures": "Rnorm(N=2)"},
        r"Rnorm\(N=2\): topic 'q[12]' has 3 documents that were retrieved or are relevant, more "
        "than N; set N to the number",
    ),
}


class Contract:
    def test_the_result_is_a_frame_of_the_library_with_three_columns(self, library):
        # A library may find an empty id to be null.
        run, qrels = {**RUN, "": {"": 2, "b": 1}}, {**QRELS, "": {"": 1}}
        rows = scored(library, run_table(run), qrels_table(qrels))
        assert list(rows[0]) == ["query_id", "measure", "value"]
        check(rows, expected(FEW, qrels, run))

    def test_runs_are_told_apart_by_columns(self, library):
        # The topics that a run lacks score 0.
        runs = {2: RUN, 1: {"q1": {"c": 1.0}}}
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
        table, ranked = (run_table, {}) if i % 2 else (ranks_table, {"rank": order})
        run = table(RUN).rename_columns([query_id, doc_id, order])
        for other in (by, *unused):
            run = run.append_column(other, pa.array(["s"] * len(run)))
        qrels = qrels_table(QRELS, **dict.fromkeys(unused, "x"))
        rows = scored(
            library, run.select(run.column_names[::-1]),
            qrels.rename_columns([query_id, doc_id, relevance, *unused]),
            query_id=query_id, doc_id=doc_id, score=order, relevance=relevance, by=by, **ranked,
        )  # fmt: skip
        assert list(rows[0]) == [by, query_id, "measure", "value"]
        values = expected(FEW, QRELS, RUN)
        check(rows, {("s", *key): v for key, v in values.items()}, by, query_id, "measure")

    @pytest.mark.parametrize("options", [{}, {"by": "doc_id"}, {"rank": "score"}], ids=str)
    def test_empty_frames_are_scored(self, library, options):
        # Without rows there is one run, or none if a column distinguishes runs.
        values = {} if "by" in options else dict.fromkeys(expected(FEW, QRELS, RUN), 0.0)
        check(scored(library, run_table({}), **options), values)
        assert not scored(library, qrels=qrels_table({}))

    # pandas 2.0 warns when it casts categories without missing values.
    @pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
    @pytest.mark.parametrize(("of_run", "of_qrels"), [*pairwise([*TEXTS, TEXTS[0]])], ids=str)
    def test_text_of_all_types_is_the_same(self, library, of_run, of_qrels):
        run = as_text(run_table(RUN, system="s"), of_run, "query_id", "doc_id", "system")
        qrels = as_text(qrels_table(QRELS), of_qrels, "query_id", "doc_id")
        key = ("system", "query_id", "measure")
        values = {("s", *key): value for key, value in expected(FEW, QRELS, RUN).items()}
        check(scored(library, run, qrels, by="system"), values, *key)

    @pytest.mark.parametrize("kind", NUMBERS, ids=str)
    def test_numbers_of_all_types_are_the_same(self, library, kind):
        if library.name == "Dask" and pa.types.is_decimal(kind):
            pytest.skip("Dask makes strings of Python's decimals")
        run = {"q1": {"a": 3, "b": 2, "c": 1}, "q2": {"a": 2, "c": 1}}
        tables = run_table(run, kind), qrels_table(QRELS, kind)
        check(scored(library, *tables), expected(FEW, QRELS, run))
        lowest_first = {t: {doc: -n for doc, n in docs.items()} for t, docs in run.items()}
        check(scored(library, *tables, rank="score"), expected(FEW, QRELS, lowest_first))

    @pytest.mark.parametrize("case", REFUSED)
    def test_wrong_frames_are_refused(self, library, case):
        arguments, said = REFUSED[case]
        refused(library, said, **arguments)
