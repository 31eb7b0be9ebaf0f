"""Read runs and judgements in any of the formats as dicts of dicts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from pres_plugin.messages import some
from pres_plugin.ranking.tables import Dicts
from pres_plugin.tables.base import Duplicates, Grades, Parts, Reading
from pres_plugin.tables.columns import given_names
from pres_plugin.tables.recognition import check_opened
from pres_plugin.tables.run_files import judged, selected


def read_qrels(
    path: str | os.PathLike[str],
    duplicates: Duplicates = "error",
    name: str | None = None,
    *,
    format: str | None = None,
    sheet: str | None = None,
    columns: Mapping[str, str | int | Iterable[str]] | None = None,
    topics_in: Parts | None = None,
    grades: Grades | None = None,
    all_relevant: bool = False,
) -> dict[str, dict[str, int]]:
    """Read judgements in any of the file formats.

    .. versionadded:: 0.2.0

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
    sheet : str, optional
        The sheet of a workbook; the first one if not given.
    columns, topics_in, grades, all_relevant : optional
        Which columns are read, which parts are topics, and what relevances are, as in
        :func:`pres_plugin.files.score`.

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
        If `duplicates`, `format`, `topics_in` or a key of `columns` is none of the possible
        values.

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
    how = (format, sheet, given_names(columns), duplicates, None, topics_in)
    return _dicts(path, name, Reading("relevance", *how, None, grades, all_relevant))


def read_run(
    path: str | os.PathLike[str],
    duplicates: Duplicates = "error",
    name: str | None = None,
    *,
    format: str | None = None,
    run: str | None = None,
    sheet: str | None = None,
    columns: Mapping[str, str | int | Iterable[str]] | None = None,
    topics_in: Parts | None = None,
) -> dict[str, dict[str, float]]:
    """Read a run in any of the file formats.

    As in trec_eval, documents are ordered by their scores. In TREC's format, ranks and the order
    of the lines are ignored. If a file contains ranked lists, or ranks without scores, documents
    get scores that decrease from rank to rank.

    .. versionadded:: 0.2.0

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
    run : str, optional
        The run to read, if the file contains several.
    sheet : str, optional
        The sheet of a workbook; the first one if not given.
    columns, topics_in : optional
        Which columns are read, and which parts are topics, as in :func:`pres_plugin.files.score`.

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
        If `duplicates`, `format`, `topics_in` or a key of `columns` is none of the possible
        values.

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
    how = (format, sheet, given_names(columns), duplicates, None, topics_in)
    return _dicts(path, name, Reading("score", *how), run)


def _dicts(
    path: str | os.PathLike[str], name: str | None, reading: Reading, run: str | None = None
) -> Dicts:
    """Return the judgements or a run in a file, or in a folder of its parts."""
    with reading.temporary_files:
        found = judged(os.fspath(path), reading, name)
        check_opened(found.files)
        if run is not None:
            [found] = selected([found], (run,))
        elif found.has_runs and len(names := found.run_names()) > 1:
            raise found.files[0].error(
                f"the file contains several runs; set run to one of {some(names, 20)}"
            )
        return found.dicts()
