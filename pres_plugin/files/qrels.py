"""Read judgements, reduced to what the measures need, or as dicts."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import polars as pl

from pres_plugin.files import parquet, trec
from pres_plugin.files.dicts import Dicts, to_dicts
from pres_plugin.files.disk import on_disk
from pres_plugin.files.folders import parquet_parts
from pres_plugin.files.judged import Judged
from pres_plugin.files.rows import RowsError, ScatteredError, numbered, once_each
from pres_plugin.files.text import UnclearError
from pres_plugin.measures import Measure
from pres_plugin.trec import Duplicates, read_qrels

__all__ = ["judged_dicts", "judged_in"]


def judged_in(
    path: str, measures: Sequence[Measure], duplicates: Duplicates, until: ExitStack
) -> Judged:
    """Read the judgements in a file, reduced to what the measures need.

    Parameters
    ----------
    path : str
        A file in TREC's format or Parquet, or a folder ``….parquet`` of such files;
        ``-`` for standard input.
    measures : sequence of Measure
        The measures to score by.
    duplicates : {'error', 'first', 'last'}
        Which judgement to keep when a document occurs twice in a topic.
    until : ExitStack
        When it closes, temporary files are removed.

    Raises
    ------
    TrecFileError, ParquetError
        If the file cannot be read or does not contain judgements.
    """
    if parquet.is_parquet(path):
        try:
            return Judged(_table(path), measures, duplicates)
        except RowsError as error:
            raise parquet.ParquetError(f"{path}: {error.problem}", error.remedy) from None
    file = on_disk(path, until)
    try:
        judged = Judged(trec.qrels_frames(file), measures, duplicates)
        if judged.topics:
            return judged
    except (RowsError, ScatteredError, UnclearError):
        pass
    return Judged(trec.qrels_frame(file, duplicates, path), measures, duplicates)


def judged_dicts(path: str, duplicates: Duplicates, until: ExitStack) -> Dicts:
    """Read the judgements in a file as dicts: the relevance of each document, by topic."""
    if not parquet.is_parquet(path):
        return read_qrels(on_disk(path, until), duplicates, path)
    rows, _ = numbered(_table(path), ["query_id"])
    try:
        rows, _ = once_each(rows, duplicates)
    except RowsError as error:
        raise parquet.ParquetError(f"{path}: {error.problem}", error.remedy) from None
    return to_dicts(rows, "relevance")


def _table(path: str) -> pl.DataFrame:
    """Read judgements from a Parquet file, or from a folder of parts as Spark writes it."""
    folder = Path(path)
    files = parquet_parts(folder) if folder.is_dir() else [parquet.ParquetFile(path)]
    return parquet.qrels_frame(path, files)
