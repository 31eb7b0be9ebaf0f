"""Read TREC's text formats into dataframes, piece by piece.

The result is the same as that of :mod:`.files`, which is many times slower. A file that contains
anything unusual is left to that module, which reads it or names the line that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pres_plugin.formats.base import UnclearError, Value
from pres_plugin.formats.input.lines import BYTE_ORDER_MARK, has_long_line, has_no_rows, pieces
from pres_plugin.formats.input.opening import opened

_QRELS: dict[str, Any] = {
    "query_id": pl.String,
    "iteration": pl.String,
    "doc_id": pl.String,
    "relevance": pl.Int64,
}
_RUN: dict[str, Any] = {
    "query_id": pl.String,
    "q0": pl.String,
    "doc_id": pl.String,
    "rank": pl.String,
    "score": pl.Float64,
    "tag": pl.String,
}

# Maps each white space character of bytes.split, except line breaks, to a blank.
_BLANKS = bytes(ord(" ") if code in b" \t\r\v\f" else code for code in range(256))


def pieces_of(path: str, name: str, value: Value) -> Iterator[pl.DataFrame]:
    """Yield the lines of a file in pieces, or raise an UnclearError for unusual ones."""
    with opened(path, name) as file:
        parser = _Parser(_RUN if value == "score" else _QRELS, ["query_id", "doc_id", value])
        for text in pieces(file):
            if has_no_rows(text):
                continue
            if has_long_line(text):
                raise UnclearError
            frame = parser.parsed(text)
            if not frame.is_empty():
                yield frame


class _Parser:
    """Splits text into columns, and remembers which white space the file uses."""

    def __init__(self, schema: dict[str, Any], columns: list[str]) -> None:
        self._schema = schema
        self._columns = columns
        # The last field is read only to check that every line has it.
        self._read = [*columns, last] if (last := list(schema)[-1]) not in columns else columns
        self._separator: bytes | None = None
        self._is_plain = True

    def parsed(self, text: bytes) -> pl.DataFrame:
        if self._separator is None:
            first = text[: text.find(b"\n")]
            self._separator = b"\t" if b"\t" in first and b" " not in first else b" "
        if self._is_plain:
            frame = self._from_plain(text)
            if frame is not None:
                return frame
            self._is_plain = False
        return self._from_any(text)

    def _from_plain(self, text: bytes) -> pl.DataFrame | None:
        """Return the rows if all fields are separated by single separators, otherwise None.

        Most files are like that. Without this shortcut, reading and scoring a run needs 40 %
        more processor time.
        """
        codes = np.frombuffer(text, dtype=np.uint8)
        white = codes <= ord(" ")
        n_lines, odd = divmod(int(np.count_nonzero(white)), len(self._schema))
        if odd or white[0] or (white[1:] & white[:-1]).any():
            return None
        if text.startswith(b"#") or (b"#" in text and b"\n#" in text):  # comments
            return None
        try:
            return self._split(text, self._separator or b" ", n_lines)
        except UnclearError:
            return None

    def _from_any(self, text: bytes) -> pl.DataFrame:
        lines = normalised(text)
        if not lines:
            return pl.DataFrame()
        n_lines, odd = divmod(lines.count(b" ") + lines.count(b"\n"), len(self._schema))
        if odd:
            raise UnclearError
        return self._split(lines, b" ", n_lines)

    def _split(self, lines: bytes, separator: bytes, n_lines: int) -> pl.DataFrame:
        """Return the columns of `n_lines` lines, in which one white character ends each field.

        Polars fills missing fields with null and drops extra ones. There are exactly enough
        separators for `n_lines` lines. So if each line has a last field, no line has an
        extra one.
        """
        if lines.startswith(BYTE_ORDER_MARK):  # polars would drop the byte order mark
            raise UnclearError
        try:
            frame = pl.read_csv(
                lines,
                has_header=False,
                separator=separator.decode(),
                quote_char=None,
                schema=self._schema,
                columns=[list(self._schema).index(name) for name in self._read],
            )
        except pl.exceptions.PolarsError:
            raise UnclearError from None
        if frame.height != n_lines or any(column.null_count() for column in frame):
            raise UnclearError
        return frame.select(self._columns)


def normalised(text: bytes) -> bytes:
    """Return lines with one blank between fields, without empty lines and comments.

    Raise an UnclearError if there is a NUL, because text contains none.
    """
    if b"\0" in text:
        raise UnclearError
    codes = np.frombuffer(text.translate(_BLANKS), dtype=np.uint8)
    blank, end = codes == ord(" "), codes == ord("\n")
    keep = ~blank
    keep[1:] |= ~(blank | end)[:-1]  # keep the first of several blanks, unless it begins a line
    codes = codes[keep]

    blank, end = codes == ord(" "), codes == ord("\n")
    keep = np.empty(len(codes), dtype=bool)
    keep[:1] = ~end[:1]
    keep[1:] = ~(end[1:] & end[:-1])  # drop lines without fields
    keep[:-1] &= ~(blank[:-1] & end[1:])  # drop the blank after the last field
    codes = codes[keep]
    lines = codes.tobytes()
    return _without_comments(codes).tobytes() if b"#" in lines else lines


def _without_comments(codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return lines, given as codes, without those that begin with ``#``."""
    ends = np.flatnonzero(codes == ord("\n")) + 1
    starts = np.append(0, ends[:-1])
    kept: NDArray[np.uint8] = codes[np.repeat(codes[starts] != ord("#"), ends - starts)]
    return kept
