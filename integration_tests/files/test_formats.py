"""Every command reads every format, and refuses a bad file in one line that says where."""

import gzip
import re
from pathlib import Path

import pytest
import written
from command import pres_eval, refused

from pres_plugin.formats import read_qrels

# Scores that fall neither with the ids of documents nor in the order of the file.
DOCUMENTS = [f"DOCUMENT{i}" for i in "38501742"]
RUN = {
    "1": {doc: 8.5 - i for i, doc in enumerate(DOCUMENTS)},
    "2": {doc: 0.25 * (i + 1) for i, doc in enumerate(DOCUMENTS[:5])},
    "3": {doc: -float(i) for i, doc in enumerate(sorted(DOCUMENTS))},
}
OTHER = {topic: dict(zip(docs, range(9), strict=False)) for topic, docs in RUN.items()}
QRELS = {
    "1": {"DOCUMENT5": 1, "DOCUMENT2": 1, "DOCUMENT9": 1},
    "2": {"DOCUMENT3": 1, "DOCUMENT1": 1},
    "3": {"DOCUMENT7": 1},
}
GRADED = {topic: {**docs, "DOCUMENT0": 0, "DOCUMENT4": 2} for topic, docs in QRELS.items()}

#: Files are called without endings, so that only their content tells the formats apart.
COMMANDS = [
    "score judged system other -q -m PRES@5 -m AP",
    "score judged system other -q -m PRES@5 -m nDCG@3",
    "check 0.3 judged system --n-max 5",
    "sweep judged system other --n-max 1:5",
    "explain judged system other --query 2 --n-max 5",
    "robustness judged system other -m PRES@5 --samples 2 --processes 1",
    "compare judged system other -m PRES@5",
]


@pytest.fixture(params=COMMANDS)
def command(request, tmp_path, monkeypatch):
    """The words of a command."""
    monkeypatch.chdir(tmp_path)
    return request.param.split()


def write_trec(**others):
    """Write files in TREC's formats, but for others whose content is given."""
    good = {
        "judged": written.trec_qrels(QRELS),
        "system": written.trec_run(RUN),
        "other": written.trec_run(OTHER),
    }
    for name, content in (good | others).items():
        Path(name).write_bytes(content)


def printed(command):
    result = pres_eval(*command)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def test_every_format_prints_what_the_trec_format_prints(command):
    write_trec()
    expected = printed(command)
    for name, write in (written.QRELS | written.BINARY_QRELS).items():
        write_trec(judged=write(QRELS))
        assert printed(command) == expected, name
    for name, write in written.RUNS.items():
        write_trec(system=write(RUN))
        assert printed(command) == expected, name
        if not name.startswith("Parquet"):
            write_trec(system=gzip.compress(write(RUN)))
            assert printed(command) == expected, name


@pytest.mark.parametrize("write", written.QRELS.values(), ids=written.QRELS)
def test_grades_of_relevance_are_read(tmp_path, write):
    (tmp_path / "judged").write_bytes(write(GRADED))
    assert read_qrels(tmp_path / "judged") == GRADED


#: Bad files that take the place of a good one, and where the message says that the problem is.
BAD = [
    ("system", b'{"1": {"a": 1, "EP7": NaN}}', "EP7|line 1"),
    ("system", b'{"1": {"a": 1, "EP7": "0.5"}}', "EP7"),
    ("system", b'{"1": {"EP7": 1, "EP7": 2}}', r"EP7.*twice"),
    ("system", b'{"1": {"a": 1, "EP7"', "line 1"),
    ("system", b'{"1": ["EP7", "b", "EP7"]}', "EP7"),
    ("system", b'{"query_id": "1", "ranking": ["a"]}\n{"query_id": "2", "rank', "line 2"),
    ("system", b'{"query_id": "1", "ranking": ["a"]}\n' * 2, "line 2"),
    ("system", b'{"mteb_model_meta": {}, "en": {"test": {"1": {"EP7": null}}}}', "EP7"),
    ("system", b"query_id,doc_id,score\n1,a,1\n1,EP7,high\n", "line 3|EP7"),
    ("system", b"query_id\tdoc_id\tscore\n1\tEP7\n", "line 2|EP7"),
    ("system", b"query_id,doc_id,score\n1,EP7,1\n1,EP7,2\n", "EP7"),
    ("system", b"query_id,doc_id,points\n1,a,1\n", "points"),
    ("system", b"1 Q0 a 1 2 t\n1 Q0 b 1 nan t\n", "line 2"),
    ("system", b"1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n", "line 2"),
    ("system", b"1 Q0 a 1 2 t\n1 Q0 \xe9 2 1 t\n", "line 2"),
    ("system", written.parquet(("qid", "docno", "score"), [("1", "a", "high")]), "score"),
    ("system", written.parquet(("qid", "docno", "rank"), [("1", "a", 0), ("1", "b", 0)]), "'1'"),
    ("judged", b'{"1": {"EP7": 0.5}}', "EP7"),
    ("judged", b'{"query_id": "1", "found": ["a"]}', "line 1"),
    ("judged", b"query_id,doc_id,relevance\n1,EP7,0.5\n", "line 2|EP7"),
    ("judged", b"1 0 a 1\n1 0 b\n", "line 2"),
    ("judged", written.parquet(("qid", "docno", "label"), [("1", "a", 0.5)]), "label"),
]


def test_bad_files_are_refused(command):
    for file, content, where in BAD:
        write_trec(**{file: content})
        message = refused(*command)
        assert re.match(f"{file}[:,].*({where})", message), message
