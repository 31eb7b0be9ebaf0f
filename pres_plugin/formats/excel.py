"""Read runs and judgements in Excel workbooks.

A sheet is read like a CSV file: its first row names the columns, and a cell that contains a number
is the same as the text of that number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import polars as pl

from pres_plugin.formats.base import DataFile, FileError, Reading
from pres_plugin.formats.opening import check_plain
from pres_plugin.formats.tables import TableFile
from pres_plugin.remedy import imported, quoted, shortened, some

# In a zip archive, 26 bytes are between a member's first bytes and its name. An ASReview project
# may contain a workbook, but does not begin with the members of one.
_MEMBER = rb"PK\x03\x04.{26}"
_OF_OFFICE = re.compile(_MEMBER + rb"(\[Content_Types\]\.xml|_rels/|docProps/|xl/)", re.DOTALL)
_OF_EXCEL = re.compile(_MEMBER + rb"xl/", re.DOTALL)
_OPEN_DOCUMENT = re.compile(
    _MEMBER + rb"mimetypeapplication/vnd\.oasis\.opendocument\.spreadsheet", re.DOTALL
)
# The first bytes of a workbook of Excel 97–2003, or of one with a password.
_OLD_EXCEL = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


class ExcelFile(TableFile):
    """A sheet of a workbook: the one that is asked for, or the first one."""

    by_hand: bool = True
    decimal_comma: bool = True

    def __init__(self, path: str, name: str | None = None, reading: Reading | None = None) -> None:
        super().__init__(path, name, reading)
        check_plain(path, self.name)
        need = f"{self.name}: workbooks are read with fastexcel"
        fastexcel = imported("fastexcel", need, "excel")
        try:
            sheets = fastexcel.read_excel(path).sheet_names
            sheet = self.reading.sheet or sheets[0]
            if sheet not in sheets:
                known = some(sheets, 20)
                raise self.error(f"there is no sheet {quoted(sheet)}; the sheets are {known}")
            # Without types to infer, all cells are strings.
            self._rows: pl.DataFrame = pl.read_excel(
                path, sheet_name=sheet, infer_schema_length=0, raise_if_empty=False
            )
        except (fastexcel.FastExcelError, pl.exceptions.PolarsError) as error:
            reason = shortened(str(error).partition("\n")[0], 200)
            raise self.error(f"cannot be read as an Excel workbook ({reason})") from None
        self.names: Sequence[str] = self._rows.columns
        self.has_runs: bool = "run" in self.names

    @classmethod
    def recognises(cls, start: bytes, reading: Reading) -> bool:
        """Return whether this is the beginning of a workbook of Excel 2007 or later."""
        return bool(_OF_OFFICE.match(start) and _OF_EXCEL.search(start))

    def tables(self, columns: dict[str, str]) -> Iterator[pl.DataFrame]:
        """Yield some columns as strings, without empty rows."""
        rows = self._rows.select(pl.col(name).alias(kind) for kind, name in columns.items())
        yield rows.filter(~pl.all_horizontal(pl.all().is_null()))


def check_sheet(reading: Reading | None, files: Iterable[DataFile]) -> None:
    """Raise a FileError if a sheet was asked for, but no file is a workbook with this sheet."""
    sheet = reading.sheet if reading else None
    workbooks = [file for file in files if isinstance(file, ExcelFile)]
    if sheet and all(file.reading.sheet != sheet for file in workbooks):
        raise FileError(
            f"sheet {quoted(sheet)} was asked for, but no file is an Excel workbook; "
            "leave out the sheet, or give a workbook"
        )


def spreadsheet_problem(start: bytes) -> str | None:
    """Return why a file that starts with these bytes cannot be read, if it is a spreadsheet."""
    if _OPEN_DOCUMENT.match(start):
        return "this looks like an OpenDocument spreadsheet; save the sheet as .xlsx or CSV"
    if start.startswith(_OLD_EXCEL):
        return (
            "this looks like a workbook of Excel 97–2003, or one with a password; save it as "
            ".xlsx without a password, or the sheet as CSV"
        )
    return None
