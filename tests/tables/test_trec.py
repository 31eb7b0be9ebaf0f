"""TREC files are read as trec_eval reads them, and what is wrong is found by line."""

import pytest
from beginnings import raises

from pres_plugin import InputError
from pres_plugin.files import read_qrels, read_run

RUN = {"q1": {"a": 2.5, "é": -1.0}, "q2": {"a": 0.0}}
RUNS = {
    "blanks and tabs": ("q1\tQ0\ta\t1\t2.5\tt\nq1  Q0 \t é  2  -1.0 t   \n\n  q2 Q0 a 1 0 t", RUN),
    "comments and CRLF": (
        "# comment\n q1 NF a 9 25e-1 x\r\nq1 AF é 9 -1 x\r\n  # q9 Q0 a 1\r\nq2 0 a 0 0.0 y\r\n",
        RUN,
    ),
    "byte order mark": ("\ufeffq1 Q0 a 1 +2.5 t\nq2 Q0 a 1 -0 t\nq1 Q0 é 2 -1 t\n", RUN),
    # Only ASCII white space separates fields, and only "#" at the beginning starts a comment.
    "white space and signs in ids": (
        "q#\u00a0 Q0 a\u2028\u2003b 1 1e-300 t\n'\" Q0 #,;{ 1 -0.5 t\n",
        {"q#\u00a0": {"a\u2028\u2003b": 1e-300}, "'\"": {"#,;{": -0.5}},
    ),
    "infinite scores": (
        "q Q0 a 1 inf t\nq Q0 b 2 -Infinity t\n",
        {"q": {"a": float("inf"), "b": float("-inf")}},
    ),
    "topics like JSON": ("{a} Q0 x 1 2 t\n[b] Q0 x 1 2 t\n", {"{a}": {"x": 2}, "[b]": {"x": 2}}),
}


@pytest.mark.parametrize(("content", "run"), RUNS.values(), ids=RUNS)
def test_runs_are_read_as_trec_eval_reads_them(write, content, run):
    assert read_run(write(content, "file.gz")) == read_run(write(content)) == run


def test_judgements_may_be_negative_and_as_large_as_64_bits(write):
    path = write(f"q 0 a -1\nq 0 b +2\nq 0 c {(1 << 63) - 1}\nq 0 d -{1 << 63}\n")
    assert read_qrels(path) == {"q": {"a": -1, "b": 2, "c": (1 << 63) - 1, "d": -(1 << 63)}}


WRONG_RUNS = [
    ("", ": the file is empty"),
    ("q1 Q0 a 1 2 t\nq1 Q0 b 2 1\n", ", line 2: expected 6 fields .*5"),
    ("\nq1 Q0 a 1 high t\n", ", line 2: topic 'q1', document 'a': the score is 'high'"),
    ("q1 Q0 a 1 nan t\n", ", line 1: topic 'q1', document 'a': the score is missing or NaN"),
    ("q1 Q0 a 1 2 t\np Q0 a 1 1 t\nq1 Q0 a 2 1 t\n", ", line 3: document 'a' is in topic 'q1'"),
    (
        b"q1 Q0 a 1 2 t\nq1 Q0 \xe9 1 2 t\n",
        ", line 2: topic 'q1', document '�': the document is not UTF-8",
    ),
    (b"\x7fELF\0\0\0", ", line 1: this is a binary file"),
]
WRONG_QRELS = [
    ("q 0 a 1\nq 0 b 1.5\n", r", line 2: topic 'q', document 'b': the relevance is '1\.5'"),
    (
        f"q 0 a 1\nq 0 b {1 << 63}\n",
        f", line 2: topic 'q', document 'b': the relevance .*{1 << 63}.*64 bits",
    ),
    ("q 0 a 1\nq 0 a\n", ", line 2: expected 4 fields .*3"),
]


@pytest.mark.parametrize(
    ("read", "content", "said"),
    [(read_run, *each) for each in WRONG_RUNS] + [(read_qrels, *each) for each in WRONG_QRELS],
)
def test_what_is_wrong_is_located(write, read, content, said):
    with raises(InputError, f"file{said}"):
        read(write(content))
