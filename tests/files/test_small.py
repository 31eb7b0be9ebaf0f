"""Small files, which are read without polars, score and fail as large ones do."""

import gzip
import json
import os
import random

import pytest
from command import pres_eval
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from interpreter import python

from pres_plugin.files import score, tables

MEASURES = ["PRES@3", "AP", "R(rel=2)@2", "Rnorm(judged_only=True)", "Rnorm(N=9)", "LastRel"]
OPTIONS = ("-q", "-p", "-1", "-f", "tsv", "-m", " ".join(MEASURES))
QRELS = "q2 0 a 1\nq1 0 b 0\nq1 0 c 2\nq1 0 d -1\nq3 0 f 1\nq4 0 a 0\n"
LARGE = -1  # no file is small


def results(folder, size, *arguments):
    """Run the command for files that are small up to some size; return all that it prints."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "SMALL", size)
        return pres_eval("score", *arguments, *OPTIONS, cwd=folder)


def both_ways(folder, *arguments):
    """Return what the command prints for files that are small, and for files that are not."""
    return [results(folder, size, *arguments) for size in (tables.SMALL, LARGE)]


@example([("q1", "a", "1"), ("q2", "a", "1"), ("q1", "b", "1")], "error")
@example([("q1", "a", "1"), ("q2", "a", "1"), ("q1", "a", "2")], "last")
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["q1", "q2", "q3", "q8"]),
            st.sampled_from(["a", "b", "c", "d", "e", "f", "é", "😀", "\ufffd", "#"]),
            st.sampled_from(["1", "1.0000000001", "1e300", "-1e400", "-0.0", "0", "2", "inf"]),
        ),
        max_size=12,
    ),
    st.sampled_from(["error", "first", "last"]),
)
@settings(
    max_examples=settings.default.max_examples // 4,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_runs_score_as_large_ones_do(tmp_path, rows, duplicates):
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text("".join(f"{q} Q0 {d} 1 {s} t\n" for q, d, s in rows))
    small, large = both_ways(tmp_path, "qrels", "run", "--duplicates", duplicates)
    assert small == large


TREC = {
    "comments": "\ufeff# q1\n\n q1 Q0\ta 1 1 t\r\n",
    "a number": "q1 Q0 a 1 high t\n",
    "NaN": "q1 Q0 a 1 2 t\nq1 Q0 b 1 nan t\n",
    "fields": "q1 Q0 a 1 2 t\nq1 Q0 b 1 2\n",
    "encoding": "q1 Q0 a 1 2 t\nq1 Q0 \udcff 1 2 t\n",
    "repeated": "q1 Q0 a 1 2 t\nq1 Q0 a 1 2 t\n",
    "no topic": "q8 Q0 a 1 2 t\n",
    "empty": "",
    "binary": "q1 Q0 a\0 1 2 t\n",
    "too many": "".join(f"q1 Q0 {i} 1 {i} t\n" for i in range(10)),
    "long topic": f"{'q' * 200} Q0 a 1 2 t\nq1 Q0 b 1 x t\n",
}
CSV = {
    "scores": "qid,docno,score\nq1,a,3\nq1,c,4\nq2,a,1\n",
    "ranks": "qid\tdocno\trank\nq1\ta\t3\nq1\tc\t4\nq2\ta\t1\n",
    "repeated rank": "qid,docno,rank\nq1,a,3\nq1,c,3\n",
    "runs": "run,qid,docno,score\nx,q1,a,3\ny,q1,c,4\n",
    "repeated": "qid,docno,score\nq1,a,3\nq1,a,4\n",
    "a number": 'qid,docno,score\n"q1",a,3\nq1,b,\n',
    "columns": "qid,score\nq1,3\n",
    "no rows": "qid,docno,score\n",
}
JSON = {
    "json": json.dumps({"q1": {"a": 1, "c": 2.5}, "q2": {}, "q3": ["f", "a"]}),
    "jsonl": '{"query_id": "q1", "results": ["c", "a"]}\n{"query_id": "q3", "results": ["f"]}\n',
    "mteb": json.dumps({"mteb_model_meta": {}, "en": {"test": {"q1": {"a": 1}}}}),
    "mteb of two": json.dumps({"en": {"test": {"q1": {"a": 1}}, "dev": {"q1": {"c": 1}}}}),
    "repeated": '{"q1": {"a": 1, "a": 2}}',
    "a number": '{"q1": {"a": "1"}}',
    "no JSON": '{"q1": {"a": 1}',
    "no topics": "{}",
}
CONTENTS = [
    pytest.param(content, id=f"{kind}: {name}")
    for kind, contents in {"TREC": TREC, "CSV": CSV, "JSON": JSON}.items()
    for name, content in contents.items()
]


@pytest.mark.parametrize("content", CONTENTS)
def test_runs_in_every_text_format_print_what_large_ones_do(tmp_path, content):
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_bytes(content.encode(errors="surrogateescape"))
    (tmp_path / "run.gz").write_bytes(gzip.compress((tmp_path / "run").read_bytes()))
    for run in ("run", "run.gz"):
        small, large = both_ways(tmp_path, "qrels", run)
        assert small == large


@pytest.mark.parametrize(
    "content",
    [
        QRELS,
        "q1 0 a 1.5\n",
        "q1 0 a\n",
        "q1 0 a 1\nq1 0 a 1\n",
        f"q1 0 a {2**63}\n",
        "".join(f"q1 0 {i} 1\n" for i in range(10)),  # more than Rnorm's N
        "",
        "qid,docno,label\nq1,a,1\n",
        '{"q1": {"a": 1}, "q2": {}}',
        '{"query_id": "q1", "relevant": ["a"]}\n',
        '{"query_id": "q1", "other": ["a"]}\n',
    ],
)
def test_judgements_print_what_large_ones_do(tmp_path, content):
    (tmp_path / "qrels").write_text(content)
    (tmp_path / "run").write_text("q1 Q0 a 1 2 t\nq1 Q0 b 1 1 t\n")
    small, large = both_ways(tmp_path, "qrels", "run")
    assert small == large
    (tmp_path / "gold").write_text(content)
    assert both_ways(tmp_path, "gold", "run")[0].returncode == small.returncode


def test_several_small_runs_print_what_large_ones_do(tmp_path):
    (tmp_path / "qrels").write_text(QRELS)
    folder = tmp_path / "runs"
    folder.mkdir()
    for i, content in enumerate((TREC["comments"], CSV["scores"], JSON["json"])):
        (folder / f"{i}").write_text(content)
    small, large = both_ways(tmp_path, "qrels", "runs")
    assert small == large
    assert small.returncode == 0
    (folder / "9").write_text(TREC["no topic"])
    small, large = both_ways(tmp_path, "qrels", "runs")
    assert small == large
    assert small.returncode == 2


def test_scores_that_are_tied_or_not_sorted_are_those_of_large_runs(tmp_path):
    # The documents of large runs are ranked as arrays, and those of small runs as dicts.
    rng = random.Random(5)
    docs = [f"d{i}" for i in range(300)]
    (tmp_path / "qrels").write_text(
        "".join(f"q{q} 0 {d} {rng.randrange(-1, 3)}\n" for q in range(9) for d in docs[::2])
    )
    lines = [
        f"q{q} Q0 {d} 1 {rng.randrange(20)} t\n" for q in range(9) for d in rng.sample(docs, 200)
    ]
    for name, order in {"by topic": lines, "mixed": rng.sample(lines, len(lines))}.items():
        (tmp_path / name).write_text("".join(order))
        measures = ["PRES@100", "AP", "AP(rel=2)", "Rnorm(judged_only=True)", "LastRel"]
        small = score(tmp_path / "qrels", tmp_path / name, measures)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tables, "SMALL", LARGE)
            assert small.equals(score(tmp_path / "qrels", tmp_path / name, measures))


SLOW = {
    *("polars", "narwhals", "pyarrow", "pandas", "packaging", "tabulate", "ir_measures", "orjson"),
    *("multiprocessing", "concurrent", "importlib.metadata", "email", "tempfile", "gzip"),
    "pres_plugin.frames",
}


@pytest.mark.parametrize("last", [("-f", "json"), ("-f", "csv", "-q")], ids=repr)
def test_a_small_run_is_scored_without_what_is_slow_to_import(tmp_path, last):
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text("q1 Q0 a 1 2 t\n")
    code = f"""
        import sys
        from pres_plugin.cli.app import run
        sys.argv = {["pres-eval", "score", "qrels", "run", *last]}
        assert run() == 0
        print(sorted({SLOW} & sys.modules.keys()))
    """
    assert python(code, cwd=tmp_path).stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("arguments", [["score", "--help"], ["score", "qrels", "missing"]])
def test_numpy_is_imported_only_for_scores(tmp_path, arguments):
    code = f"""
        import sys
        from pres_plugin.cli.app import run
        sys.argv = {["pres-eval", *arguments]}
        run()
        print("numpy" in sys.modules)
    """
    assert python(code, cwd=tmp_path).stdout.splitlines()[-1] == "False"


def test_a_compressed_file_is_small_only_if_its_text_is(tmp_path):
    (tmp_path / "qrels").write_text(QRELS)
    rows = "".join(f"q1 Q0 d{i} 1 {i} t\n" for i in range(100_000))
    (tmp_path / "run.gz").write_bytes(gzip.compress(rows.encode()))
    assert os.path.getsize(tmp_path / "run.gz") < tables.SMALL
    code = """
        import sys
        from pres_plugin.files import scoring
        from pres_plugin.cli.app import run
        sys.argv = ["pres-eval", "score", "qrels", "run.gz"]
        assert run() == 0
        print("polars" in sys.modules)
    """
    assert python(code, cwd=tmp_path).stdout.splitlines()[-1] == "True"
