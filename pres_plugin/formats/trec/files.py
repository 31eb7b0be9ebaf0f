"""Read runs and qrels in TREC's text formats, as trec_eval reads them.

Fields are separated by any white space; blank lines and lines that begin with ``#`` are
skipped; files may be compressed with gzip. A line may be up to 1 MiB long. Input that
trec_eval would silently misread, such as a document id that contains a blank, raises an
error that names the file and the line.

:class:`TrecFile` reads a file in pieces with :mod:`.pieces`, which is many times faster.
A file that contains anything unusual is read line by line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import TYPE_CHECKING, Any

from pres_plugin.formats.base import DataFile, Duplicates, FileError, Value
from pres_plugin.formats.dicts import Dicts, Topics, from_dicts
from pres_plugin.formats.input.lines import LONGEST_LINE, numbered
from pres_plugin.formats.input.opening import opened, shown_as
from pres_plugin.formats.numbers import relevance_of, score_of
from pres_plugin.remedy import RemediedError

if TYPE_CHECKING:
    import polars as pl


def looks_like_trec(start: bytes) -> bool:
    """Return whether the first line of a file is a line of a run or of qrels."""
    for line in BytesIO(start):
        if (fields := line.split()) and not fields[0].startswith(b"#"):
            return any(
                len(fields) == len(names) and _is_number(fields[at])
                for names, at, _ in _LINES.values()
            )
    return False


class TrecFile(DataFile):
    """Judgements or a run in TREC's text format, compressed or not."""

    works_without_polars: bool = True

    def pieces(self, value: Value) -> Iterator[pl.DataFrame]:
        """Yield the lines in pieces, or raise an UnclearError for unusual ones."""
        from pres_plugin.formats.trec.pieces import pieces_of

        is_empty = True
        for frame in pieces_of(self.path, self.name, value):
            is_empty = False
            yield frame
        if is_empty:  # reading line by line would not find any rows either
            raise empty(self.name)

    def carefully(self, value: Value, duplicates: Duplicates) -> pl.DataFrame:
        """Read the file line by line."""
        return from_dicts(self.dicts(value, duplicates), value)

    def dicts(self, value: Value, duplicates: Duplicates, run: str | None = None) -> Dicts:
        """Read the file line by line."""
        names, value_at, number = _LINES[value]
        shown = shown_as(self.name)
        topics = Topics(duplicates)
        with opened(self.path, self.name) as file:
            for i, line in numbered(file):
                try:
                    fields = _fields(line, names)
                    if fields:
                        found = number(fields[value_at])
                        doc_id = fields[2].decode()
                        topics.add(fields[0].decode(), doc_id, found)
                except UnicodeDecodeError:
                    raise FileError(f"{shown}, line {i}: this is not UTF-8 text") from None
                except RemediedError as error:
                    raise FileError(f"{shown}, line {i}: {error.problem}", error.remedy) from None
        if not topics.dicts:
            raise empty(self.name)
        return topics.dicts


def _fields(line: bytes, names: tuple[str, ...]) -> list[bytes]:
    """Return the fields of a line, which have these names; none for a blank line or a comment."""
    if b"\0" in line:
        raise RemediedError("this is a binary file, not text")
    if len(line) > LONGEST_LINE:
        raise RemediedError(f"a line may be at most {LONGEST_LINE:,} bytes long")
    fields = line.split()
    if not fields or fields[0].startswith(b"#"):
        return []
    if len(fields) != len(names):
        line.decode()  # a wrong encoding is reported first
        expected = f"{len(names)} fields ({', '.join(names)})"
        raise RemediedError(f"expected {expected}, got {len(fields)}")
    return fields


def empty(name: str) -> FileError:
    """Return the error for a file without rows, which the message calls `name`."""
    return FileError(f"{shown_as(name)}: the file is empty")


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


# For judgements and runs: the names of a line's fields, the position of the number, and how to
# read it.
_LINES: dict[Value, tuple[tuple[str, ...], int, Callable[[bytes], Any]]] = {
    "relevance": (("topic", "iteration", "document", "relevance"), 3, relevance_of),
    "score": (("topic", "Q0", "document", "rank", "score", "tag"), 4, score_of),
}
