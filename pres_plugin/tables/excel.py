"""Read runs and judgements in workbooks of Excel and LibreOffice.

A sheet is read like a CSV file: a row names the columns, and a cell that contains a number is the
same as the text of that number, with all its digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from pres_plugin.messages import imported, quoted, shortened, some
from pres_plugin.tables.columns import ROWS_ABOVE, TableFile, likeness
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
        need = f"{self.name}: workbooks are read with fastexcel"
        fastexcel = imported("fastexcel", need, "excel")
        try:
            # With the path, the ending would decide on the format.
            workbook = fastexcel.read_excel(Path(self.path).read_bytes())
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
        except (fastexcel.FastExcelError, pl.exceptions.PolarsError) as error:
            reason = shortened(str(error).partition("\n")[0], 200)
            raise self.error(
                f"cannot be read as a workbook ({reason}); open it in Excel or LibreOffice, and "
                "save it as .xlsx without a password"
            ) from None
        likely = (
            (*likeness(names, self.reading.columns), -i, names)
            for i, names in enumerate(cells.head(ROWS_ABOVE).fill_null("").rows())
        )
        *_, above, names = max(likely, default=(0, ()))
        self.set_names(names)
        self.where: str = f" in row {1 - above}"
        if len(sheets) > 1:
            others = some([each for each in sheets if each != sheet], 20)
            self.where += f" of sheet {quoted(sheet)} (choose another one: {others})"
        self._cells: pl.DataFrame = cells.slice(1 - above)
        self._numbers: pl.DataFrame = numbers.slice(1 - above)

    def tables(self, columns: dict[str, str]) -> Iterator[pl.DataFrame]:
        """Yield some columns as strings, without empty rows."""
        rows = self.selected(self._cells, columns)
        for name in number_columns(rows):
            exact = self.selected(self._numbers, {name: columns[name]})[name]
            shown, text = rows[name], exact.cast(pl.String).str.strip_suffix(".0")
            # A date is a number, too, and a yes or no may be one; they stay as they are shown.
            is_number = shown.cast(pl.Float64, strict=False).is_not_null()
            rows = rows.with_columns(text.fill_null(shown).zip_with(is_number, shown))
        yield without_empty_rows(rows)
