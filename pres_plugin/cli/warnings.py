"""Warn about runs that score low for reasons other than their quality."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sized
from typing import Any

from pres_plugin.cli.streams import say
from pres_plugin.measures import Measure
from pres_plugin.remedy import listed, some


def n_max_of(measures: Iterable[Any]) -> dict[str, int]:
    """Return the Nmax of each measure that depends on Nmax even if a run ends earlier."""
    return {
        str(measure): measure.cutoff
        for measure in measures
        if isinstance(measure, Measure) and measure.declaration.counts_to_n_max and measure.cutoff
    }


def largest_topic(run: Mapping[str, Sized], topics: Container[str]) -> int:
    """Return how many documents a run contains for the largest of these topics, or 0."""
    return max((len(docs) for topic, docs in run.items() if topic in topics), default=0)


def compare_topics(path: str, retrieved: Collection[str], judged: Collection[str]) -> Iterator[str]:
    """Warn about topics that only the run or only the qrels contain."""
    if lacking := [topic for topic in judged if topic not in retrieved]:
        yield (
            f"{path}: the run lacks {len(lacking)} of the {len(judged)} topics in the qrels; "
            f"missing topics score 0: {some(lacking)}"
        )
    if extra := [topic for topic in retrieved if topic not in judged]:
        yield (
            f"{path}: the qrels lack {len(extra)} of the {len(retrieved)} topics in the run; "
            f"extra topics are ignored: {some(extra)}"
        )


def short_run(
    path: str, n_docs: int, n_max: Mapping[str, int], topic: str | None = None
) -> Iterator[str]:
    """Warn if a run has fewer documents than Nmax.

    PRES assumes that the user checks Nmax documents. If a run was cut off earlier, the
    documents after the cut count as missed, even if their ranks would be within Nmax.
    `n_docs` is the number of documents in the run's largest topic, or in `topic` if only
    that topic is scored.
    """
    short = [measure for measure, cutoff in n_max.items() if n_docs < cutoff]
    if not n_docs or not short:
        return
    documents = "1 document" if n_docs == 1 else f"{n_docs} documents"
    has = f"at most {documents} per topic" if topic is None else f"{documents} for topic {topic!r}"
    treat = "treats" if len(short) == 1 else "treat"
    shown = short if len(short) <= 3 else [*short[:2], f"{len(short) - 2} more"]
    missed = f"{listed(shown)} {treat} relevant documents outside the run as missed"
    yield f"{path} has {has}; {missed}"


def warn(warnings: Iterable[str]) -> None:
    """Print warnings on standard error, to keep them out of the results."""
    for warning in warnings:
        say(f"warning: {warning}")
