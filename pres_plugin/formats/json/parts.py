"""Cut JSON text into parts at commas, with little memory however long the text is.

A comma between two topics ends a part, so each part can be parsed by itself. Only strings and
brackets matter here. The parser finds all errors, because invalid text has an invalid part.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedIOBase
from typing import NamedTuple

import numpy as np

from pres_plugin.formats.input.lines import BYTE_ORDER_MARK, PIECE
from pres_plugin.remedy import RemediedError

#: The maximum number of bytes of a topic in JSON. Half a million documents with scores are this
#: long, and need 400 MB when they are parsed. A file of a few megabytes may decompress to a single
#: string of many gigabytes.
LONGEST_TOPIC: int = 1 << 24

#: The problem with a longer topic.
TOO_LONG = (
    f"the JSON of a topic may be at most {LONGEST_TOPIC:,} bytes long; "
    "leave out texts, or write Parquet or TREC's format"
)
#: The problem with data that are not text.
BINARY = "this is a binary file, not text"

#: The depth that a list adds; an object adds 1. So a comma in a list never has the same depth as
#: a comma in objects only.
IN_LIST = 1_000

_QUOTE, _COMMA = 1, 2
_KINDS = np.zeros(256, dtype=np.uint8)
_KINDS[[*b'",{}[]']] = _QUOTE, _COMMA, 3, 4, 5, 6
_STEPS = np.array([0, 0, 0, 1, -1, IN_LIST, -IN_LIST])


class Part(NamedTuple):
    """A part of a JSON text, without the comma that ends it."""

    text: bytes
    line: int  # the 1-based line on which it begins, and how many bytes of that line precede it
    column: int
    is_first: bool
    is_last: bool


def parts(file: BufferedIOBase, *depths: int) -> Iterator[Part]:
    """Yield a JSON text in parts of at least PIECE bytes, cut at commas of some depths.

    Raise a RemediedError if a part is longer than LONGEST_TOPIC, or for binary data.
    """
    scanner = _Scanner(depths)
    waiting: list[bytes] = []
    size, cut = 0, -1  # the length of `waiting`, and the position of its last comma
    line, column = 1, 0
    is_first = True
    for block in _blocks(file):
        found = scanner.last_comma(block)
        cut = cut if found < 0 else size + found
        waiting.append(block)
        size += len(block)
        if size >= PIECE and cut >= 0:
            text = b"".join(waiting)
            yield Part(text[:cut], line, column, is_first, False)
            n_breaks = text.count(b"\n", 0, cut)
            line += n_breaks
            column = cut - text.rfind(b"\n", 0, cut) if n_breaks else column + cut + 1
            waiting = [text[cut + 1 :]]
            size, cut, is_first = len(waiting[0]), -1, False
        elif size > LONGEST_TOPIC:
            raise RemediedError(TOO_LONG)
    yield Part(b"".join(waiting), line, column, is_first, True)


def _blocks(file: BufferedIOBase) -> Iterator[bytes]:
    """Yield a file in blocks that do not end between a backslash and what it escapes."""
    block = file.read(PIECE).removeprefix(BYTE_ORDER_MARK)
    while block:
        if (len(block) - len(block.rstrip(b"\\"))) % 2:
            block += file.read(1)
        if b"\0" in block:
            raise RemediedError(BINARY)
        yield block
        block = file.read(PIECE)


class _Scanner:
    """Finds commas of some depths in a text that comes in blocks."""

    def __init__(self, depths: tuple[int, ...]) -> None:
        self._wanted = depths
        self._depth = 0
        self._n_quotes = 0

    def last_comma(self, block: bytes) -> int:
        """Return the position of the last comma of a wanted depth, or -1."""
        kinds = _KINDS[np.frombuffer(without_escapes(block), dtype=np.uint8)]
        at = np.flatnonzero(kinds)
        if not len(at):
            return -1
        kinds = kinds[at]
        n_quotes = self._n_quotes + np.cumsum(kinds == _QUOTE)
        outside = n_quotes % 2 == 0
        depth = self._depth + np.cumsum(np.where(outside, _STEPS[kinds], 0))
        self._n_quotes, self._depth = int(n_quotes[-1]), int(depth[-1])
        commas = at[(kinds == _COMMA) & outside & np.isin(depth, self._wanted)]
        return int(commas[-1]) if len(commas) else -1


def without_escapes(text: bytes) -> bytes:
    """Return JSON text of the same length, in which each quote begins or ends a string."""
    if b"\\" not in text:
        return text
    return text.replace(b"\\\\", b"  ").replace(b'\\"', b"  ")
