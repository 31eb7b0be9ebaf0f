"""Score runs in files, which may be larger than memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import polars as pl

from pres_plugin.files.ranks import rank_files, read_judgements
from pres_plugin.forked import check_fork
from pres_plugin.measures import Measure, MeasureError
from pres_plugin.measures.parsing import parse_all, parse_sized
from pres_plugin.messages import InputError
from pres_plugin.tables.base import Duplicates, Grades, Parts, Reading
from pres_plugin.tables.collection_sizes import CollectionSizes
from pres_plugin.tables.columns import given_names
from pres_plugin.tables.run_files import RunFiles
from pres_plugin.tables.sources import Sources
from pres_plugin.unmatched import warn

Path = str | os.PathLike[str]


def score(
    qrels: Path,
    runs: Path | Iterable[Path] | Mapping[str, Path],
    measures: Any,
    *,
    duplicates: Duplicates = "error",
    qrels_format: str | None = None,
    run_format: str | None = None,
    run_names: str | Iterable[str] = (),
    sheet: str | None = None,
    qrels_sheet: str | None = None,
    columns: Mapping[str, str | int | Iterable[str]] | None = None,
    topics_in: Parts | None = None,
    grades: Grades | None = None,
    all_relevant: bool = False,
    families: Mapping[str, str] | Path | None = None,
    collection_sizes: Mapping[str, int] | None = None,
) -> pl.DataFrame:
    r"""Score runs in files that may be larger than memory.

    Files may be in TREC's formats, JSON, JSON lines, CSV, TSV, Excel, Parquet or ASReview's format.
    Text files may be compressed with gzip. Files are read in pieces, and each core reads one file
    at a time. Each file needs memory for a few pieces and for its largest topic. JSON files,
    workbooks, and runs in which the rows of a topic are not contiguous are read as a whole.
    ``pres-eval score`` scores in the same way.

    .. versionadded:: 0.2.0

    Parameters
    ----------
    qrels : str or path
        The judgements: a file, or a folder of Parquet files whose names end in ``.parquet``.
        ``-`` stands for standard input.
    runs : str or path, iterable of them, or mapping of str to them
        Files, or folders of runs. A mapping contains the path of each run by its name. In a
        folder, each file is a run. A folder called
        ``run=NAME`` is one run in many Parquet files. Tables with a column `run`, and MTEB's
        predictions, may contain several runs.
    measures : str, Measure, or iterable of them
        Any measures of ``pres_plugin.measures``, such as ``"PRES@100"`` and ``"AP(rel=2)"``.
    duplicates : {'error', 'first', 'last', 'highest'}, default 'error'
        Which row to keep when a document occurs twice in a topic, or whether to raise.
    qrels_format, run_format : str, optional
        The format of the judgements and of all runs. By default, each file's format is
        recognised from its content, then from its name.
    run_names : str or iterable of str, optional
        The runs to score in files that contain several. By default, all of them are scored.
    sheet : str, optional
        The sheet to read in workbooks. By default, the first one is read.
    qrels_sheet : str, optional
        The sheet to read in the workbook of the judgements. By default, it is `sheet`.
    columns : dict of str to str or int, optional
        The names of columns in tables and of fields in JSON, as in
        ``{"doc_id": "Publication Number", "run": "Tool"}``. Keys are ``query_id``, ``doc_id``,
        ``relevance``, ``score``, ``rank``, ``run`` and ``family``. A value may also be a list of
        names. Each file is read with those of the names that it contains. In a table whose first
        row names no columns, whole numbers are positions: ``{"query_id": 1, "doc_id": 2}``.
    topics_in : {'files', 'sheets'}, optional
        Whether each file of a folder, or each sheet of a workbook, is a topic that is called after
        it. `qrels` and each of the `runs` may be such a folder or workbook. By default, the rows
        name their topics. If they do not, in any file, all rows belong to one topic.
    grades : dict of str to int or None, optional
        The relevance that each word in the judgements means; None if the document is
        unjudged. By default, words such as ``included``, ``yes`` and ``true`` mean 1, and their
        opposites 0. A document without a relevance is unjudged, too.
    all_relevant : bool, default False
        Whether all documents in the judgements are relevant, whatever other columns contain.
    families : dict of str to str, 'publications' or path, optional
        Fold documents into families, as :func:`pres_plugin.families.fold` does. A file has the
        columns `doc_id` and `family`.
    collection_sizes : dict of str to int, optional
        N for each topic, if each has a collection of its own. It must contain all judged topics.
        Measures without N, such as ``"Rnorm"`` and ``"WSS@0.95"``, use it.

    Returns
    -------
    polars.DataFrame
        Columns `run`, `query_id`, `measure` (String) and `value` (Float64): one row per
        run, judged topic and measure. Runs are in the order of the paths, topics in the
        order of the judgements, and measures in the given order. Judged topics that a run
        lacks score 0 or, by Effort, N; topics of the run that are not judged are left out. Unless
        `runs` is a mapping, a run's name is its file name without the endings of formats, such as
        ``.run`` and ``.csv.gz``. Where these names coincide, folders are added.

    Raises
    ------
    InputError
        If a file is missing or its content is wrong, if two runs have the same name, if no topic
        of any run is judged, if more documents of a topic were retrieved or are relevant
        than N, or if `collection_sizes` lacks a judged topic, contains an invalid N for it, or is
        not used. The message names the file, and the line or the topic and document.
    MeasureError
        If a measure is unknown, lacks a parameter, or depends on more than the ranks of the
        relevant documents. Use ir-measures for such measures.
    ValueError
        If `duplicates` or a key of `columns` is not one of the values above, a format does not
        exist, or `topics_in` is not one of the values above.
    TypeError
        If a path or the name of a run is not one, or if `families` or `collection_sizes` is not a
        mapping of strings to strings or numbers.
    ImportError
        If a format needs a package that is not installed, such as fastexcel.
    RuntimeError
        If this process was forked from one that had scored with polars.

    Warns
    -----
    UnmatchedIdsWarning
        If a run contains ids of judged documents in another form, such as with blanks, if no
        judged document was retrieved in five topics or more, or if no topic of the run is judged,
        while those of other runs are.

    See Also
    --------
    pres_plugin.frames.score : Score runs in dataframes.

    Notes
    -----
    Documents are ranked as in trec_eval: by their scores as 32-bit floats, and by id,
    descending, if scores are equal.

    Several threads may call this function at once.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from pres_plugin.files import score
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     qrels, run = Path(folder, "qrels"), Path(folder, "bm25.run")
    ...     _ = qrels.write_text("q1 0 EP1 1\nq1 0 EP2 1\n")
    ...     _ = run.write_text("q1 Q0 EP3 1 3.2 t\nq1 Q0 EP1 2 2.9 t\nq1 Q0 EP7 3 1.4 t\n")
    ...     scores = score(qrels, run, ["PRES@10", "AP"])
    >>> for row in scores.rows():
    ...     print(*row)
    bm25 q1 PRES@10 0.45
    bm25 q1 AP 0.25
    """
    check_fork()
    sizes = None
    if collection_sizes is not None:
        if not isinstance(collection_sizes, Mapping):
            raise TypeError(f"collection_sizes must map topics to N, got {collection_sizes!r:.60}")
        sizes = CollectionSizes("collection_sizes", collection_sizes)
    asked = parse_all(measures, parse_sized)
    named: Iterable[tuple[str | None, Path]]
    if isinstance(runs, Mapping):
        for name in runs:
            if not isinstance(name, str):
                raise TypeError(f"runs: the name of a run must be a string, got {name!r:.60}")
        named = runs.items()
    else:
        named = ((None, path) for path in ([runs] if isinstance(runs, str | os.PathLike) else runs))
    if isinstance(families, os.PathLike):
        families = os.fspath(families)
    how = (run_format, sheet, given_names(columns), duplicates, families, topics_in, None)
    reading = Reading("score", *how, grades, all_relevant)
    sources = Sources(
        _path("qrels", qrels),
        tuple((name, _path("runs", path)) for name, path in named),
        reading,
        *(qrels_format, qrels_sheet),
        (run_names,) if isinstance(run_names, str) else tuple(run_names),
        sizes,
    )
    with reading.temporary_files:
        files = RunFiles(sources)
        judged = read_judgements(files, asked)
        found = []
        for run in rank_files(files, judged):
            warn(run.unmatched)
            try:
                found.append((run.name, judged.scores(run, asked)))
            except MeasureError as error:
                raise InputError(f"{run.where}: {error}") from None
    names = pl.DataFrame({"run": [name for name, _ in found]}, {"run": pl.String})
    return one_row_each(names, judged.topics, asked, [scores for _, scores in found])


def one_row_each(
    runs: pl.DataFrame, topics: Iterable[str], measures: Iterable[Measure], values: Any
) -> pl.DataFrame:
    """Return one row per run, topic and measure, for values of the shape (R, M, T)."""
    rows = runs
    for column, texts in (("query_id", topics), ("measure", map(str, measures))):
        of_column = pl.DataFrame({column: [*texts]}, {column: pl.String})
        rows = rows.join(of_column, how="cross", maintain_order="left_right")
    in_order = [np.transpose(of_run) for of_run in values]
    return rows.with_columns(value=pl.Series(np.array(in_order, dtype=np.float64).ravel()))


def _path(argument: str, path: Any) -> str:
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"{argument}: a path must be a string or a path, got {path!r:.60}")
    return os.fspath(path)
