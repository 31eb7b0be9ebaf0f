"""Recognise files of spreadsheet programs that are not text in UTF-8, by their first bytes."""

from __future__ import annotations

import re

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")

#: The first bytes of a workbook of Excel 97–2003, or of one with a password.
_OLD_EXCEL = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

# In a zip archive, 26 bytes are between a member's first bytes and its name.
_MEMBER = rb"PK\x03\x04.{26}"
_OPEN_DOCUMENT = re.compile(
    _MEMBER + rb"mimetypeapplication/vnd\.oasis\.opendocument\.spreadsheet", re.DOTALL
)
# An ASReview project may contain a workbook, but does not begin with the members of one.
_FIRST_OF_OFFICE = re.compile(
    _MEMBER + rb"(\[Content_Types\]\.xml|_rels/|docProps/|xl/)", re.DOTALL
)
_OF_EXCEL = re.compile(_MEMBER + rb"xl/", re.DOTALL)


def spreadsheet_problem(start: bytes) -> str | None:
    """Return why a file that starts with these bytes, decompressed, cannot be read.

    Return None if it is not a workbook and not UTF-16 text.
    """
    if start.startswith(_UTF_16):
        return "this text is in UTF-16, like Excel's Unicode Text; save it as UTF-8"
    if _OPEN_DOCUMENT.match(start):
        found = "OpenDocument spreadsheet"
    elif start.startswith(_OLD_EXCEL) or (
        _FIRST_OF_OFFICE.match(start) and _OF_EXCEL.search(start)
    ):
        found = "Excel workbook"
    else:
        return None
    return f"this looks like an {found}; save the sheet as CSV UTF-8"
