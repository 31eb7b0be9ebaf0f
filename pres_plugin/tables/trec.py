"""Read runs and qrels in TREC's text formats, as trec_eval reads them.

Fields are separated by any white space; blank lines and lines that begin with ``#`` are
skipped. Input that trec_eval would silently misread, such as a document id that contains a
blank, raises an error that names the file and the line.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import polars as pl

from pres_plugin.messages import InputError
from pres_plugin.tables.base import Reading, Value
from pres_plugin.tables.text import TextFile, is_utf8, n_breaks
from pres_plugin.tables.values import typed

# The columns of a line, the type of the number, and the fields as messages name them.
_FIELDS: dict[Value, tuple[tuple[str, ...], Any, str]] = {
    "relevance": (
        ("query_id", "iteration", "doc_id", "relevance"),
        pl.Int64,
        "topic, iteration, document, relevance",
    ),
    "score": (
        ("query_id", "Q0", "doc_id", "rank", "score", "tag"),
        pl.Float64,
        "topic, Q0, document, rank, score, tag",
    ),
}

_COMMENTS = re.compile(rb"(?m)^#.*\n")
# Maps each white space character of bytes.split, except line breaks, to a blank.
_BLANKS = bytes(ord(" ") if code in b" \t\r\v\f" else code for code in range(256))


class TrecFile(TextFile):
    """Judgements or a run in TREC's text format."""

    @classmethod
    def recognises(cls, start: bytes, reading: Reading) -> bool:
        """Return whether the first line has as many fields as a line of a run or of qrels."""
        if reading.value not in _FIELDS:
            return False
        # Long comments may come first.
        text = _normalised(start[:10_000]) or _normalised(start)
        fields = text.partition(b"\n")[0].split()
        if not fields:
            return True
        kinds = _FIELDS.keys() & {reading.value} if reading.has_positions else _FIELDS
        named = [each for each in kinds if len(fields) == len(_FIELDS[each][0])]
        if not named:
            return False
        # The names of columns may contain blanks, too: Control Number,Responsive Designation.
        number = fields[_FIELDS[named[0]][0].index(named[0])]
        is_number = re.match(rb"[+-]?[.\d]", number) is not None
        return is_number or not re.search(rb"[,;]", start.partition(b"\n")[0])

    def parsed(self, text: bytes) -> pl.DataFrame:
        """Return the rows of some lines."""
        value = self.reading.value
        names, dtype, shown = _FIELDS[value]
        if b" " not in text:
            text = text.replace(b"\t", b" ")
        rows = _split(text, value, dtype)
        is_comment = b"#" in text and b"\n#" in text  # the second search is slow
        if rows is None or is_comment or any(each in text for each in (b"\t", b"\v", b"\f")):
            text = _normalised(text)
            if not text:
                return pl.DataFrame()
            rows = _split(text, value, dtype)
        if rows is None or (value == "score" and np.isnan(rows["score"].to_numpy()).any()):
            rows = _split(text, value, pl.String)
            if rows is None:
                found = len(text.split(b"\n")[0].split())
                raise InputError(f"expected {len(names)} fields ({shown}), got {found}")
            rows = typed(rows, by_hand=True, replaced=not is_utf8(text))
        return rows


def _split(lines: bytes, value: Value, dtype: Any) -> pl.DataFrame | None:
    """Return the columns of some lines; None if one lacks fields, or its number is not one.

    Also return None for a comment at the beginning.
    """
    names = _FIELDS[value][0]
    n_lines = n_breaks(lines)
    if lines.startswith(b"#") or n_breaks(lines, b" ") != n_lines * (len(names) - 1):
        return None
    try:
        rows = pl.read_csv(
            lines,
            has_header=False,
            separator=" ",
            quote_char=None,
            schema=dict.fromkeys(names, pl.String) | {value: dtype},
            # The last field is read only to check that every line has it.
            columns=sorted({0, 2, names.index(value), len(names) - 1}),
            encoding="utf8-lossy" if dtype == pl.String else "utf8",
        )
    except pl.exceptions.PolarsError:
        return None
    # Polars fills missing fields with null.
    if rows.height != n_lines or any(column.null_count() for column in rows):
        return None
    return rows[["query_id", "doc_id", value]]


def _normalised(text: bytes) -> bytes:
    """Return lines with one blank between fields, without empty lines and comments."""
    codes = np.frombuffer(text.translate(_BLANKS), dtype=np.uint8)
    is_blank = codes == ord(" ")
    is_extra = is_blank.copy()
    is_extra[1:] &= is_blank[:-1]  # keep the first of several blanks
    text = codes[~is_extra].tobytes().replace(b" \n", b"\n").replace(b"\n ", b"\n").lstrip(b" ")
    if b"#" in text:
        text = _COMMENTS.sub(b"", text)
    while b"\n\n" in text:
        text = text.replace(b"\n\n", b"\n")
    return text.lstrip(b"\n")
