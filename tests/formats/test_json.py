"""JSON, JSON lines and MTEB's predictions: every shape is read, and every error is located."""

import gzip
import io
import json

import pytest
from command import pres_eval, refused
from hypothesis import given
from hypothesis import strategies as st

from pres_plugin.files import score
from pres_plugin.formats import FileError
from pres_plugin.formats import read_qrels as qrels_at
from pres_plugin.formats import read_run as run_at
from pres_plugin.formats.base import Reading
from pres_plugin.formats.json import parts as json_parts
from pres_plugin.formats.json import values as json_values
from pres_plugin.formats.recognition import FORMATS, open_file

LINES = '{"query_id": "q1", "ranking": ["a"]}\n'


def mteb(subsets):
    return '{"mteb_model_meta": {"model_name": "org/model", "revision": null}, ' + subsets + "}"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("q1 0 a 1\nq1 0 b 1\n")

    def write(content, name="file"):
        content = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return name

    return write


@pytest.fixture(params=["orjson", "json"])
def parser(request, monkeypatch):
    """Read with and without orjson, which is optional."""
    if request.param == "json":
        monkeypatch.setattr(json_values, "orjson", None)


RUNS = {
    "scores": ('{"q1": {"a": 3, "b": 2.5}}', {"q1": {"a": 3.0, "b": 2.5}}),
    "several lines": ('{\n  "q1": {\n    "a": 3\n  }\n}\n', {"q1": {"a": 3.0}}),
    "list": ('{"q1": ["b", "a"], "q2": []}', {"q1": {"b": 2.0, "a": 1.0}}),
    "list of objects": ('{"q1": [{"docno": "a", "score": 1}]}', {"q1": {"a": 1.0}}),
    "byte order mark, CRLF": ('\ufeff{\r\n"q1": {"a": 1}\r\n}\r\n', {"q1": {"a": 1.0}}),
    "escapes": (r'{"q\"\\": {"\u00e9\\\"": 1}}', {'q"\\': {'é\\"': 1.0}}),
    "objects with an empty key": (
        '{"q1": [{"": "x", "docno": "a", "score": 1}]}',
        {"q1": {"a": 1}},
    ),
    "records in a list": ('[{"qid": "q1", "scores": {"a": 1}}]', {"q1": {"a": 1.0}}),
    "empty object first": ('{"q1": {}, "q2": {"a": 1}}', {"q2": {"a": 1.0}}),
    "lines": (
        '{"query_id": "q1", "query": "a \\"text\\"",'
        ' "results": [{"corpus_id": "b", "score": 0.5}, {"corpus_id": "a", "score": 0.25}]}\n'
        '\n{"query_id": "q2", "ranking": ["a"], "time": [{"ms": 3}]}\r\n'
        '{"query_id": "q3", "scores": {"a": -1}}',
        {"q1": {"b": 0.5, "a": 0.25}, "q2": {"a": 1.0}, "q3": {"a": -1.0}},
    ),
    "one line": ('{"query-id": "q1", "scores": {"a": 1}}', {"q1": {"a": 1.0}}),
    "MTEB": (mteb('"default": {"test": {"q1": {"a": 1}}}'), {"q1": {"a": 1.0}}),
    "MTEB, model last": (
        '{"en": {"test": {"q1": {"a": 1}}}, "mteb_model_meta": {}}',
        {"q1": {"a": 1.0}},
    ),
    # This is also a line with the six fields of TREC's format.
    "also TREC": ('{"a": {"b": 1, "c": 2 }}', {"a": {"b": 1.0, "c": 2.0}}),
}


@pytest.mark.parametrize(("content", "run"), RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("name", ["file", "file.json", "file.jsonl.gz", "file.run"])
@pytest.mark.usefixtures("parser")
def test_runs_are_recognised_by_their_content(here, content, run, name):
    read = run_at(here(content, name))
    assert read == run
    assert [*map(list, read.values())] == [*map(list, run.values())]


JUDGED = {
    "the fields of runs, list": ('{"query_id": "q1", "ranking": ["a"]}', {"q1": {"a": 1}}),
    "the fields of runs, object": (
        '{"query_id": "q1", "scores": {"a": 2, "b": 0}}',
        {"q1": {"a": 2, "b": 0}},
    ),
    "fields of a run and judgements": (
        '{"query_id": "q1", "ranking": ["b"], "relevant": ["a"]}',
        {"q1": {"a": 1}},
    ),
    "scores": ('{"q1": {"a": 1, "b": 0}, "q2": {}}', {"q1": {"a": 1, "b": 0}, "q2": {}}),
    "list": ('{"q1": ["a"], "q2": []}', {"q1": {"a": 1}, "q2": {}}),
    "lines": (
        '{"query_id": "q1", "relevant": ["a"]}\n{"query_id": "q2", "qrels": {"a": 2}}\n'
        '{"query_id": "q3", "relevance": [{"corpus_id": "a", "score": 0}]}',
        {"q1": {"a": 1}, "q2": {"a": 2}, "q3": {"a": 0}},
    ),
}


@pytest.mark.parametrize(("content", "qrels"), JUDGED.values(), ids=JUDGED)
@pytest.mark.usefixtures("parser")
def test_judgements_are_read(here, content, qrels):
    assert qrels_at(here(content)) == qrels


def test_the_user_names_fields(here):
    path = here('{"topic": "q1", "qrels": [], "target_pns": ["a"], "ranking": ["b", "a"]}')
    fields = {"topic_field": "topic", "qrels_field": "target_pns"}
    assert qrels_at(path, **fields) == {"q1": {"a": 1}}
    assert score(path, path, "PRES@10", **fields)["value"].to_list() == [0.9]
    options = ("--topic-field", "topic", "--qrels-field", "target_pns")
    result = pres_eval("score", *options, path, path, "-m", "PRES@10 nDCG@10", "-f", "csv")
    assert (result.returncode, result.stdout.split("\n")[1]) == (0, "file,PRES@10,0.9000")


def test_judged_topics_without_documents_count(here):
    here('{"q1": ["a"], "q2": []}', "qrels.json")
    here('{"q1": ["a"], "q2": ["a"]}', "run.json")
    scores = score("qrels.json", "run.json", "R@1")
    assert scores.rows() == [("run", "q1", "R@1", 1.0), ("run", "q2", "R@1", 0.0)]


# Errors

NOT_JSON = ": this is not JSON ("
WRONG_RUNS = {
    "text": ('{"q1": {"d": "3.2"}}', ': q1 → d: the score is the string "3.2"; write a number'),
    "null": ('{"q1": {"d": null}}', ": q1 → d: the score is null; write a number"),
    "boolean": ('{"q1": {"d": true}}', ": q1 → d: the score is true; write a number"),
    "list as score": ('{"q1": {"d": [1]}}', ": q1 → d: the score is a list; write a number"),
    "NaN": ('{"q1": {"d": NaN}}', ": q1 → d: the score is NaN, which has no order"),
    "Infinity": (
        '{"q1": {"d": -Infinity}}',
        ": q1 → d: the score is -Infinity, which is not a finite",
    ),
    "too large": ('{"q1": {"d": 1e999}}', ": q1 → d: the score is 1e999, which is not a finite"),
    "10,000 digits": ('{"q1": {"d": %s}}' % ("9" * 10_000), ": q1 → d: the score is 999"),
    "400 digits": ('{"q1": {"d": %s}}' % ("9" * 399), ": q1 → d: the score is 999"),
    "repeated topic": ('{"q1": {"a": 1}, "q1": {"b": 1}}', ": q1: the object contains this key tw"),
    "repeated document": ('{"q1": {"a": 1, "a": 1}}', ": q1 → a: the object contains this key tw"),
    "repeated, escaped": (r'{"q1": {"a\"": 1, "a\"": 1}}', ': q1 → a": the object contains this'),
    "repeated field": (LINES[:-2] + ', "ranking": []}', ", line 1: ranking: the object contains"),
    "repeated field of a document": (
        '{"qid": "q1", "results": [{"docno": "a", "score": 1, "score": 1}]}',
        ", line 1: q1 → results[0].score: the object contains this key twice",
    ),
    "document twice": ('{"q1": ["a", "b", "a"]}', ": q1[2]: document 'a' is in topic 'q1' already"),
    "document twice in a line": (
        '\n{"qid": "q1", "ranking": ["a", "a"]}',
        ", line 2: q1 → ranking[1]: document 'a' is in topic 'q1' already; keep one of them with",
    ),
    "topic twice": (f"{LINES}\n{LINES}", ", line 3: topic 'q1' is on line 1 already"),
    "topic twice in a list": (f"[{LINES},{LINES}]", ": topic 'q1' is in the file already"),
    "numbers as ids": ('{"q1": [1, 2]}', ": q1[0]: the id is 1; write it in quotes"),
    "pairs": ('{"q1": [["a", 1.0]]}', ": q1[0]: the id is a list; write a string"),
    "ids, then objects": ('{"q1": ["a", {}]}', ": q1[1]: the id is an object; write a string"),
    "objects, then ids": (
        '{"q1": [{"docno": "b", "score": 1}, "a"]}',
        ': q1[1]: expected an object about one document, got the string "a"',
    ),
    "number as documents": (
        '{"q1": 1}',
        ": q1: expected an object with documents or a list of them, got 1",
    ),
    "three levels": ('{"q1": {"a": {"score": 1}}}', ": q1 → a → score: expected an object "),
    "empty list": ("[]", ": the file contains no topics"),
    "empty object": ("{}", ": the file contains no topics"),
    "topics without documents": ('{"q1": {}}', ": the file contains no documents"),
    "no records": ('["a"]', ': [0]: expected an object about one topic, got the string "a"'),
    "surrogate": (r'{"q1": {"\ud800": 1}}', r": q1 → \ud800: the id '\ud800' is not text"),
    "escaped NUL": (r'{"q1": {"a\u0000": 1}}', r": q1 → a\x00: the id 'a\x00' contains NUL"),
    "NUL": ('{"q1": {"a\0": 1}}', ": this is a binary file, not text"),
    "NUL in a line": (LINES + "\0", ", line 2: this is a binary file, not text"),
    "brackets in ids": ('{"[q]": {"d": "3.2"}}', ': [q] → d: the score is the string "3.2"'),
    "empty document": ('{"q1": {"": 1}}', ': q1 → "": the id is empty'),
    "empty topic": ('{"": {"a": 1}}', ': "": the id is empty'),
    "deep list": ('{"q1": ' + "[" * 99_999, ": the brackets are nested too deeply"),
    "deep object": ('{"q1": ' * 99_999, ": the brackets are nested too deeply"),
    "latin-1": ('{"q1":\n{"é": 1}}'.encode("latin-1"), ", line 2: this is not UTF-8 text"),
    # From Python 3.13 on, the column is that of the comma.
    "trailing comma": ('{"q1": {"a": 1,}}', ", line 1, column 1"),
    "comment": ('{"q1": {"a": 1} // x\n}', f", line 1, column 17{NOT_JSON}"),
    "two documents": ('{\n"a": []} {"b": []}', ", line 2, column 10: the JSON text ends here, but"),
    "truncated": ('{"q1": {"a": 1, "b', ", line 1, column 17: the JSON text ends too early"),
    "truncated line": (LINES + LINES[:30], ", line 2, column 31: the JSON text ends too early"),
    "no known field": (
        '{"qid": "q1", "found": ["a"]}',
        ", line 1: q1: no field with the documents: expected one of 'results', 'ranking', 'scores' "
        "(found: 'qid', 'found')",
    ),
    "two known fields": (
        '{"qid": "q1", "ranking": ["a"], "scores": {"a": 1}}',
        ", line 1: q1: fields ranking and scores contain the documents; keep one of these fields",
    ),
    "two topic fields": (
        '{"qid": "q1", "query_id": "q1", "ranking": ["a"]}',
        ", line 1: fields query_id and qid contain the topic's id; keep one of these fields",
    ),
    "no topic field": (
        '{"id": "q1", "ranking": ["a"]}',
        ", line 1: no field with the topic's id: expected one of 'query_id', 'qid', 'q_",
    ),
    "topic as number": (
        '{"qid": 1, "ranking": ["a"]}',
        ", line 1: qid: the id is 1; write it in q",
    ),
    "document as number": (
        '{"qid": "q1", "results": [{"corpus_id": 5, "score": 1}]}',
        ", line 1: q1 → results[0].corpus_id: the id is 5; write it in quotes",
    ),
    "no score": (
        '{"qid": "q1", "results": [{"docno": "a", "score": 1}, {"docno": "b"}]}',
        ", line 1: q1 → results[1]: no field with the score: expected 'score' (found: 'docno')",
    ),
    "score of a document": (
        '{"qid": "q1", "results": [{"docno": "a", "score": 1}, {"docno": "b", "score": "x"}]}',
        ', line 1: q1 → results[1].score: the score is the string "x"; write a number',
    ),
    "MTEB, not retrieval": (
        mteb('"en": {"test": [1, 2]}'),
        ": en → test: expected an object with topics, got a list",
    ),
    "MTEB, wrong score": (
        mteb('"en": {"test": {"q1": {"a": "x"}}}'),
        ': en → test → q1 → a: the score is the string "x"; write a number',
    ),
    "MTEB, repeated split": (
        mteb('"en": {"test": {}, "test": {}}'),
        ": en → test: the object contains this key twice",
    ),
}


@pytest.mark.parametrize(("content", "said"), WRONG_RUNS.values(), ids=WRONG_RUNS)
@pytest.mark.usefixtures("parser")
def test_wrong_runs_are_located(here, content, said):
    with pytest.raises(FileError) as error:
        run_at(here(content))
    assert str(error.value).startswith(f"file{said}")
    assert len(str(error.value)) < 250


@pytest.mark.parametrize(("content", "said"), WRONG_RUNS.values(), ids=WRONG_RUNS)
def test_the_command_reports_the_same(here, content, said):
    here("q1 0 a 1\n", "qrels")
    line = refused("score", "qrels", here(content), "-m", "PRES@2")
    assert line.startswith(f"file{said}")


WRONG_QRELS = {
    "float": ('{"q1": {"a": 1.0}}', ": q1 → a: the relevance is 1.0; write a whole number"),
    "boolean": ('{"q1": {"a": true}}', ": q1 → a: the relevance is true; write a whole number"),
    "65 bits": ('{"q1": {"a": 99999999999999999999}}', ": q1 → a: a relevance must fit 64 bits, g"),
    "5,000 digits": ('{"q1": {"a": -%s}}' % ("9" * 5000), ": q1 → a: a relevance must fit 64 bits"),
    "MTEB": (mteb('"en": {"test": {}}'), ": predictions of MTEB are runs, not judgements"),
    "unknown field": (
        '{"query_id": "q1", "target_pns": ["a"]}',
        ", line 1: q1: no field with relevant documents: expected one of 'relevant', "
        "'relevant_docs', 'relevance', 'qrels', 'judgements', 'judgments' "
        "(found: 'query_id', 'target_pns'); "
        "name the field with qrels_field='NAME'",
    ),
}


@pytest.mark.parametrize(("content", "said"), WRONG_QRELS.values(), ids=WRONG_QRELS)
@pytest.mark.usefixtures("parser")
def test_wrong_judgements_are_located(here, content, said):
    with pytest.raises(FileError) as error:
        qrels_at(here(content))
    assert str(error.value).startswith(f"file{said}")


@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "x_predictions.json"])
def test_empty_files_are_errors(here, name):
    for content in ("", " \n\n"):
        with pytest.raises(FileError, match="the file is empty"):
            run_at(here(content, name))


@pytest.mark.parametrize(("content", "said"), [('"text"', "text"), ("5", "5")])
def test_a_file_called_json_is_read_as_json(here, content, said):
    with pytest.raises(FileError, match=r"x\.json: expected an object with topics, got"):
        run_at(here(content, "x.json"))


def test_the_command_names_its_options(here):
    here(LINES.replace("ranking", "target_pns"), "lines")
    line = refused("score", "lines", "qrels")
    assert line.endswith("name the field with --qrels-field NAME")


@pytest.mark.parametrize("format", ["json", "jsonl", "mteb"])
def test_trec_files_are_not_json(here, format):
    with pytest.raises(FileError, match="line 1, column 1: this is not JSON"):
        run_at(here("q1 Q0 a 1 1 t\n"), format=format)


def test_a_trec_run_whose_topics_look_like_json_is_read_on_request(here):
    path = here('{"a": {"b": x 1, 2 }}\n')
    assert run_at(path, format="trec") == {'{"a":': {"x": 2.0}}
    with pytest.raises(FileError, match="this is not JSON"):
        run_at(path)
    assert run_at(here("{a} Q0 x 1 2 t\n[b] Q0 x 1 2 t\n")) == {
        "{a}": {"x": 2.0},
        "[b]": {"x": 2.0},
    }


@pytest.mark.parametrize(("kept", "scores"), [("first", [3.0, 2.0]), ("last", [1.0, 2.0])])
def test_one_of_repeated_documents_is_kept_as_asked(here, kept, scores):
    run = run_at(here('{"q1": ["a", "b", "a"]}'), kept)
    assert run == {"q1": dict(zip("ab", scores, strict=True))}
    best = score("qrels", "file", "R@1", duplicates=kept)["value"].to_list()
    assert best == [0.5]


# Several runs

SPLITS = mteb(
    '"en": {"test": {"q1": {"a": 1, "x": 2}}, "dev": {"q1": {"a": 1}}},'
    ' "de": {"test": {"q1": {"b": 1, "a": 2}}}'
)
NAMES = ["Task/en/test", "Task/en/dev", "Task/de/test"]


@pytest.mark.parametrize("name", ["Task_predictions.json", "Task.json.gz"])
def test_each_subset_and_split_is_a_run(here, name):
    path = here(SPLITS, name)
    assert score("qrels", path, "R@1").rows() == [
        (run, "q1", "R@1", value) for run, value in zip(NAMES, [0, 0.5, 0.5], strict=True)
    ]
    assert run_at(path, run="Task/en/dev") == {"q1": {"a": 1.0}}
    with pytest.raises(FileError, match=r"several runs; set run to one of Task/en/test, Task/en/d"):
        run_at(path)


def test_the_only_split_is_called_like_the_file(here):
    path = here(mteb('"en": {"test": {"q1": {"a": 1}}}'), "Task_predictions.json")
    assert score("qrels", path, "R@1")["run"].to_list() == ["Task"]


def test_runs_are_chosen_by_name(here):
    path = here(SPLITS, "Task_predictions.json")
    here("q1 Q0 a 1 1 t\n", "bm25.run")
    chosen = score("qrels", [path, "bm25.run"], "R@1", run_names=["Task/de/test", "Task/en/dev"])
    assert chosen["run"].to_list() == ["Task/en/dev", "Task/de/test", "bm25.run"]
    assert score("qrels", path, "R@1", run_names="Task/en/dev")["run"].to_list() == ["Task/en/dev"]
    with pytest.raises(FileError, match=r"no run called 'x': the files contain Task/en/test, Task"):
        score("qrels", [path, "bm25.run"], "R@1", run_names=["x"])
    with pytest.raises(FileError, match=r"no run called 'x': no file contains named runs"):
        score("qrels", "bm25.run", "R@1", run_names="x")


def test_runs_of_parquet_files_are_chosen_by_name(here):
    pl = pytest.importorskip("polars")
    rows = {"run": ["x", "y", "x"], "query_id": ["q1", "q1", "q2"], "doc_id": ["a", "b", "a"]}
    pl.DataFrame({**rows, "score": [1.0, 1.0, 1.0]}).write_parquet("runs.parquet")
    # The rows of x are not contiguous.
    assert score("qrels", "runs.parquet", "R@1", run_names="x").rows() == [("x", "q1", "R@1", 0.5)]


@pytest.mark.parametrize("doc", ["b", '"b\rc"'], ids=["in pieces", "row by row"])
def test_runs_of_csv_files_are_chosen_by_name(here, doc):
    path = here(f"run,query_id,doc_id,score\nx,q1,a,1\ny,q1,{doc},1\nx,q2,a,1\n", "runs.csv")
    assert score("qrels", path, "R@1", run_names="x").rows() == [("x", "q1", "R@1", 0.5)]


@pytest.mark.parametrize("measures", ["PRES@2", "PRES@2 nDCG@2"], ids=["fast", "slow"])
def test_the_command_chooses_runs_by_name(here, measures):
    path = here(SPLITS, "Task_predictions.json")
    result = pres_eval(
        *("score", "qrels", path, "-m", measures, "-f", "csv"), "--run-name", "Task/de/test"
    )
    assert result.returncode == 0
    assert {line.split(",")[0] for line in result.stdout.splitlines()[1:]} == {"Task/de/test"}
    here(SPLITS.replace('"q1"', '"q9"', 1), "Other_predictions.json")
    line = refused("score", "qrels", "Other_predictions.json", "-m", measures)
    assert "no topic in common" in line
    assert line.endswith("; name the other runs with --run-name NAME")
    line = refused("sweep", "qrels", path, "-m", "PRES", "--n-max", "1,2", "--run-name", "x")
    assert line == f"there is no run called 'x': the files contain {', '.join(NAMES)}"


# Parts

JSON_IDS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)
TOPICS = st.dictionaries(
    JSON_IDS,
    st.dictionaries(JSON_IDS, st.floats(allow_nan=False, allow_infinity=False)) | st.just([]),
    min_size=1,
)


@given(
    topics=TOPICS,
    piece=st.integers(1, 40),
    ascii=st.booleans(),
    indent=st.sampled_from([None, 1]),
)
def test_parts_can_be_parsed_wherever_blocks_end(topics, piece, ascii, indent):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_parts, "PIECE", piece)
        for value, depth, open_, close in (
            (topics, 1, b"{", b"}"),
            ([*topics.values()], json_parts.IN_LIST, b"[", b"]"),
        ):
            text = json.dumps(value, ensure_ascii=ascii, indent=indent).encode()
            before = b""
            for part in json_parts.parts(io.BytesIO(text), depth):
                start, end = b"" if part.is_first else open_, b"" if part.is_last else close
                json.loads(start + part.text + end)
                assert part.line == before.count(b"\n") + 1
                assert part.column == len(before) - before.rfind(b"\n") - 1
                before += part.text + b"," * (not part.is_last)
            assert before == text


def test_what_parts_share_is_found(here, monkeypatch):
    monkeypatch.setattr(json_parts, "PIECE", 8)
    many = {f"q{i}": {"a": 1.0, "b,{": i} for i in range(20)}
    assert run_at(here(json.dumps(many))) == many
    splits = {"en": {"test": many, "dev": many}, "de": {"test": many}}
    path = here(json.dumps(splits))
    assert [run_at(path, run=f"file/{name}") for name in ("en/test", "en/dev", "de/test")] == [
        many
    ] * 3
    for content, said in {
        '{"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}, "q1": {"b": 1}}': "topic 'q1' is in the",
        '{"q1": {"a": 1}, "q2": {"a": 1},\n}': "line 1: this is not JSON (a comma without a value)",
        '{"q1": {"a": 1}, "q2": {"a": 1},\n"q3": {"a": x}}': "line 2, column 13: this is not JSON",
        '{"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": x}}': "line 1, column 46: this is not JSON",
        '{"a": {"t": {"q": {"a": 1}, "r": {}}}, "b": {"t": {"q": {}, "r": {}}},'
        ' "a": {"u": {"q": {}, "r": {}}}}': "a: the object contains this key twice",
    }.items():
        with pytest.raises(FileError) as error:
            run_at(here(content))
        assert said in str(error.value)


@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | JSON_IDS,
        lambda inner: st.lists(inner) | st.dictionaries(JSON_IDS, inner),
    )
)
def test_strings_are_counted_as_they_are_written(value):
    text = json_parts.without_escapes(json.dumps(value).encode())
    assert json_values.n_strings(value) * 2 == text.count(b'"')


@pytest.mark.parametrize("name", ["json", "jsonl", "mteb"])
def test_detection_never_fails(name):
    looks_like = FORMATS[name].looks_like
    for start in (b"", b"{", b"[", b'{"', b'{"a": \xff', b'{"query_id": "', b"[" * 9999):
        assert looks_like(start, Reading()) in (True, False)


def test_a_long_line_is_recognised_by_its_first_field(here):
    names = [f"d{i:07}" for i in range(150_000)]
    content = json.dumps({"query_id": "q1", "ranking": names}) + "\n" + LINES.replace("q1", "q2")
    path = here(content)
    assert type(open_file(path)).__name__ == "JsonLinesFile"
    assert list(run_at(path)["q1"]) == names
