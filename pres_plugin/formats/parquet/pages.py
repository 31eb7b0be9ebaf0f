"""Check the pages of Parquet files before polars reads them.

Polars allocates whatever memory a page header asks for. If a damaged header asks for more than
there is, the process is aborted, without an exception. A page may also decompress to gigabytes.
So this module reads the headers, which are in Thrift's compact protocol. Whatever else it
cannot read is left to polars, which reports it.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import suppress
from typing import Any, BinaryIO

#: The maximum size of a page in bytes when it is decompressed. Most writers end pages after 1 MiB.
LARGEST_PAGE: int = 1 << 28

# Longer footers are left to polars. Each column of each row group needs a few hundred bytes.
_LONGEST_FOOTER = 1 << 22
# How many bytes to read for a page's header: at first, and if long statistics make it longer.
_HEADER, _LONGEST_HEADER = 1 << 12, 1 << 20

# Field ids in Parquet's Thrift definitions: those of the footer, then those of a page header.
_ROW_GROUPS, _COLUMNS, _CHUNK, _PATH, _CHUNK_SIZE, _DATA_AT, _DICTIONARY_AT = 4, 1, 3, 3, 7, 9, 11
_PAGE_SIZE, _STORED_SIZE, _DATA, _DICTIONARY, _DATA_V2 = 2, 3, 5, 7, 8

_Struct = dict[int, Any]
# The exceptions that data may raise if it does not match these definitions.
_UNREADABLE = (
    LookupError,
    TypeError,
    AttributeError,
    ValueError,
    OverflowError,
    RecursionError,
)


def page_problem(path: str, columns: Collection[str]) -> str | None:
    """Return what is wrong with the pages of some columns of a file, or None."""
    with open(path, "rb") as file:
        for start, end in _chunks(file, columns):
            with suppress(*_UNREADABLE):
                if problem := _chunk_problem(file, start, end):
                    return problem
    return None


def _chunk_problem(file: BinaryIO, start: int, end: int) -> str | None:
    """Return what is wrong with the pages of a column in a row group, or None."""
    while 0 <= start < end:
        header, length = _page_header(file, start)
        sizes = [header[_PAGE_SIZE], header[_STORED_SIZE]]
        for kind in (_DATA, _DICTIONARY, _DATA_V2):
            sizes += [n for n in header.get(kind, {}).values() if isinstance(n, int)]
        if min(sizes) < 0:
            return "a page has a negative size"
        if sizes[0] > LARGEST_PAGE:
            return f"a page is {sizes[0]:,} bytes long; the maximum is {LARGEST_PAGE:,}"
        start += length + sizes[1]
    return None


def _chunks(file: BinaryIO, columns: Collection[str]) -> list[tuple[int, int]]:
    """Return where the pages of some columns start and end, for each row group."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 8))
    length = int.from_bytes(file.read(4), "little")
    if length > min(size - 8, _LONGEST_FOOTER):
        return []
    file.seek(size - 8 - length)
    found = []
    with suppress(*_UNREADABLE):
        for group in _Reader(file.read(length)).struct()[_ROW_GROUPS]:
            for column in group[_COLUMNS]:
                chunk = column[_CHUNK]
                if chunk[_PATH][0].decode() in columns:
                    start = chunk.get(_DICTIONARY_AT) or chunk[_DATA_AT]
                    found.append((start, start + chunk[_CHUNK_SIZE]))
    return found


def _page_header(file: BinaryIO, start: int) -> tuple[_Struct, int]:
    """Return the header of the page that starts at an offset, and the header's length."""
    for size in (_HEADER, _LONGEST_HEADER):
        file.seek(start)
        reader = _Reader(file.read(size))
        try:
            return reader.struct(), reader.at
        except IndexError:  # the header is longer
            continue
    raise LookupError


class _Reader:
    """Read values in Thrift's compact protocol; raise one of _UNREADABLE if they are malformed."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def struct(self) -> _Struct:
        """Return the fields of a struct by their ids."""
        fields: _Struct = {}
        number = 0
        while byte := self._byte():
            number = number + (byte >> 4) if byte >> 4 else self._signed()
            kind = byte & 15
            fields[number] = kind == 1 if kind in (1, 2) else self._value(kind)
        return fields

    def _value(self, kind: int) -> Any:
        if kind in (1, 2, 3):  # in lists, a truth value is a byte
            return self._byte()
        if kind in (4, 5, 6):
            return self._signed()
        if kind == 7:  # a float; this module uses no such field
            return self._bytes(8)
        if kind == 8:
            return self._bytes(self._unsigned())
        if kind in (9, 10):
            byte = self._byte()
            length = byte >> 4 if byte >> 4 < 15 else self._unsigned()
            return [self._value(byte & 15) for _ in range(length)]
        if kind == 12:
            return self.struct()
        raise ValueError

    def _byte(self) -> int:
        self.at += 1
        return self._data[self.at - 1]

    def _bytes(self, length: int) -> bytes:
        self.at += length
        if self.at > len(self._data):
            raise IndexError
        return self._data[self.at - length : self.at]

    def _unsigned(self) -> int:
        number = shift = 0
        while (byte := self._byte()) & 128:
            number |= (byte & 127) << shift
            shift += 7
            if shift > 63:
                raise ValueError
        return number | byte << shift

    def _signed(self) -> int:
        number = self._unsigned()
        return number >> 1 ^ -(number & 1)
