"""The judgements and runs that studies accept: in memory, or ranked already from files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from pres_plugin.measures.parsing import check_sizes, ours_and_others
from pres_plugin.messages import InputError, problems_of
from pres_plugin.ranking.checks import check_scores
from pres_plugin.ranking.dicts import rank_run
from pres_plugin.ranking.judgements import Judgements, Qrels, least_relevance
from pres_plugin.ranking.scores import RunRanks
from pres_plugin.study.arguments import Run, checked_items
from pres_plugin.tables.base import Value
from pres_plugin.unmatched import warn

Lists: TypeAlias = Mapping[str, Sequence[str]]
"""The documents of each topic: those of a run best first, or those that are relevant."""


class Frame(Protocol):
    """A dataframe whose columns have the names that :mod:`pres_plugin.frames` knows."""

    @property
    def columns(self) -> Any:
        """The names of the columns."""


AnyQrels: TypeAlias = Qrels | Lists | Frame | Judgements
"""Judgements as studies accept them: in memory, or read from files already."""

AnyRun: TypeAlias = Run | Lists | Frame
"""A run in memory."""

AnyRuns: TypeAlias = Mapping[str, AnyRun] | Iterable[tuple[str, AnyRun] | RunRanks]
"""Runs as studies accept them: a mapping of name to run, or an iterable of pairs of name and run.

An iterable may instead contain runs that are ranked already, as those that are read from files.
"""


def judged(qrels: Any, measures: Iterable[Any] = ()) -> Judgements:
    """Check judgements in any form that studies accept, for studies that compute these measures.

    All documents with a relevance of at least 1 are kept. Raise an InputError if the measures need
    the sizes of the topics' collections, which only judgements in files have.
    """
    if isinstance(qrels, Judgements):
        return qrels
    with problems_of():
        check_sizes(measures, None)
    with problems_of("qrels"):
        dicts: Qrels = _dicts(qrels, "relevance")
        ours, _ = ours_and_others(measures)
        found = Judgements.from_dicts(
            dicts, min(1, least_relevance(each.document_choice for each in ours))
        )
        if not dicts:
            raise ValueError("there are no judgements")
        _check_unicode(dicts)
    return found


def _dicts(data: Any, value: Value) -> Any:
    """Return the values of the documents by topic, from any form that studies accept."""
    if isinstance(data, Mapping):
        return {topic: _in_order(topic, docs, value) for topic, docs in data.items()}
    if hasattr(data, "columns"):
        from pres_plugin.frames.scoring import dicts_of

        return dicts_of(data, value)
    from pres_plugin.adapters.ir_measures.native.dicts import qrels_dicts, run_dicts

    return run_dicts(data) if value == "score" else qrels_dicts(data)


def _in_order(topic: str, docs: Any, value: Value) -> Any:
    """Return scores for a list of documents, best first, or a relevance of 1 for each of them."""
    if not isinstance(docs, list | tuple):
        return docs
    found = {doc_id: 1 if value == "relevance" else -rank for rank, doc_id in enumerate(docs, 1)}
    if len(found) < len(docs):
        raise ValueError(f"topic {topic!r}: a document occurs twice in the list; write it once")
    return found


def _check_unicode(topics: Qrels) -> None:
    """Raise a ValueError if an id cannot be written in UTF-8, as tables and seeds require."""
    for topic, docs in topics.items():
        try:
            "".join((topic, *docs)).encode()
        except UnicodeEncodeError as error:
            raise ValueError(
                f"topic {topic!r}: an id contains {error.object[error.start]!r}, which cannot be "
                "written in UTF-8; remove the surrogates from the ids"
            ) from None


def ranked_runs(judged: Judgements, runs: Any) -> Iterator[RunRanks]:
    """Check and rank each run, one at a time; warn if its ids have another form than the qrels'.

    Runs that were ranked from files are passed on as they are.
    """
    yield from judged.with_common_topics(_each_run(judged, runs))


def _each_run(judged: Judgements, runs: Any) -> Iterator[RunRanks]:
    seen = set()
    for item in runs.items() if isinstance(runs, Mapping) else checked_items("runs", runs):
        match item:
            case RunRanks(name=name):
                ranked = item
            case (str(name), run):
                with problems_of(name):
                    docs: Run = _dicts(run, "score")
                    # Ranking checks the judged topics.
                    check_scores({t: docs[t] for t in docs if t not in judged.number})
                    ranked = rank_run(judged, docs, name)
                warn(ranked.unmatched)
            case _:
                raise InputError(
                    "runs must be a dict of name to run, or pairs of name and run; "
                    f"got {item!r:.60}"
                )
        if name in seen:
            raise InputError(f"two runs are called {name}; give each run its own name")
        seen.add(name)
        yield ranked
    if not seen:
        raise InputError("no run is given")
