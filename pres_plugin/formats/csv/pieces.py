"""Read CSV and TSV files into dataframes, piece by piece.

The result is the same as that of :mod:`.files`, which is many times slower. A file that
contains anything unusual is left to that module, which reads it or names the row that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedIOBase
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pres_plugin.formats.base import UnclearError, Value
from pres_plugin.formats.csv.header import BLANKS, LONGEST_ROW, header_of
from pres_plugin.formats.input.lines import BYTE_ORDER_MARK, PIECE
from pres_plugin.formats.input.opening import opened
from pres_plugin.formats.ranks import with_scores
from pres_plugin.remedy import RemediedError

_QUOTE, _LINE_BREAK = b'"\n'
_KINDS: dict[str, Any] = {"relevance": pl.Int64, "rank": pl.Int64, "score": pl.Float64}


def pieces_of(path: str, name: str, value: Value) -> Iterator[pl.DataFrame]:
    """Yield the rows of a file in pieces, or raise an UnclearError for unusual ones."""
    with opened(path, name) as file:
        parser: _Parser | None = None
        is_empty = True
        for text in _row_pieces(file):
            is_first = parser is None
            if parser is None:
                parser = _Parser(text, value)
            frame = parser.parsed(text, is_first)
            if not frame.is_empty():
                is_empty = False
                yield frame
        if is_empty:
            raise UnclearError


def _row_pieces(file: BufferedIOBase) -> Iterator[bytes]:
    """Yield a file in pieces of whole rows; each piece ends with a line break.

    Pieces grow from PIECE to four times that, as those of TREC files do.
    """
    rest = b""
    done = 0
    while text := file.read(min(max(PIECE, done // 32), 4 * PIECE)):
        if b"\0" in text:
            raise UnclearError
        if not done:
            text = text.removeprefix(BYTE_ORDER_MARK)
        done += len(text)
        text = rest + text
        end = _end_of_rows(text)
        if not end and len(text) > LONGEST_ROW:
            raise UnclearError
        rest = text[end:]
        if end:
            yield text[:end]
    if rest:
        yield rest + b"\n"


def _end_of_rows(text: bytes) -> int:
    """Return where the last whole row of a text ends, or 0 if there is none."""
    end = text.rfind(b"\n") + 1
    if not text.count(b'"', 0, end) % 2:  # the line break is not in quotes
        return end
    codes = np.frombuffer(text, dtype=np.uint8)
    ends = np.flatnonzero((codes == _LINE_BREAK) & ~_in_quotes(codes))
    return int(ends[-1]) + 1 if len(ends) else 0


def _in_quotes(codes: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return for each character whether a quoted field is open after it."""
    # One is open after an odd number of quotes. The sum overflows after 255, but stays odd or even.
    return (np.cumsum(codes == _QUOTE, dtype=np.uint8) & 1).astype(bool)


class _Parser:
    """Splits text into columns, which the header names."""

    def __init__(self, text: bytes, value: Value) -> None:
        header = header_of(text)
        if header is None:
            raise UnclearError
        try:
            columns = header.columns(value)
        except RemediedError:
            raise UnclearError from None
        self._separator = header.separator
        self._n_columns = len(header.names)
        self._at = {kind: header.names.index(name) for kind, name in columns.items()}
        # Names of other columns may occur twice.
        self._schema: dict[str, Any] = {str(i): pl.String for i in range(self._n_columns)}
        for kind, at in self._at.items():
            self._schema[str(at)] = _KINDS.get(kind, pl.String)
        order = ("run", "query_id", "doc_id", value)
        self._order = [kind for kind in order if kind in self._at or kind == value]
        if "rank" in self._at:
            self._order.append("rank")

    def parsed(self, text: bytes, with_header: bool) -> pl.DataFrame:
        """Return the columns to read of a piece; raise an UnclearError for an unusual row."""
        has_breaks_in_text = b"\r" in text
        if has_breaks_in_text:
            text = text.replace(b"\r\n", b"\n")
        # Polars would drop the byte order mark.
        if b"\r" in text or text.startswith(BYTE_ORDER_MARK):
            raise UnclearError
        if text.endswith(b"\n\n"):  # blank lines at the end
            text = text.rstrip(b"\n") + b"\n"
        if text == b"\n":
            return pl.DataFrame()
        _check_encoding(text)
        ends = self._ends_of_rows(text)
        if with_header:
            text, ends = text[ends[0] :], ends[1:]
        if not len(ends):
            return pl.DataFrame()
        try:
            frame = pl.read_csv(
                text,
                has_header=False,
                separator=self._separator,
                quote_char='"' if b'"' in text else None,
                schema=self._schema,
                columns=sorted(self._at.values()),
            )
        except pl.exceptions.PolarsError:
            raise UnclearError from None
        frame = frame.select(pl.col(str(at)).alias(kind) for kind, at in self._at.items())
        if frame.height != len(ends) or any(column.null_count() for column in frame):
            raise UnclearError
        ids = pl.col(pl.String)
        wrong = (ids.str.strip_chars(BLANKS) != ids) | (ids == "")
        if has_breaks_in_text:  # an id may have contained \r\n, which must not be changed
            wrong |= ids.str.contains("\n", literal=True)
        if any(frame.select(wrong.any()).row(0)):
            raise UnclearError
        if "rank" in self._at:
            try:
                frame = with_scores(frame)
            except RemediedError:
                raise UnclearError from None
        return frame.select(self._order)

    def _ends_of_rows(self, text: bytes) -> NDArray[np.intp]:
        """Return where each row ends; raise an UnclearError if one lacks fields or has too many."""
        codes = np.frombuffer(text, dtype=np.uint8)
        is_end = codes == _LINE_BREAK
        is_break = is_end | (codes == ord(self._separator))
        if b'"' in text:
            self._check_quotes(codes)
            is_break &= ~_in_quotes(codes)
        breaks = np.flatnonzero(is_break)
        n_rows, odd = divmod(len(breaks), self._n_columns)
        if odd:
            raise UnclearError
        fields = is_end[breaks].reshape(n_rows, self._n_columns)
        if not fields[:, -1].all() or fields[:, :-1].any():
            raise UnclearError
        ends = breaks[self._n_columns - 1 :: self._n_columns] + 1
        if np.diff(ends, prepend=0).max(initial=0) > LONGEST_ROW:
            raise UnclearError
        return ends

    def _check_quotes(self, codes: NDArray[np.uint8]) -> None:
        """Raise an UnclearError unless quotes enclose whole fields, or are doubled in fields.

        Two quotes in a quoted field are treated as the end of one quoted part and the beginning
        of the next. The text ends with a line break.
        """
        quotes = np.flatnonzero(codes == _QUOTE)
        if len(quotes) % 2:
            raise UnclearError
        beside = np.concatenate([codes[quotes[::2] - 1], codes[quotes[1::2] + 1]])
        if not np.isin(beside, (_QUOTE, _LINE_BREAK, ord(self._separator))).all():
            raise UnclearError


def _check_encoding(text: bytes) -> None:
    """Raise an UnclearError if text is not UTF-8; polars checks only the columns that it reads."""
    try:
        if not text.isascii():
            text.decode()
    except UnicodeDecodeError:
        raise UnclearError from None
