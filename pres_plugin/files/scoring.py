"""Score runs in files, which may be larger than memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from pres_plugin.files.run_files import RunFiles
from pres_plugin.files.runs import Runs
from pres_plugin.files.scores import AnyJudgements, RunScores
from pres_plugin.files.sources import Sources
from pres_plugin.files.tables import are_small, judgement_table
from pres_plugin.forked import check_fork
from pres_plugin.formats.base import Duplicates, FileError, Reading, check_duplicates
from pres_plugin.formats.reading import check_format
from pres_plugin.measures import Measure
from pres_plugin.measures.parsing import parse_all

if TYPE_CHECKING:
    import polars as pl

    from pres_plugin.files.judgements import JudgedTopics
    from pres_plugin.files.run_ranks import RunRanks

Path = str | os.PathLike[str]


def score(
    qrels: Path,
    runs: Path | Iterable[Path],
    measures: Any,
    *,
    duplicates: Duplicates = "error",
    qrels_format: str | None = None,
    run_format: str | None = None,
    topic_field: str | None = None,
    qrels_field: str | None = None,
    run_names: str | Iterable[str] = (),
) -> pl.DataFrame:
    r"""Score runs in files that may be larger than memory.

    Files may be in TREC's formats, JSON, JSON lines, CSV, TSV, Parquet or ASReview's format,
    compressed with gzip or not. They are read in pieces, and each core reads one file at
    a time. Each file needs memory for one piece and for its largest topic. If the rows of a topic
    are not contiguous, the run is read into memory as a whole. ``pres-eval score`` scores
    in the same way.

    Parameters
    ----------
    qrels : str or path
        The judgements: a file, or a folder of Parquet files whose names end in ``.parquet``.
        ``-`` stands for standard input.
    runs : str or path, or iterable of them
        Files, or folders of runs. In a folder, each file is a run. A folder called
        ``run=NAME`` is one run in many Parquet files. Parquet files with a column `run` and
        MTEB's predictions contain several runs.
    measures : str, Measure, or iterable of them
        PRES@k, PRES_est@k, Rnorm(N=...), WSS(N=...)@R, TNR(N=...)@R, LastRel, AP, AP@k
        and R@k, optionally with ``rel`` and ``judged_only``.
    duplicates : {'error', 'first', 'last'}, default 'error'
        Which row to keep when a document occurs twice in a topic, or whether to raise.
    qrels_format, run_format : str, optional
        The format of the judgements and of all runs. By default, each file's format is
        recognised from its content, then from its name.
    topic_field : str, optional
        The field of JSON lines that contains the topic's id, if it is not ``query_id``.
    qrels_field : str, optional
        The field of JSON lines of judgements that contains the relevant documents.
    run_names : str or iterable of str, optional
        The runs to score in files that contain several. By default, all of them are scored.

    Returns
    -------
    polars.DataFrame
        Columns `run`, `query_id`, `measure` (String) and `value` (Float64): one row per
        run, judged topic and measure. Runs are in the order of the paths, topics in the
        order of the judgements, and measures in the given order. Judged topics that a run
        lacks score 0; topics of the run that are not judged are left out. A run's name is
        its file name, with folders added where file names coincide.

    Raises
    ------
    FileError
        If a file is missing or its content is wrong, if two runs have the same name or a
        run has no judged topic, or if more documents of a topic were retrieved or are relevant
        than a measure's N. The message names the file, and the line or the topic and document.
    MeasureError
        If a measure is unknown, lacks a parameter, or depends on more than the ranks of the
        relevant documents. Use ir-measures for such measures.
    ValueError
        If `duplicates` is not one of the values above, or a format does not exist.
    RuntimeError
        If this process was forked from one that had used polars.

    See Also
    --------
    pres_plugin.frames.score : Score runs in dataframes.

    Notes
    -----
    Documents are ranked as in trec_eval: by their scores as 32-bit floats, and by id,
    descending, if scores are equal.

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
    bm25.run q1 PRES@10 0.45
    bm25.run q1 AP 0.25
    """
    import polars as pl

    check_fork()
    check_duplicates(duplicates)
    check_format(qrels_format)
    check_format(run_format)
    asked = parse_all(measures)
    paths = [runs] if isinstance(runs, str | os.PathLike) else runs
    sources = Sources(
        os.fspath(qrels),
        tuple(os.fspath(path) for path in paths),
        duplicates,
        Reading(qrels_format, topic_field, qrels_field),
        Reading(run_format, topic_field),
        (run_names,) if isinstance(run_names, str) else tuple(run_names),
    )
    with ExitStack() as until:
        files = RunFiles(sources, until)
        judged = judgements_for(files, sources, asked, until)
        rows = [
            (run.name, query_id, measure, run.values[measure][query_id])
            for of_file in score_files(files, judged, duplicates)
            for run in of_file
            for query_id in judged.topics
            for measure in map(str, asked)
        ]
    types = {"run": pl.String, "query_id": pl.String, "measure": pl.String, "value": pl.Float64}
    return pl.DataFrame(rows, schema=types, orient="row")


def judgements_for(
    files: RunFiles, sources: Sources, measures: list[Measure], until: ExitStack
) -> AnyJudgements:
    """Read the judgements, without polars if all files together are small.

    Raise a FileError if they cannot be read. Temporary files, such as a copy of standard input,
    are deleted when `until` is closed.
    """
    table = judgement_table(sources.qrels, until, sources.qrels_reading)
    if are_small([table, *files.files]):
        from pres_plugin.files.small import JudgedDicts

        return JudgedDicts(table, measures, sources.duplicates)
    from pres_plugin.files.judgements import judged_topics

    return judged_topics(table, measures, sources.duplicates)


def score_files(
    files: RunFiles, judged: AnyJudgements, duplicates: Duplicates
) -> Iterator[list[RunScores]]:
    """Yield the scores of the runs in each file, in order, or raise a FileError."""
    results = judged.scores_of(files.files, duplicates)
    for runs, found in zip(files.files, results, strict=True):
        for run in found:
            _check(run, runs, files, judged)
            if run.problem is not None:
                raise FileError(f"{runs.called(run.name)}: {run.problem}")
        yield found


def rank_files(
    files: RunFiles, judged: JudgedTopics, duplicates: Duplicates
) -> Iterator[list[RunRanks]]:
    """Yield the ranks of the runs in each file, in order, or raise a FileError."""
    from pres_plugin.files.parallel import in_order

    results = in_order(lambda runs: runs.ranks(judged, duplicates), files.files)
    for runs, found in zip(files.files, results, strict=True):
        for run in found:
            _check(run, runs, files, judged)
        yield found


def _check(run: RunScores | RunRanks, runs: Runs, files: RunFiles, judged: AnyJudgements) -> None:
    """Raise a FileError if another run has the same name, or if no topic is judged."""
    files.check_name(runs, run.name)
    runs.check_topics(run.name, run.topics, judged.topics)
