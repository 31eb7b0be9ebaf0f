"""Text in pieces of whole lines that a CSV reader can split.

White space is what ``bytes.split`` takes for it. Where fields are separated by
single blanks, or all by single tabs, text is passed on as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

__all__ = ["BOM", "UnclearError", "normalised", "pieces"]

#: What Windows editors put first.
BOM = b"\xef\xbb\xbf"
_BLANKS = bytes(ord(" ") if code in b" \t\r\v\f" else code for code in range(256))
_COMMENT = re.compile(rb"^#.*\n", re.MULTILINE)


class UnclearError(Exception):
    """Something that takes the line-by-line reader of :mod:`pres_plugin.trec`.

    It reads what can be read at all, and says of the rest in which line it is.
    """


def pieces(file: BinaryIO, size: int) -> Iterator[bytes]:
    """The file in pieces of whole lines, the last of which ends with a line break, too.

    Pieces grow with what has been read: a small file takes little memory, and a
    large one is not read in many small steps.

    Parameters
    ----------
    file : binary file
        What to read from.
    size : int
        About how many bytes the first pieces have; the last have up to four times as many.

    Raises
    ------
    UnclearError
        If a line is longer than four times `size`.
    """
    rest = file.read(len(BOM)).removeprefix(BOM)
    done = 0
    while read := file.read(min(max(size, done // 32), 4 * size)):
        done += len(read)
        end = read.rfind(b"\n") + 1
        if not end and len(rest) + len(read) > 4 * size:
            raise UnclearError
        if end:
            yield rest + read[:end]
            rest = read[end:]
        else:
            rest += read
    if rest:
        yield rest if rest.endswith(b"\n") else rest + b"\n"


def normalised(text: bytes) -> bytes:
    r"""Whole lines with one blank between fields, and no lines but those that hold any.

    Raises
    ------
    UnclearError
        If the text holds a NUL, which no text does.

    Examples
    --------
    >>> from pres_plugin.files.text import normalised
    >>> normalised(b" q1 Q0\ta  1 2 t \r\n\n # a comment\n")
    b'q1 Q0 a 1 2 t\n'
    """
    if b"\0" in text:
        raise UnclearError
    codes = np.frombuffer(text.translate(_BLANKS), dtype=np.uint8)
    blank, end = codes == ord(" "), codes == ord("\n")
    keep = ~blank
    keep[1:] |= ~(blank | end)[:-1]  # of blanks, those behind a field
    codes = codes[keep]

    blank, end = codes == ord(" "), codes == ord("\n")
    keep = np.empty(len(codes), dtype=bool)
    keep[:1] = ~end[:1]
    keep[1:] = ~(end[1:] & end[:-1])  # no line without fields
    keep[:-1] &= ~(blank[:-1] & end[1:])  # no blank behind the last field
    lines = codes[keep].tobytes()
    return _COMMENT.sub(b"", lines) if b"#" in lines else lines
