"""Read runs and qrels in TREC's text formats into dataframes.

The result is the same as that of :mod:`pres_plugin.trec`, but many times as fast. A file
with anything unusual in it is left to that module, which either reads it or reports the
line that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO, cast

import numpy as np
import polars as pl

from pres_plugin.files.dicts import from_dicts
from pres_plugin.files.text import BOM, UnclearError, normalised, pieces
from pres_plugin.trec import (
    Duplicates,
    FileChangedError,
    TrecFileError,
    opened,
    read_qrels,
    read_run,
)

__all__ = ["PIECE", "qrels_frame", "qrels_frames", "run_frame", "run_frames"]

#: Roughly how many bytes of text to parse at once, initially.
PIECE = 1 << 20

_QRELS: dict[str, Any] = {
    "query_id": pl.String,
    "iteration": pl.String,
    "doc_id": pl.String,
    "relevance": pl.Int64,
}
_RUN: dict[str, Any] = {
    "query_id": pl.String,
    "q0": pl.String,
    "doc_id": pl.String,
    "rank": pl.String,
    "score": pl.Float64,
    "tag": pl.String,
}


def run_frames(path: str) -> Iterator[pl.DataFrame]:
    """Read the lines of a run, piece by piece.

    Parameters
    ----------
    path : str
        A file, compressed or not.

    Yields
    ------
    DataFrame
        Columns `query_id`, `doc_id` (String) and `score` (Float64).

    Raises
    ------
    UnclearError
        If only :func:`run_frame` can read the file or report what is wrong with it.
    FileChangedError
        If the file was written to while it was read.
    """
    return _frames(path, _RUN, ["query_id", "doc_id", "score"])


def run_frame(path: str, duplicates: Duplicates, name: str | None = None) -> pl.DataFrame:
    """Read a run line by line, checking everything.

    Parameters
    ----------
    path : str
        A file, compressed or not.
    duplicates : {'error', 'first', 'last'}
        Which line to keep when a document occurs twice in a topic.
    name : str, optional
        The file's name in errors; its path if not given.

    Raises
    ------
    TrecFileError
        As :func:`pres_plugin.trec.read_run` does.
    """
    return from_dicts(read_run(path, duplicates, name), "score", pl.Float64)


def qrels_frames(path: str) -> Iterator[pl.DataFrame]:
    """Read the lines of judgements, piece by piece.

    Parameters
    ----------
    path : str
        A file, compressed or not.

    Yields
    ------
    DataFrame
        Columns `query_id`, `doc_id` (String) and `relevance` (Int64).

    Raises
    ------
    UnclearError
        If only :func:`qrels_frame` can read the file or report what is wrong with it.
    FileChangedError
        If the file was written to while it was read.
    """
    return _frames(path, _QRELS, ["query_id", "doc_id", "relevance"])


def qrels_frame(path: str, duplicates: Duplicates, name: str | None = None) -> pl.DataFrame:
    """Read judgements line by line, checking everything.

    Parameters
    ----------
    path : str
        A file, compressed or not.
    duplicates : {'error', 'first', 'last'}
        Which line to keep when a document occurs twice in a topic.
    name : str, optional
        The file's name in errors; its path if not given.

    Raises
    ------
    TrecFileError
        As :func:`pres_plugin.trec.read_qrels` does.
    """
    return from_dicts(read_qrels(path, duplicates, name), "relevance", pl.Int64)


def _frames(path: str, schema: dict[str, Any], columns: list[str]) -> Iterator[pl.DataFrame]:
    try:
        with opened(path) as file:
            parser = _Parser(schema, columns)
            for text in pieces(cast(BinaryIO, file), PIECE):
                frame = parser.parsed(text)
                if not frame.is_empty():
                    yield frame
    except FileChangedError:
        raise
    except TrecFileError:
        raise UnclearError from None


class _Parser:
    """Splits text into columns, and remembers which white space the file uses."""

    def __init__(self, schema: dict[str, Any], columns: list[str]) -> None:
        self._schema = schema
        self._columns = columns
        # The last field is read only to check that every line has it.
        self._read = [*columns, last] if (last := list(schema)[-1]) not in columns else columns
        self._separator: bytes | None = None
        self._is_plain = True

    def parsed(self, text: bytes) -> pl.DataFrame:
        if self._separator is None:
            first = text[: text.find(b"\n")]
            self._separator = b"\t" if b"\t" in first and b" " not in first else b" "
        if self._is_plain:
            frame = self._from_plain(text)
            if frame is not None:
                return frame
            self._is_plain = False
        return self._from_any(text)

    def _from_plain(self, text: bytes) -> pl.DataFrame | None:
        """Return the frame if each line is fields with single separators only; otherwise None."""
        codes = np.frombuffer(text, dtype=np.uint8)
        white = codes <= ord(" ")
        n_lines, odd = divmod(int(np.count_nonzero(white)), len(self._schema))
        if odd or white[0] or (white[1:] & white[:-1]).any() or _may_have_comments(text):
            return None
        try:
            return self._split(text, self._separator or b" ", n_lines)
        except UnclearError:
            return None

    def _from_any(self, text: bytes) -> pl.DataFrame:
        lines = normalised(text)
        if not lines:
            return pl.DataFrame()
        n_lines, odd = divmod(lines.count(b" ") + lines.count(b"\n"), len(self._schema))
        if odd:
            raise UnclearError
        return self._split(lines, b" ", n_lines)

    def _split(self, lines: bytes, separator: bytes, n_lines: int) -> pl.DataFrame:
        """Return the columns of `n_lines` lines, in which one white character ends each field.

        Polars fills missing fields with null and drops extra ones. The white space is
        enough for exactly `n_lines` lines. So if `n_lines` lines have a last field, no
        line has a field too many.
        """
        if lines.startswith(BOM):  # Polars would drop it
            raise UnclearError
        try:
            frame = pl.read_csv(
                lines,
                has_header=False,
                separator=separator.decode(),
                quote_char=None,
                schema=self._schema,
                columns=[list(self._schema).index(name) for name in self._read],
            )
        except pl.exceptions.PolarsError:
            raise UnclearError from None
        if frame.height != n_lines or any(column.null_count() for column in frame):
            raise UnclearError
        return frame.select(self._columns)


def _may_have_comments(text: bytes) -> bool:
    return text.startswith(b"#") or (b"#" in text and b"\n#" in text)
