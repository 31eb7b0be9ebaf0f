"""Recognise a CSV or TSV file by its header, and find its columns."""

from __future__ import annotations

import csv
from contextlib import suppress
from io import BytesIO, TextIOWrapper
from typing import NamedTuple

from pres_plugin.formats.base import Value
from pres_plugin.formats.columns import columns_of, is_table
from pres_plugin.formats.input.lines import BYTE_ORDER_MARK
from pres_plugin.remedy import RemediedError, quoted, shortened

#: The maximum number of bytes of a row. Tables of results may contain the texts of documents.
LONGEST_ROW: int = 1 << 23

#: White space that an id may not begin or end with, because it is hard to see.
BLANKS = " \t\r\n\v\f"

#: The fields of a line such as ``sep=;``, which some programs write for Excel.
_FOR_EXCEL = ["sep=", ""]


class Header(NamedTuple):
    """The names of a table's columns, and what separates them."""

    names: list[str]
    separator: str

    def columns(self, value: Value) -> dict[str, str]:
        """Choose the columns to read, as :func:`~pres_plugin.formats.columns.columns_of` does.

        Raise a RemediedError for a table that is separated by semicolons, too.
        """
        if self.separator == ";" and len(self.names) > 1:
            line = shortened(";".join(self.names))
            raise RemediedError(
                f"the columns are separated by semicolons ({line}); save the file with commas or "
                "tabs instead"
            )
        if self.names == _FOR_EXCEL:
            line = quoted("sep=" + self.separator)
            raise RemediedError(f"delete this line ({line}); the first line must name the columns")
        try:
            return columns_of(self.names, value)
        except RemediedError as error:
            hint = ""
            if not is_table(self.names):
                hint = "; the first line must name the columns, separated by commas or tabs"
            raise RemediedError(error.problem + hint) from None


def looks_like_csv(start: bytes) -> bool:
    """Return whether the first row of a file names columns of topics and of documents.

    It may also be a line such as ``sep=;``.
    """
    if b"\0" in start[:1024]:  # decoding a large binary file is slow
        return False
    header = header_of(start)
    return header is not None and (is_table(header.names) or header.names == _FOR_EXCEL)


def header_of(start: bytes) -> Header | None:
    """Return the names of the columns in the first row of a text, if there is one.

    Semicolons are recognised so that the error can name them.
    """
    start = start.removeprefix(BYTE_ORDER_MARK)
    found = []
    for separator in ";,\t":
        # Decode only the part that is read, because `start` may be a megabyte long.
        text = TextIOWrapper(BytesIO(start), "utf-8", errors="replace", newline="")
        rows = csv.reader(text, delimiter=separator)
        with suppress(csv.Error):
            found.append(Header(next(filter(None, rows), []), separator))
    # Names such as "title, text" in a header with tabs contain commas.
    found.sort(key=lambda header: (is_table(header.names), len(header.names)))
    return found[-1] if found and found[-1].names else None
