"""JSON, JSON lines and MTEB's predictions: every shape is read, and what is wrong is named."""

import json

import pytest
from beginnings import raises
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pres_plugin import InputError
from pres_plugin.files import read_qrels, read_run, score


def mteb(subsets):
    return '{"mteb_model_meta": {"model_name": "org/model", "revision": null}, ' + subsets + "}"


RUNS = {
    "list": ('{"q1": ["b", "a"], "q2": []}', {"q1": {"b": -1.0, "a": -2.0}}),
    "byte order mark, CRLF": ('\ufeff{\r\n"q1": {"a": 1}\r\n}\r\n', {"q1": {"a": 1.0}}),
    "records in a list": ('[{"qid": "q1", "scores": {"a": 1}}]', {"q1": {"a": 1.0}}),
    "lines": (
        '{"query_id": "q1", "query": "a \\"text\\"",'
        ' "results": [{"corpus_id": "b", "score": 0.5}, {"corpus_id": "a", "score": 0.25}]}\n'
        '\n{"query_id": 2, "results": {"a": -1}, "time": [{"ms": 3}]}\r\n',
        {"q1": {"b": 0.5, "a": 0.25}, "2": {"a": -1.0}},
    ),
    "a row on each line": (
        '{"query-id": "q1", "corpus-id": 7, "score": 1}\n'
        '{"query-id": "q1", "corpus-id": 8, "score": 2}',
        {"q1": {"7": 1.0, "8": 2.0}},
    ),
    "rows in a list": ('[{"qid": "q1", "docno": "a", "score": "1.5"}]', {"q1": {"a": 1.5}}),
    "MTEB": (mteb('"default": {"test": {"q1": {"a": 1}}}'), {"q1": {"a": 1.0}}),
    "MTEB, model last": (
        '{"en": {"test": {"q1": {"a": 1}}}, "mteb_model_meta": {}}',
        {"q1": {"a": 1.0}},
    ),
    # This is also a line with the six fields of TREC's format.
    "also TREC": ('{"a": {"b": 1, "c": 2 }}', {"a": {"b": 1.0, "c": 2.0}}),
}


@pytest.mark.parametrize(("content", "run"), RUNS.values(), ids=RUNS)
def test_runs_are_recognised_by_their_content(write, content, run):
    for name in ("file", "file.jsonl.gz"):
        assert read_run(write(content, name)) == run


JUDGED = {
    "ids": ('{"q1": ["a"], "q2": []}', {"q1": {"a": 1}, "q2": {}}),
    "lines": (
        '{"query_id": "q1", "relevant": ["a"]}\n{"query_id": "q2", "relevant": {"a": 2}}\n'
        '{"query_id": "q3", "relevant": [{"corpus_id": "a", "score": 0}]}',
        {"q1": {"a": 1}, "q2": {"a": 2}, "q3": {"a": 0}},
    ),
    "a field that the first record lacks": (
        '{"qid": "q1", "docno": "a"}\n{"qid": "q1", "docno": "b", "label": 0}',
        {"q1": {"b": 0}},
    ),
    "fields of a run and judgements": (
        '{"query_id": "q1", "ranking": ["b"], "relevant": ["a"]}',
        {"q1": {"a": 1}},
    ),
}


@pytest.mark.filterwarnings("ignore:.* relevance")
@pytest.mark.parametrize(("content", "qrels"), JUDGED.values(), ids=JUDGED)
def test_judgements_are_read(write, content, qrels):
    assert read_qrels(write(content)) == qrels


WRITERS = {
    "indented": lambda topics: json.dumps(topics, indent=1, ensure_ascii=False),
    "JSON lines": lambda topics: "\n".join(
        json.dumps({"query_id": topic, "scores": docs}) for topic, docs in topics.items()
    ),
}
# Characters with a meaning in JSON are drawn often.
IDS = st.text(
    st.sampled_from('aé"\\{}[],:') | st.characters(exclude_characters="\0", codec="utf-8"),
    min_size=1,
)
SCORES = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(IDS, st.dictionaries(IDS, SCORES, min_size=1), min_size=1),
    st.integers(-(1 << 63), (1 << 63) - 1),
)
def test_any_run_and_judgements_are_read_back(write, writer, run, relevance):
    assert read_run(write(writer(run))) == run
    qrels = {q: dict.fromkeys(docs, relevance) for q, docs in run.items()}
    assert read_qrels(write(writer(qrels))) == qrels


def test_the_user_names_fields(write):
    path = write('{"topic": "q1", "qrels": [], "target_pns": ["a"], "ranking": ["b", "a"]}')
    columns = {"query_id": "topic", "relevance": "target_pns"}
    assert read_qrels(path, columns=columns) == {"q1": {"a": 1}}
    assert read_run(path, columns={"query_id": "topic"}) == {"q1": {"b": -1.0, "a": -2.0}}
    assert score(path, path, "PRES@10", columns=columns)["value"].to_list() == [0.9]


LINE = '{"query_id": "q1", "ranking": ["a"]}\n'
WRONG_RUNS = {
    "text": ('{"q1": {"d": "high"}}', ": topic 'q1', document 'd': the score is 'high'"),
    "boolean": ('{"q1": {"d": true}}', ": topic 'q1', document 'd': the score is 'true'"),
    "NaN": ('{"q1": {"d": NaN}}', ": topic 'q1', document 'd': the score is missing or NaN"),
    "repeated topic": (
        '{"q1": {"a": 1}, "q1": {"b": 1}}',
        ": an object contains the key 'q1' twice",
    ),
    "repeated document": ('{"q1": {"a": 1, "a": 1}}', ": an object contains the key 'a' twice"),
    "repeated field": (
        LINE[:-2] + ', "ranking": []}',
        ", line 1: an object contains the key 'ranking' twice",
    ),
    "document twice in a line": (
        '\n{"qid": "q1", "ranking": ["a", "a"]}',
        ", line 2: document 'a' is in topic 'q1'",
    ),
    "topic twice": (f"{LINE}\n{LINE}", ", line 3: document 'a' is in topic 'q1' twice"),
    "a wrong record": (
        f'[{LINE},{{"query_id": "q2"}}]',
        ": topic 'q2': expected an object with documents",
    ),
    "fractions as ids": ('{"q1": [1.5]}', ": topic 'q1': expected text as its doc_id, got 1.5"),
    "ids, then objects": ('{"q1": ["a", {}]}', ": topic 'q1': expected text as its doc_id, got {}"),
    "three levels": ('{"q1": {"a": {"score": 1}}}', ": q1/a: topic 'score': expected an object"),
    "no records": ('["a"]', ": expected an object, got the string"),
    "half of a surrogate pair": (r'{"q1": {"\ud800": 1}}', ": this is not JSON"),
    "empty document": ('{"q1": {"": 1}}', ": topic 'q1': the document is empty"),
    "too many brackets": ('{"q1": ' + "[" * 99_999, ": this is not JSON"),
    "latin-1": ('{"q1":\n{"é": 1}}'.encode("latin-1"), ": this is not JSON .*utf-8"),
    "truncated": ('{"q1": {"a": 1, "b', ": this is not JSON"),
    "no known field": (
        '{"qid": "q1", "found": ["a"]}',
        ": there is no column doc_id; the columns are qid, found; .* columns=",
    ),
    "two known fields": (
        '{"qid": "q1", "results": ["a"], "scores": {"a": 1}}',
        ": columns results and scores .* columns=",
    ),
    "list in a row": (
        '{"qid": "q1", "docno": ["a"], "score": 1}',
        ", line 1: expected text as its doc_id, got .*a",
    ),
    "no score": (
        '{"qid": "q1", "results": [{"docno": "a", "score": 1}, {"docno": "b"}]}',
        ", line 1: topic 'q1', document 'b': the score is missing",
    ),
    "MTEB, not retrieval": (mteb('"en": {"test": [1, 2]}'), ": en/test: expected an object, got 1"),
}
WRONG_QRELS = {
    "float": ('{"q1": {"a": 0.5}}', ": topic 'q1', document 'a': the relevance is 0.5"),
    "65 bits": (
        '{"q1": {"a": 9223372036854775808}}',
        ": topic 'q1', document 'a': the relevance .* 64 bits",
    ),
    "MTEB": (mteb('"en": {"test": {}}'), ": predictions of MTEB are runs"),
    "unknown field": (
        '{"query_id": "q1", "target_pns": ["a"]}',
        ": these columns are missing: doc_id and relevance or score; the columns",
    ),
}


@pytest.mark.parametrize(
    ("read", "content", "said"),
    [
        pytest.param(reads, *case, id=name)
        for reads, cases in ((read_run, WRONG_RUNS), (read_qrels, WRONG_QRELS))
        for name, case in cases.items()
    ],
)
def test_what_is_wrong_is_named(write, read, content, said):
    with raises(InputError, f"file{said}") as error:
        read(write(content))
    assert len(str(error.value)) < 300


SPLITS = mteb(
    '"en": {"test": {"q1": {"a": 1, "x": 2}}, "dev": {"q1": {"a": 1}}},'
    ' "de": {"test": {"q1": {"b": 1, "a": 2}}}'
)


def test_each_subset_and_split_is_a_run(write):
    write("q1 0 a 1\nq1 0 b 1\n", "qrels")
    path = write(SPLITS, "Task_predictions.json")
    rows = [("Task/en/test", 0.0), ("Task/en/dev", 0.5), ("Task/de/test", 0.5)]
    assert score("qrels", path, "R@1")["run", "value"].rows() == rows
    assert read_run(path, run="Task/en/dev") == {"q1": {"a": 1.0}}
    with raises(
        InputError,
        "Task_predictions.json: the file contains several runs.* Task/en/test, Task/en/dev",
    ):
        read_run(path)


def test_the_only_split_is_called_like_the_file(write):
    write("q1 0 a 1\n", "qrels")
    path = write(mteb('"en": {"test": {"q1": {"a": 1}}}'), "Task_predictions.json.gz")
    assert score("qrels", path, "R@1")["run"].to_list() == ["Task"]
