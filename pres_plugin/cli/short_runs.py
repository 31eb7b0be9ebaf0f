"""Warn about runs with fewer documents than Nmax.

PRES assumes that the user checks Nmax documents. If a run was cut off earlier, the
documents after the cut count as missed, even if their ranks would be within Nmax.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sized
from typing import Any

from pres_plugin.measures import Measure
from pres_plugin.remedy import listed


def n_max_of(measures: Iterable[Any]) -> dict[str, int]:
    """Return the Nmax of each measure that depends on Nmax beyond the end of a run."""
    return {
        str(measure): measure.cutoff
        for measure in measures
        if isinstance(measure, Measure) and measure.declaration.counts_to_n_max and measure.cutoff
    }


def largest_topic(run: Mapping[str, Sized], topics: Container[str]) -> int:
    """Return the number of documents of the largest of these topics in a run, or 0."""
    return max((len(docs) for topic, docs in run.items() if topic in topics), default=0)


def short_run(
    path: str, n_docs: int, n_max: Mapping[str, int], topic: str | None = None
) -> Iterator[str]:
    """Warn if a run has fewer documents than Nmax.

    `n_docs` is the number of documents of its largest topic, or of the only `topic` that
    is scored.

    Examples
    --------
    >>> from pres_plugin.cli.short_runs import short_run
    >>> list(short_run("my.run", 100, {"PRES@100": 100, "PRES@1000": 1000}))
    ['my.run has at most 100 documents per topic; PRES@1000 treats all others as missed']
    """
    short = [measure for measure, cutoff in n_max.items() if n_docs < cutoff]
    if not n_docs or not short:
        return
    documents = "1 document" if n_docs == 1 else f"{n_docs} documents"
    has = f"at most {documents} per topic" if topic is None else f"{documents} for topic {topic!r}"
    treat = "treats" if len(short) == 1 else "treat"
    shown = short if len(short) <= 3 else [*short[:2], f"{len(short) - 2} more"]
    yield f"{path} has {has}; {listed(shown)} {treat} all others as missed"
