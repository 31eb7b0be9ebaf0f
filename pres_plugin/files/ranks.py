"""Read the judgements in files, and rank the runs in files."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from pres_plugin.measures import Measure, MeasureError
from pres_plugin.measures.parsing import check_sizes
from pres_plugin.messages import InputError
from pres_plugin.ranking.judgements import Judgements, least_relevance
from pres_plugin.ranking.scores import RunRanks
from pres_plugin.ranking.tables import judgements_of, rank_runs
from pres_plugin.tables.file_sets import FileSet
from pres_plugin.tables.run_files import RunFiles
from pres_plugin.tables.threads import in_order


def read_judgements(
    files: RunFiles, measures: Sequence[Measure], *, with_dicts: bool = False
) -> Judgements:
    """Read the judgements; raise an InputError if they are wrong, or if N is too small.

    Raise a MeasureError if N is missing. `with_dicts` states whether measures of other packages
    need all judgements as dicts.
    """
    sizes = files.sources.collection_sizes
    check_sizes(measures, sizes)
    least = least_relevance(measure.document_choice for measure in measures)
    judged = files.qrels.read(lambda found: judgements_of(found, least, with_dicts=with_dicts))
    if sizes:
        judged.n_docs = sizes.of(judged.topics, measures)
    for measure in measures:
        try:
            judged.check_collection(measure)
        except MeasureError as error:
            raise InputError(f"{files.qrels.path}: {error}") from None
    return judged


def rank_files(
    files: RunFiles, judged: Judgements, *, with_dicts: bool = False
) -> Generator[RunRanks, None, None]:
    """Yield each run in the files, in order and ranked, or raise an InputError.

    `with_dicts` states whether measures of other packages need the runs as dicts.
    """

    def rank(runs: FileSet) -> list[RunRanks]:
        return runs.read(
            lambda found: rank_runs(found, judged, runs.called, runs.name, with_dicts=with_dicts)
        )

    def named() -> Iterator[RunRanks]:
        for runs, found in zip(files.files, in_order(rank, files.files, FileSet.stop), strict=True):
            for run in found:
                if runs.has_runs:
                    files.check_name(run.name, run.where)
                yield run

    yield from judged.with_common_topics(named())
