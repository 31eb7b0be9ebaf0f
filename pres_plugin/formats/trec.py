"""Read runs and qrels in TREC's text formats, as trec_eval reads them.

Fields are separated by any white space; blank lines and lines that begin with ``#`` are
skipped; files may be compressed with gzip. Input that trec_eval would silently misread,
such as a document id that contains a blank, raises an error that names the file and the
line.
"""

from __future__ import annotations

import gzip
import math
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from io import BufferedIOBase, BufferedReader
from pathlib import Path
from typing import TypeVar, cast

from pres_plugin.formats.base import (
    CHANGED,
    Duplicates,
    FileError,
    check_duplicates,
    os_errors,
    state_of,
)
from pres_plugin.remedy import KEEP_ONE, Remedy

_Number = TypeVar("_Number", int, float)


def read_qrels(
    path: str, duplicates: Duplicates = "error", name: str | None = None
) -> dict[str, dict[str, int]]:
    """Read judgements: lines of topic, iteration, document and relevance.

    Parameters
    ----------
    path : str
        A file, compressed or not; ``-`` for standard input.
    duplicates : {'error', 'first', 'last'}, default 'error'
        Which judgement to keep when a document occurs twice in a topic, if any.
    name : str, optional
        The file's name in errors; its path if not given.

    Returns
    -------
    dict of str to dict of str to int
        The relevance of each judged document, by topic, in the file's order.

    Raises
    ------
    FileError
        If the file cannot be read or is empty, or if a line has another form.
    ValueError
        If `duplicates` is none of the values above.

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> from pres_plugin.trec import read_qrels
    >>> with NamedTemporaryFile(suffix=".qrels") as file:
    ...     _ = file.write(b"patent-1 0 EP1 1")
    ...     file.flush()
    ...     read_qrels(file.name)
    {'patent-1': {'EP1': 1}}
    """
    names = ("topic", "iteration", "document", "relevance")
    return _read(path, names, _relevance, duplicates, name or path)


def read_run(
    path: str, duplicates: Duplicates = "error", name: str | None = None
) -> dict[str, dict[str, float]]:
    """Read a run: lines of topic, Q0, document, rank, score and tag.

    As in trec_eval, documents are ordered by their scores. The ranks and the order of the
    lines are ignored.

    Parameters
    ----------
    path : str
        A file, compressed or not; ``-`` for standard input.
    duplicates : {'error', 'first', 'last'}, default 'error'
        Which score to keep when a document occurs twice in a topic, if any.
    name : str, optional
        The file's name in errors; its path if not given.

    Returns
    -------
    dict of str to dict of str to float
        The score of each retrieved document, by topic, in the file's order.

    Raises
    ------
    FileError
        If the file cannot be read or is empty, or if a line has another form.
    ValueError
        If `duplicates` is none of the values above.

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> from pres_plugin.trec import read_run
    >>> with NamedTemporaryFile(suffix=".run") as file:
    ...     _ = file.write(b"patent-1 Q0 EP1 1 9.5 bm25")
    ...     file.flush()
    ...     read_run(file.name)
    {'patent-1': {'EP1': 9.5}}
    """
    names = ("topic", "Q0", "document", "rank", "score", "tag")
    return _read(path, names, _score, duplicates, name or path)


def _read(
    path: str,
    names: tuple[str, ...],
    number: Callable[[bytes], _Number],
    duplicates: Duplicates,
    shown: str,
) -> dict[str, dict[str, _Number]]:
    check_duplicates(duplicates)
    topics: dict[str, dict[str, _Number]] = {}
    value_at = 3 if number is _relevance else 4
    last_topic, docs = b"", {}
    for line, fields in _lines(path, shown):
        if len(fields) != len(names):
            raise _error(shown, _not_fields(fields, names), line)
        try:
            value = number(fields[value_at])
            doc_id = fields[2].decode()
            if fields[0] != last_topic:
                last_topic = fields[0]
                docs = topics.setdefault(last_topic.decode(), {})
        except UnicodeDecodeError:
            raise _error(shown, _NOT_UTF8, line) from None
        except ValueError as error:
            raise _error(shown, str(error), line) from None
        if doc_id in docs:
            if duplicates == "error":
                problem = f"document {doc_id!r} is in topic {last_topic.decode()!r} already"
                raise _error(shown, problem, line, KEEP_ONE)
            if duplicates == "first":
                continue
        docs[doc_id] = value
    if not topics:
        raise _error(shown, "the file is empty")
    return topics


def _lines(path: str, shown: str) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the number and the fields of each line that has any."""
    with opened(path, shown) as file:
        for number, line in enumerate(file, start=1):
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")  # the byte order mark of Windows editors
            if b"\0" in line:
                raise _error(shown, "this is a binary file, not text", number)
            fields = line.split()
            if fields and not fields[0].startswith(b"#"):
                yield number, fields


@contextmanager
def opened(path: str, name: str | None = None) -> Iterator[BufferedIOBase]:
    """Open a file, or standard input for ``-``, decompressed as it is read.

    Raise a FileError, also from the ``with`` statement, if the file cannot be read or was
    written to in the meantime.
    """
    shown = name or path
    with os_errors(shown), buffered(path) as file:
        before = _state(path, file)
        try:
            if file.peek(2)[:2] == b"\x1f\x8b":
                with gzip.open(file) as decompressed:
                    yield decompressed
            else:
                yield file
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise _error(shown, f"the compressed file is damaged ({error})") from None
        if _state(path, file) != before:
            raise _error(shown, CHANGED)


def buffered(path: str) -> AbstractContextManager[BufferedReader]:
    """Open a file, or standard input for ``-``, which is not closed afterwards."""
    if path == "-":
        return nullcontext(cast(BufferedReader, sys.stdin.buffer))
    return Path(path).open("rb")


def _state(path: str, file: BufferedReader) -> tuple[int, ...] | None:
    """Return the state of a file; None for standard input, which is not compared."""
    return None if path == "-" else state_of(file.fileno())


def _relevance(field: bytes) -> int:
    try:
        relevance = int(field)
    except ValueError:
        relevance = None
    if relevance is None or b"_" in field:  # Python reads 1_000 as a number
        raise ValueError(f"the relevance {field.decode(errors='replace')!r} is not a whole number")
    if not _LEAST <= relevance <= _GREATEST:
        raise ValueError(f"a relevance must fit 64 bits, got {relevance}")
    return relevance


def _score(field: bytes) -> float:
    try:
        score = float(field)
    except ValueError:
        score = math.nan
    if b"_" in field or (math.isnan(score) and field.strip(b"+-").lower() != b"nan"):
        raise ValueError(f"the score {field.decode(errors='replace')!r} is not a number")
    if math.isnan(score):
        raise ValueError("the score is NaN, which has no place in an order")
    return score


_LEAST, _GREATEST = -(1 << 63), (1 << 63) - 1

_NOT_UTF8 = "this is not UTF-8 text"


def _not_fields(fields: list[bytes], names: tuple[str, ...]) -> str:
    try:
        b" ".join(fields).decode()
    except UnicodeDecodeError:
        return _NOT_UTF8
    return f"{len(fields)} fields where {len(names)} belong ({', '.join(names)})"


def _error(
    path: str, problem: str, line: int | None = None, remedy: Remedy | None = None
) -> FileError:
    shown = "standard input" if path == "-" else path
    where = shown if line is None else f"{shown}, line {line}"
    return FileError(f"{where}: {problem}", remedy)
