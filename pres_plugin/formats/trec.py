"""Read runs and qrels in TREC's text formats, as trec_eval reads them.

Fields are separated by any white space; blank lines and lines that begin with ``#`` are
skipped. Input that trec_eval would silently misread, such as a document id that contains a
blank, raises an error that names the file and the line.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pres_plugin.formats.base import Reading, Value
from pres_plugin.formats.opening import BYTE_ORDER_MARK
from pres_plugin.formats.text import TextFile, is_utf8, n_breaks
from pres_plugin.formats.values import typed
from pres_plugin.remedy import RemediedError

# The fields of a line, and which of them is the number.
_FIELDS: dict[Value, tuple[tuple[str, ...], int]] = {
    "relevance": (("topic", "iteration", "document", "relevance"), 3),
    "score": (("topic", "Q0", "document", "rank", "score", "tag"), 4),
}
_TYPES: dict[Value, Any] = {"relevance": pl.Int64, "score": pl.Float64}

# Maps each white space character of bytes.split, except line breaks, to a blank.
_BLANKS = bytes(ord(" ") if code in b" \t\r\v\f" else code for code in range(256))


class TrecFile(TextFile):
    """Judgements or a run in TREC's text format."""

    _separator = b" "
    _is_plain = True

    @classmethod
    def recognises(cls, start: bytes, reading: Reading) -> bool:
        """Return whether the first line is a line of a run or of qrels."""
        for line in BytesIO(start):
            if (fields := line.split()) and not fields[0].startswith(b"#"):
                return any(
                    len(fields) == len(names) and _is_number(fields[at])
                    for names, at in _FIELDS.values()
                )
        return False

    def parsed(self, text: bytes, value: Value) -> pl.DataFrame:
        """Return the rows of some lines."""
        if self._is_plain:
            # Most files have single separators. Without this shortcut, reading and scoring a run
            # needs 40 % more processor time.
            if self._separator not in text:
                self._separator = b"\t"
            if n_lines := _plain_lines(text, len(_FIELDS[value][0])):
                rows = self._split(text, value, n_lines, self._separator, _TYPES[value])
                if rows is not None:
                    return rows
            self._is_plain = False
        lines = _normalised(text)
        if not lines:
            return pl.DataFrame()
        if lines.startswith(BYTE_ORDER_MARK):  # polars would drop it
            raise RemediedError("the line begins with a byte order mark; remove it")
        n_lines = n_breaks(lines)
        rows = self._split(lines, value, n_lines, b" ", _TYPES[value])
        if rows is not None:
            return rows
        rows = self._split(lines, value, n_lines, b" ", pl.String)
        if rows is None:
            names, _ = _FIELDS[value]
            found = len(lines.split(b"\n")[0].split())
            raise RemediedError(f"expected {len(names)} fields ({', '.join(names)}), got {found}")
        return typed(rows, by_hand=True, replaced=not is_utf8(lines))

    def _split(
        self, lines: bytes, value: Value, n_lines: int, separator: bytes, dtype: Any
    ) -> pl.DataFrame | None:
        """Return the columns of `n_lines` lines; None if one lacks fields or has a wrong number."""
        names, at = _FIELDS[value]
        schema: dict[str, Any] = dict.fromkeys(names, pl.String) | {names[at]: dtype}
        n_separators = n_breaks(lines, separator)
        if n_separators != n_lines * (len(names) - 1):
            return None
        # The last field is read only to check that every line has it.
        wanted = [0, 2, at, len(names) - 1]
        try:
            rows = pl.read_csv(
                lines,
                has_header=False,
                separator=separator.decode(),
                quote_char=None,
                schema=schema,
                columns=sorted(set(wanted)),
                encoding="utf8-lossy" if dtype == pl.String else "utf8",
            )
        except pl.exceptions.PolarsError:
            return None
        # Polars fills missing fields with null.
        if rows.height != n_lines or any(column.null_count() for column in rows):
            return None
        rows = rows.select(query_id=names[0], doc_id=names[2], number=names[at])
        rows = rows.rename({"number": value})
        return None if value == "score" and _has_nan(rows, dtype) else rows


def _has_nan(rows: pl.DataFrame, dtype: Any) -> bool:
    return dtype == pl.Float64 and bool(rows["score"].is_nan().any())


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _plain_lines(text: bytes, n_fields: int) -> int:
    """Count the lines if all fields are separated by single characters and none is a comment.

    Otherwise, return 0.
    """
    codes = np.frombuffer(text, dtype=np.uint8)
    white = codes <= ord(" ")
    n_lines, odd = divmod(int(np.count_nonzero(white)), n_fields)
    if odd or white[:1].any() or (white[1:] & white[:-1]).any():
        return 0
    if text.startswith((b"#", BYTE_ORDER_MARK)) or (b"#" in text and b"\n#" in text):
        return 0
    return n_lines


def _normalised(text: bytes) -> bytes:
    """Return lines with one blank between fields, without empty lines and comments."""
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
