"""Warn about runs with fewer documents than Nmax.

PRES assumes that the user checks Nmax documents. If a run was cut off earlier, the
documents after the cut count as missed, even if their ranks would be within Nmax.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence, Sized

from pres_plugin.measures.declared import BY_NAME

__all__ = ["WITH_NMAX", "largest_topic", "short_run"]

#: The measures that depend on Nmax beyond the end of a run.
WITH_NMAX = frozenset(
    measure.name for measure in BY_NAME.values() if measure.declaration.counts_to_n_max
)


def largest_topic(run: Mapping[str, Sized], topics: Container[str]) -> int:
    """Return the number of documents of the largest of these topics in a run, or 0."""
    return max((len(docs) for topic, docs in run.items() if topic in topics), default=0)


def short_run(
    path: str, n_docs: int, nmax: Mapping[str, int], topic: str | None = None
) -> Iterator[str]:
    """Warn if a run has fewer documents than Nmax.

    Parameters
    ----------
    path : str
        The run's name in messages.
    n_docs : int
        The number of documents of its largest topic.
    nmax : mapping of str to int
        Nmax of each measure that depends on it; the keys are measure strings.
    topic : str, optional
        The topic, if only one is scored.

    Examples
    --------
    >>> from pres_plugin.cli.short_runs import short_run
    >>> list(short_run("my.run", 100, {"PRES@100": 100, "PRES@1000": 1000}))
    ['my.run has at most 100 documents per topic; PRES@1000 treats all others as missed']
    """
    short = [measure for measure, cutoff in nmax.items() if n_docs < cutoff]
    if not n_docs or not short:
        return
    documents = "1 document" if n_docs == 1 else f"{n_docs} documents"
    has = f"at most {documents} per topic" if topic is None else f"{documents} for topic {topic!r}"
    treat = "treats" if len(short) == 1 else "treat"
    yield f"{path} has {has}; {_listed(short)} {treat} all others as missed"


def _listed(names: Sequence[str], at_most: int = 3) -> str:
    shown = list(names)
    if len(names) > at_most:
        shown = [*names[: at_most - 1], f"{len(names) - at_most + 1} more"]
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
