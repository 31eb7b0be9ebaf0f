"""A bad file of any format is refused in one line that says where."""

import re
from pathlib import Path

import pytest
import written
from command import refused

QRELS = {"1": {"DOCUMENT5": 1}}
RUN = {"1": {"DOCUMENT5": 1.0}}

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


# The first streams the file, and the second reads it as a whole.
@pytest.mark.parametrize("measure", ["PRES@5", "nDCG@3"])
@pytest.mark.parametrize(("file", "content", "where"), BAD)
def test_a_bad_file_is_refused(file, content, where, measure, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # Files are called without endings, so that only their content tells the formats apart.
    good = {"judged": written.trec_qrels(QRELS), "system": written.trec_run(RUN)}
    for name, good_content in (good | {file: content}).items():
        Path(name).write_bytes(good_content)
    message = refused("score", "judged", "system", "-m", measure)
    assert re.match(f"{file}[:,].*({where})", message), message
