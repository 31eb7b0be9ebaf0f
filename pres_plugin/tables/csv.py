"""Read CSV and TSV files, also as Excel saves them in Europe.

Fields are separated by commas, semicolons or tabs and may be quoted. With semicolons or tabs,
numbers may have decimal commas. Ids are read exactly as written. Empty rows are skipped, and so
are titles above the header.
"""

from __future__ import annotations

import csv
import re
from itertools import pairwise
from typing import NamedTuple

import polars as pl

from pres_plugin.messages import InputError, some
from pres_plugin.tables.base import Reading
from pres_plugin.tables.columns import ROWS_ABOVE, TableFile, header_in, likeness, positions
from pres_plugin.tables.opening import START, start_of
from pres_plugin.tables.text import TextFile, ends_of_rows, is_utf8, with_line_feeds
from pres_plugin.tables.values import without_empty_rows

# The line with which some programs tell Excel the separator.
_FOR_EXCEL = re.compile(rb'\s*"?sep=(.)"?\n')


class CsvFile(TextFile, TableFile):
    """Judgements or runs in a table with commas, semicolons or tabs."""

    by_hand: bool = True
    has_quotes: bool = True

    def prepare(self) -> None:
        """Read the header."""
        header = header_of(start_of(self.path, self.name), self.reading)
        self._separator: str = header.separator
        self.n_header: int = header.length
        self.where: str = f" in line {header.line}"
        self.decimal_comma: bool = self._separator != ","
        self.set_names(header.names)

    @classmethod
    def recognises(cls, start: bytes, reading: Reading) -> bool:
        """Return whether one of the first rows names several columns, or one as the user does.

        A line such as ``sep=;`` may precede it.
        """
        if b"\0" in start[:1024]:  # decoding a large binary file is slow
            return False
        if _FOR_EXCEL.match(with_line_feeds(start[:99])):
            return True
        # Looking for a separator in the first lines is faster than comparing names.
        first = b"".join(start.split(b"\n", ROWS_ABOVE)[:ROWS_ABOVE])
        if not any(separator in first for separator in (b";", b",", b"\t")):
            return False
        _, n_kinds, *_ = likeness(header_of(start, reading).names, reading.names)
        return n_kinds > 0

    def parsed(self, text: bytes) -> pl.DataFrame:
        """Return the rows of a text with the columns that are needed."""
        if not text.strip():
            return pl.DataFrame()
        # Names of columns may occur twice, so the columns are numbered.
        schema = {str(i): pl.String() for i in range(len(self.names))}
        is_text = is_utf8(text)
        try:
            rows = pl.read_csv(
                # The number of columns comes from the first row.
                self._separator.join(schema).encode() + b"\n" + text,
                separator=self._separator,
                schema=schema,
                encoding="utf8" if is_text else "utf8-lossy",
            )
        except pl.exceptions.PolarsError:
            raise InputError(
                f"there are more than {len(schema)} fields ({some(self.names, 20)}), or a quote in "
                "a field that is not doubled"
            ) from None
        rows = without_empty_rows(self.selected(rows, self.columns))
        return rows if rows.is_empty() else self.checked(rows, replaced=not is_text)


class Header(NamedTuple):
    """The names of a table's columns, what separates them, where the rows begin, and its line."""

    names: list[str]
    separator: str
    length: int
    line: int


def header_of(start: bytes, reading: Reading) -> Header:
    """Return the header: one of the first rows, the one that is most likely to name columns.

    If none names any, and the user gives positions of columns, the table has no header.
    """
    start = with_line_feeds(start[:START])
    length = len(start) - len(start.lstrip(b"\n"))
    separators = ";,\t"
    if match := _FOR_EXCEL.match(start, length):
        # A quote encloses fields, so it cannot separate them.
        separators = match[1].decode(errors="replace").replace('"', separators)
        length = match.end()
    ends = length + ends_of_rows(start[length:] + b"\n")[:ROWS_ABOVE]
    found = []
    for begin, end in pairwise([length, *ends.tolist()]):
        row = _decoded(start[begin:end])
        line = start.count(b"\n", 0, begin) + 1
        for separator in [*filter(row.__contains__, separators)] or ["\t"]:
            names = next(csv.reader(row.splitlines(keepends=True), delimiter=separator), [])
            found.append(Header(names, separator, end, line))
    # Names such as "title, text" in a header with tabs contain commas.
    found.sort(key=lambda each: (each.length, -len(each.names)))
    at = header_in([each.names for each in found], reading)
    if at is not None:
        return found[at] if found else Header([], "\t", length, 1)
    first = found[0]
    if len(first.names) == 1:  # fields may be separated by blanks
        first = Header(first.names[0].split(" "), " ", *first[2:])
    return Header(positions(first.names), first.separator, length, first.line)


def _decoded(row: bytes) -> str:
    """Return the text of a header, which Excel may have saved for Western Europe."""
    try:
        return row.decode()
    except UnicodeDecodeError:
        return row.decode("cp1252", errors="replace")
