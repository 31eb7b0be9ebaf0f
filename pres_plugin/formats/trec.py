"""Read runs and qrels in TREC's text formats, as trec_eval reads them.

Fields are separated by any white space; blank lines and lines that begin with ``#`` are
skipped; files may be compressed with gzip. A line may have up to 1 MiB. Input that
trec_eval would silently misread, such as a document id that contains a blank, raises an
error that names the file and the line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TypeVar

from pres_plugin.formats.base import Duplicates, FileError, check_duplicates
from pres_plugin.formats.lines import LONGEST_LINE, numbered
from pres_plugin.formats.opening import opened, shown_as
from pres_plugin.remedy import KEEP_ONE, RemediedError, quoted, shortened

_Number = TypeVar("_Number", int, float)
# A sign, zeros, and the remaining digits. Unlike int, it rejects 1_000.
_WHOLE_NUMBER = re.compile(rb"([+-]?)0*([0-9]+)")
_LEAST, _GREATEST = -(1 << 63), (1 << 63) - 1


def read_qrels(
    path: str, duplicates: Duplicates = "error", name: str | None = None
) -> dict[str, dict[str, int]]:
    """Read judgements: lines of topic, iteration, document and relevance.

    Parameters
    ----------
    path : str
        A file, compressed or not; ``-`` for standard input.
    duplicates : {'error', 'first', 'last'}, default 'error'
        Which judgement to keep when a document occurs twice in a topic, or whether to raise.
    name : str, optional
        The file's name in errors; its path if not given.

    Returns
    -------
    dict of str to dict of str to int
        The relevance of each judged document, by topic, in the file's order.

    Raises
    ------
    FileError
        If the file cannot be read or is empty, or if a line is malformed or longer than
        1 MiB.
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
        Which score to keep when a document occurs twice in a topic, or whether to raise.
    name : str, optional
        The file's name in errors; its path if not given.

    Returns
    -------
    dict of str to dict of str to float
        The score of each retrieved document, by topic, in the file's order.

    Raises
    ------
    FileError
        If the file cannot be read or is empty, or if a line is malformed or longer than
        1 MiB.
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
    name: str,
) -> dict[str, dict[str, _Number]]:
    check_duplicates(duplicates)
    shown = shown_as(name)
    topics: dict[str, dict[str, _Number]] = {}
    value_at = 3 if number is _relevance else 4
    last_topic, docs = b"", {}
    with opened(path, name) as file:
        for i, line in numbered(file):
            try:
                if b"\0" in line:
                    raise RemediedError("this is a binary file, not text")
                if len(line) > LONGEST_LINE:
                    raise RemediedError(f"a line may have at most {LONGEST_LINE:,} bytes")
                fields = line.split()
                if not fields or fields[0].startswith(b"#"):
                    continue
                if len(fields) != len(names):
                    line.decode()  # a wrong encoding is reported first
                    expected = f"{len(names)} belong ({', '.join(names)})"
                    raise RemediedError(f"{len(fields)} fields where {expected}")
                value = number(fields[value_at])
                doc_id = fields[2].decode()
                if fields[0] != last_topic:
                    last_topic = fields[0]
                    docs = topics.setdefault(last_topic.decode(), {})
                if doc_id in docs:
                    if duplicates == "error":
                        topic = last_topic.decode()
                        problem = f"document {quoted(doc_id)} is in topic {quoted(topic)} already"
                        raise RemediedError(problem, KEEP_ONE)
                    if duplicates == "first":
                        continue
                docs[doc_id] = value
            except UnicodeDecodeError:
                raise FileError(f"{shown}, line {i}: this is not UTF-8 text") from None
            except RemediedError as error:
                raise FileError(f"{shown}, line {i}: {error.problem}", error.remedy) from None
    if not topics:
        raise empty(name)
    return topics


def empty(name: str) -> FileError:
    """Return the error for a file without rows, which errors call `name`."""
    return FileError(f"{shown_as(name)}: the file is empty")


def _relevance(field: bytes) -> int:
    found = _WHOLE_NUMBER.fullmatch(field)
    if found is None:
        raise RemediedError(f"the relevance {_shown(field)} is not a whole number")
    sign, digits = found.groups()
    relevance = int(sign + digits[:20])  # 20 digits are too many; Python refuses thousands
    if not _LEAST <= relevance <= _GREATEST:
        raise RemediedError(f"a relevance must fit 64 bits, got {shortened(field.decode())}")
    return relevance


def _score(field: bytes) -> float:
    try:
        score = float(field)
    except ValueError:
        score = math.nan
    if b"_" in field or (math.isnan(score) and field.strip(b"+-").lower() != b"nan"):
        raise RemediedError(f"the score {_shown(field)} is not a number")
    if math.isnan(score):
        raise RemediedError("the score is NaN, which has no order")
    return score


def _shown(field: bytes) -> str:
    return quoted(field.decode(errors="replace"))
