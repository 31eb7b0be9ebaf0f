"""TREC files are read as trec_eval reads them, and what is wrong is found by line."""

import gzip
import os

import pytest

from pres_plugin.formats import read_qrels, read_run
from pres_plugin.formats.base import FileError, UnclearError
from pres_plugin.formats.input import lines
from pres_plugin.formats.input.opening import opened
from pres_plugin.formats.trec import pieces as trec_pieces
from pres_plugin.formats.trec.files import TrecFile


@pytest.fixture
def written(tmp_path):
    def write(content, name="file"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


RUN = {"q1": {"a": 2.5, "é": -1.0}, "q2": {"a": 0.0}}


@pytest.mark.parametrize(
    "text",
    [
        "q1 Q0 a 1 2.5 tag\nq1 Q0 é 2 -1 tag\nq2 Q0 a 1 0 tag\n",
        "q1\tQ0\ta\t1\t2.5\ttag\nq1  Q0 \t é  2  -1.0 tag   \n\n  q2 Q0 a 1 0 tag",
        "# comment\n q1 NF a 9 25e-1 x\r\nq1 AF é 9 -1 x\r\n  # q9 Q0 a 1\r\nq2 0 a 0 0.0 y\r\n",
        "\ufeffq1 Q0 a 1 +2.5 t\nq2 Q0 a 1 -0 t\nq1 Q0 é 2 -1 t\n",
        "q1\x0bQ0\x0ca 1 2.5 t\nq1 Q0 é 2 -1 t\nq2 Q0 a 1 0 t\n",
    ],
)
def test_white_space_comments_and_line_ends_do_not_matter(written, text):
    assert read_run(written(text)) == RUN
    assert read_run(written(gzip.compress(text.encode()), "run.gz")) == RUN
    assert read_run(written(gzip.compress(text.encode()), "compressed, but not called so")) == RUN


def test_only_ascii_white_space_ends_a_field(written):
    assert read_qrels(written("q\u00a01 0 a\u2003b 1\n")) == {"q\u00a01": {"a\u2003b": 1}}


def test_infinite_scores_are_scores(written):
    assert read_run(written("q Q0 a 1 inf t\nq Q0 b 2 -Infinity t\n")) == {
        "q": {"a": float("inf"), "b": float("-inf")}
    }


def test_negative_relevance_is_relevance(written):
    assert read_qrels(written("q 0 a -1\nq 0 b +2\n")) == {"q": {"a": -1, "b": 2}}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", ": the file is empty"),
        ("\n# nothing\n\n", ": the file is empty"),
        ("q Q0 a 1 2 t\nq Q0 b 2 1\n", "line 2: expected 6 fields .*score, tag.*got 5"),
        ("q Q0 my document 1 2 t\n", "line 1: expected 6 fields .*got 7"),
        ("\nq Q0 a 1 high t\n", "line 2: the score 'high' is not a number"),
        ("q Q0 a 1 1_000 t\n", "line 1: the score '1_000' is not a number"),
        ("q Q0 a 1 nan t\n", "line 1: the score is NaN"),
        (
            "q Q0 a 1 2 t\np Q0 a 1 1 t\nq Q0 a 2 1 t\n",
            "line 3: document 'a' is in topic 'q' already",
        ),
        (b"q Q0 a 1 2 t\nq Q0 \xe9 1 2 t\n", "line 2: this is not UTF-8 text"),
        (b"\xe9\xe8\n", "line 1: this is not UTF-8 text"),
        (b"\x7fELF\0\0\0", "line 1: this is a binary file"),
        ("q Q0 a 1 2 t\n".encode("utf-16"), ": this text is in UTF-16"),
        ("q Q0 a 1 2 t\n".encode("utf-16-le"), "line 1: this is a binary file"),
        (gzip.compress(b"q Q0 a 1 2 t\n", mtime=0)[:30], "the compressed file is damaged"),
        (b"\x1f\x8b\x08 and nothing of the kind", "the compressed file is damaged"),
    ],
)
def test_wrong_runs_are_located(written, content, said):
    path = written(content)
    with pytest.raises(FileError, match=f"^{path}.*{said}"):
        read_run(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("q 0 a 1\nq 0 b 1.5\n", r"line 2: the relevance '1\.5' is not a whole number"),
        ("q 0 a yes\n", "line 1: the relevance 'yes' is not a whole number"),
        ("q 0 a 1_0\n", "line 1: the relevance '1_0' is not a whole number"),
        (f"q 0 a 1\nq 0 b {1 << 63}\n", "line 2: a relevance must fit 64 bits, got 9223372036854"),
        (f"q 0 a -{(1 << 63) + 1}\n", "line 1: a relevance must fit 64 bits, got -922337203685"),
        ("q 0 a\n", "line 1: expected 4 fields .*document, relevance.*got 3"),
        ("q 0 a 1\nq 0 a 1\n", "line 2: document 'a' is in topic 'q' already"),
    ],
)
def test_wrong_qrels_are_located(written, content, said):
    path = written(content)
    with pytest.raises(FileError, match=f"^{path}, {said}"):
        read_qrels(path)


def test_files_that_cannot_be_opened_are_named(tmp_path):
    with pytest.raises(FileError, match=r"missing\.run: there is no such file"):
        read_run(str(tmp_path / "missing.run"))
    with pytest.raises(FileError, match="cannot be read"):
        read_run(str(tmp_path))


def test_repeated_documents_are_kept_as_asked(written):
    run = written("q Q0 a 1 3 t\nq Q0 b 2 2 t\nq Q0 a 3 1 t\n")
    assert read_run(run, duplicates="first") == {"q": {"a": 3, "b": 2}}
    assert read_run(run, duplicates="last") == {"q": {"a": 1, "b": 2}}
    qrels = written("q 0 a 0\nq 0 a 1\n")
    assert read_qrels(qrels, duplicates="first") == {"q": {"a": 0}}
    assert read_qrels(qrels, duplicates="last") == {"q": {"a": 1}}


def test_the_largest_relevances_are_read(written):
    path = written(f"q 0 a {(1 << 63) - 1}\nq 0 b -{1 << 63}\n")
    assert read_qrels(path) == {"q": {"a": (1 << 63) - 1, "b": -(1 << 63)}}


@pytest.mark.parametrize("compress", [bytes, gzip.compress], ids=["text", "gzip"])
def test_a_file_that_is_written_to_while_it_is_read_is_an_error(written, compress):
    lines = b"".join(b"q Q0 d%d 1 1 t\n" % i for i in range(9))
    path = written(compress(lines))

    def read_while_it_grows():
        with opened(path) as file:
            assert file.readline() == b"q Q0 d0 1 1 t\n"
            with open(path, "ab") as more:
                more.write(compress(lines))
            file.read()

    with pytest.raises(FileError, match=f"^{path}: the file changed while it was read"):
        read_while_it_grows()


@pytest.mark.parametrize(
    ("line", "n_normalised"),
    [
        ("q Q0 a 1 2 t\n", 0),
        ("q\tQ0\ta\t1\t2\tt\n", 0),
        ("q  Q0 a 1 2 t\n", 1),
        ("q\tQ0 a 1 2 t\n", 1),
    ],
    ids=["blanks", "tabs", "two blanks", "mixed"],
)
def test_white_space_is_normalised_only_where_it_is_unusual(
    written, monkeypatch, line, n_normalised
):
    seen = []
    own = trec_pieces.normalised
    monkeypatch.setattr(trec_pieces, "normalised", lambda text: seen.append(text) or own(text))
    [frame] = TrecFile(written(line)).pieces("score")
    assert frame.rows() == [("q", "a", 2.0)]
    assert len(seen) == n_normalised


@pytest.mark.parametrize("end", ["", "\n"], ids=["no line break at the end", "line break"])
def test_a_line_may_be_longer_than_a_read_up_to_a_limit(written, monkeypatch, end):
    monkeypatch.setattr(lines, "PIECE", 20)
    monkeypatch.setattr(lines, "LONGEST_LINE", 80)
    text = "\n".join(f"q Q0 d{i} 1 {i} {'t' * 30}" for i in range(3)) + end
    rows = [row for frame in TrecFile(written(text)).pieces("score") for row in frame.rows()]
    assert rows == [("q", "d0", 0.0), ("q", "d1", 1.0), ("q", "d2", 2.0)]
    with pytest.raises(UnclearError):
        list(TrecFile(written(f"q Q0 d 1 1 {'t' * 70}{end}")).pieces("score"))


@pytest.mark.parametrize("value", ["score", "relevance"])
def test_frames_of_a_file_that_is_written_to_are_an_error(written, value, monkeypatch):
    monkeypatch.setattr(lines, "PIECE", 20)
    fields = b"q Q0 d%d 1 1 t\n" if value == "score" else b"q 0 d%d 1\n"
    path = written(b"".join(fields % i for i in range(9)))
    reading = TrecFile(path).pieces(value)
    next(reading)
    with open(path, "ab") as more:
        more.write(fields % 10)
    with pytest.raises(FileError, match="the file changed while it was read"):
        list(reading)


def test_a_file_that_is_replaced_is_read_to_its_end(written):
    path, other = written("q Q0 a 1 1 t\nq Q0 b 1 1 t\n"), written("p Q0 x 1 1 t\n", "other")
    with opened(path) as file:
        first = file.readline()
        os.replace(other, path)
        assert first + file.read() == b"q Q0 a 1 1 t\nq Q0 b 1 1 t\n"
    assert read_run(path) == {"p": {"x": 1.0}}
