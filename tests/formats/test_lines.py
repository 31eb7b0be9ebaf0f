"""Text is read in pieces of whole lines, and lines without rows are skipped in bulk."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pres_plugin.formats.base import UnclearError
from pres_plugin.formats.input import lines
from pres_plugin.formats.trec.pieces import normalised

TEXTS = st.lists(st.sampled_from("ab# \t\r\n\n\0")).map(lambda parts: "".join(parts).encode())
SIZES = st.integers(1, 9)


@given(TEXTS, SIZES)
def test_pieces_are_whole_lines_and_together_the_file(text, size):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "PIECE", size)
        pieces = list(lines.pieces(io.BytesIO(text)))
    assert all(piece.endswith(b"\n") for piece in pieces)
    assert b"".join(pieces) in (text, text + b"\n")


@given(TEXTS, SIZES)
def test_a_line_over_the_limit_is_found(text, limit):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "LONGEST_LINE", limit)
        found = lines.has_long_line(text)
    assert found == any(len(line) > limit for line in text.split(b"\n"))


@given(TEXTS, SIZES, SIZES)
def test_a_piece_with_a_line_over_the_limit_shows_it(text, size, limit):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "PIECE", size)
        patch.setattr(lines, "LONGEST_LINE", limit)
        found = [lines.has_long_line(piece) for piece in lines.pieces(io.BytesIO(text))]
        assert any(found) == lines.has_long_line(text)


@given(TEXTS, SIZES)
def test_only_lines_without_rows_are_left_out_of_the_numbered_ones(text, size):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "PIECE", size)
        numbered = dict(lines.numbered(io.BytesIO(text)))
    for number, line in enumerate(text.split(b"\n"), start=1):
        if number in numbered:
            assert numbered[number] == line
        else:
            assert not line.strip() or line.startswith(b"#")
            assert b"\0" not in line


@given(TEXTS)
def test_text_without_rows_is_recognised_or_normalised_to_nothing(text):
    text += b"\n"
    fields = [line.split() for line in text.split(b"\n")]
    rows = [words for words in fields if words and not words[0].startswith(b"#")]
    if b"\0" in text:
        assert not lines.has_no_rows(text)
        with pytest.raises(UnclearError):
            normalised(text)
    else:
        assert not (lines.has_no_rows(text) and rows)
        assert normalised(text) == b"".join(b" ".join(words) + b"\n" for words in rows)


@pytest.mark.parametrize("line", [b"\n", b"#\n", b"# a comment\n", b" \t\r\n", b"# a\n\n"])
def test_long_stretches_without_rows_are_recognised(line):
    assert lines.has_no_rows(line * 9)
    assert not lines.has_no_rows(line * 9 + b"q1 0 a 1\n")
