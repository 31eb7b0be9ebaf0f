"""Read runs and judgements in any of the formats as dicts of dicts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

from pres_plugin.messages import some
from pres_plugin.tables.base import DataFile, Duplicates, Reading
from pres_plugin.tables.columns import given_names
from pres_plugin.tables.copies import on_disk
from pres_plugin.tables.file_sets import FileSet
from pres_plugin.tables.recognition import check_asked, open_file
from pres_plugin.tables.run_files import runs_of, selected


def read_qrels(
    path: str | os.PathLike[str],
    duplicates: Duplicates = "error",
    name: str | None = None,
    *,
    format: str | None = None,
    topic_field: str | None = None,
    qrels_field: str | None = None,
    sheet: str | None = None,
    columns: Mapping[str, str | Iterable[str]] | None = None,
) -> dict[str, dict[str, int]]:
    """Read judgements in any of the file formats.

    Parameters
    ----------
    path : str or path
        A file, compressed with gzip or not; ``-`` for standard input.
    duplicates : {'error', 'first', 'last', 'highest'}, default 'error'
        Which judgement to keep when a document occurs twice in a topic, or whether to raise.
    name : str, optional
        The file's name in errors; its path if not given.
    format : str, optional
        The file's format. By default, it is recognised from the content, then from the name.
    topic_field : str, optional
        The field of JSON lines that contains the topic's id, if it is not ``query_id``.
    qrels_field : str, optional
        The field of JSON lines that contains the relevant documents, as a list of ids or as an
        object with the relevance of each document.
    sheet : str, optional
        The sheet of a workbook; the first one if not given.
    columns : dict of str to str, optional
        The names of columns of tables, as in :func:`pres_plugin.files.score`.

    Returns
    -------
    dict of str to dict of str to int
        The relevance of each judged document, by topic, in the file's order.

    Raises
    ------
    InputError
        If the file cannot be read or is empty, or if its content is wrong. The message names
        the file, and the line or the topic and document.
    ImportError
        If the format needs a package that is not installed.
    ValueError
        If `duplicates`, `format` or a key of `columns` is not one of the possible values.

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> from pres_plugin.files import read_qrels
    >>> with NamedTemporaryFile(suffix=".qrels") as file:
    ...     _ = file.write(b"patent-1 0 EP1 1")
    ...     file.flush()
    ...     read_qrels(file.name)
    {'patent-1': {'EP1': 1}}
    """
    names = given_names(columns)
    reading = Reading(format, topic_field, qrels_field, sheet, names, duplicates)
    with _opened(path, name, reading) as file:
        return FileSet(file.name, "relevance", (file,), reading).dicts()


def read_run(
    path: str | os.PathLike[str],
    duplicates: Duplicates = "error",
    name: str | None = None,
    *,
    format: str | None = None,
    topic_field: str | None = None,
    run: str | None = None,
    sheet: str | None = None,
    columns: Mapping[str, str | Iterable[str]] | None = None,
) -> dict[str, dict[str, float]]:
    """Read a run in any of the file formats.

    As in trec_eval, documents are ordered by their scores. In TREC's format, ranks and the order
    of the lines are ignored. If a file contains ranked lists, or ranks without scores, documents
    get scores that decrease from rank to rank.

    Parameters
    ----------
    path : str or path
        A file, compressed with gzip or not; ``-`` for standard input.
    duplicates : {'error', 'first', 'last', 'highest'}, default 'error'
        Which score to keep when a document occurs twice in a topic, or whether to raise.
    name : str, optional
        The file's name in errors; its path if not given.
    format : str, optional
        The file's format. By default, it is recognised from the content, then from the name.
    topic_field : str, optional
        The field of JSON lines that contains the topic's id, if it is not ``query_id``.
    run : str, optional
        The run to read, if the file contains several.
    sheet : str, optional
        The sheet of a workbook; the first one if not given.
    columns : dict of str to str, optional
        The names of columns of tables, as in :func:`pres_plugin.files.score`.

    Returns
    -------
    dict of str to dict of str to float
        The score of each retrieved document, by topic, in the file's order.

    Raises
    ------
    InputError
        If the file cannot be read or is empty, or if its content is wrong. The message names
        the file, and the line or the topic and document.
    ImportError
        If the format needs a package that is not installed.
    ValueError
        If `duplicates`, `format` or a key of `columns` is not one of the possible values.

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> from pres_plugin.files import read_run
    >>> with NamedTemporaryFile(suffix=".run") as file:
    ...     _ = file.write(b"patent-1 Q0 EP1 1 9.5 bm25")
    ...     file.flush()
    ...     read_run(file.name)
    {'patent-1': {'EP1': 9.5}}
    """
    reading = Reading(format, topic_field, None, sheet, given_names(columns), duplicates)
    with _opened(path, name, reading) as file:
        runs = runs_of(file)
        if run is not None:
            [runs] = selected([runs], (run,))
        elif runs.has_runs and len(names := runs.run_names()) > 1:
            raise file.error(f"the file contains several runs; set run to one of {some(names, 20)}")
        return runs.dicts()


@contextmanager
def _opened(path: str | os.PathLike[str], name: str | None, reading: Reading) -> Iterator[DataFile]:
    path = os.fspath(path)
    with ExitStack() as temporary_files:
        file = open_file(on_disk(path, temporary_files), name or path, reading)
        check_asked(reading, [file])
        yield file
