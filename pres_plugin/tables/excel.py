"""Read runs and judgements in workbooks of Excel and LibreOffice.

A sheet is read like a CSV file: a row names the columns, and a cell that contains a number is the
same as the text of that number, with all its digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from pres_plugin.messages import InputError, imported, quoted, shortened, some
from pres_plugin.tables.base import shown_as
from pres_plugin.tables.columns import ROWS_ABOVE, TableFile, header_in, positions
from pres_plugin.tables.values import number_columns, without_empty_rows


class ExcelFile(TableFile):
    """A sheet of a workbook: the one that is asked for, or the first one."""

    # Of Excel 97–2003 or a workbook with a password; or of a zip archive whose first member, after
    # 26 bytes, is that of Office or of an OpenDocument; or of a web page, which some databases
    # export and call .xls.
    signature: re.Pattern[bytes] = re.compile(
        rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1|PK\x03\x04.{26}"
        rb"(\[Content_Types\]\.xml|_rels/|docProps/|xl/|mimetypeapplication/vnd\.oasis)"
        rb"|\s*<(?i:\?xml|!doctype|html|head|table|meta)\b",
        re.DOTALL,
    )
    by_hand: bool = True
    decimal_comma: bool = True

    def prepare(self) -> None:
        """Read the sheet."""
        with opened_workbook(self.path, self.name) as workbook:
            sheets = workbook.sheet_names
            sheet = self.reading.sheet or sheets[0]
            if sheet not in sheets:
                known = some(sheets, 20)
                raise self.error(f"there is no sheet {quoted(sheet)}; the sheets are {known}")
            # As text, numbers lose digits.
            cells, numbers = (
                workbook.load_sheet(sheet, header_row=None, skip_rows=0, dtypes=kind).to_polars()
                for kind in ("string", "float")
            )
        rows = [list(row) for row in cells.head(ROWS_ABOVE).fill_null("").rows()]
        header = header_in(rows, self.reading)
        above = 0 if header is None else header + 1
        self.where: str = f" in row {above}"
        if len(sheets) > 1:
            others = some([each for each in sheets if each != sheet], 20)
            self.where += f" of sheet {quoted(sheet)} (choose another one: {others})"
        first = rows[header or 0] if rows else []
        self.set_names(positions(first) if header is None else first)
        self._cells: pl.DataFrame = cells.slice(above)
        self._numbers: pl.DataFrame = numbers.slice(above)

    def batches(self) -> Iterator[pl.DataFrame]:
        """Yield the rows at once."""
        rows = self.selected(self._cells, self.columns)
        for name in number_columns(rows):
            exact = self.selected(self._numbers, {name: self.columns[name]})[name]
            shown, text = rows[name], exact.cast(pl.String).str.strip_suffix(".0")
            # A date is a number, too, and a yes or no may be one; they stay as they are shown.
            is_number = shown.cast(pl.Float64, strict=False).is_not_null()
            rows = rows.with_columns(text.fill_null(shown).zip_with(is_number, shown))
        with self.located():
            yield self.checked(without_empty_rows(rows))


@contextmanager
def opened_workbook(path: str, name: str) -> Iterator[Any]:
    """Open a workbook; raise an InputError, also in the body, if it cannot be read."""
    shown = shown_as(name)
    fastexcel = imported("fastexcel", f"{shown}: workbooks are read with fastexcel", "excel")
    try:
        # With the path, the ending would decide on the format.
        yield fastexcel.read_excel(Path(path).read_bytes())
    except (fastexcel.FastExcelError, pl.exceptions.PolarsError) as error:
        reason = shortened(str(error).partition("\n")[0], 200)
        raise InputError(
            f"{shown}: cannot be read as a workbook ({reason}); open it in Excel or LibreOffice, "
            "and save it as .xlsx without a password"
        ) from None
