"""Fold documents into families, such as the publications of one invention.

Users look for inventions, but systems return publications, such as EP1234567A1 and EP1234567B1. In
a folded run, a family has the highest score of its members; in folded judgements, their highest
relevance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from pres_plugin.messages import quoted
from pres_plugin.publications import number_of

__all__ = ["fold", "unmapped"]

#: In place of a mapping: the family of a publication is its office and number.
PUBLICATIONS = "publications"

_Number = TypeVar("_Number", int, float)


def fold(
    topics: Mapping[str, Mapping[str, _Number]], families: Mapping[str, str] | str
) -> dict[str, dict[str, _Number]]:
    """Fold the documents of a run or of judgements into families.

    .. versionadded:: 0.2.0

    Parameters
    ----------
    topics : dict of str to dict of str to number
        The score or the relevance of each document, by topic.
    families : dict of str to str, or 'publications'
        The family of each document. A document without an entry keeps its id. With
        'publications', the family of a publication is its office and number, without its kind
        code and whatever the spelling: EP1234567 for EP1234567A1, EP 1 234 567 B1 and ep-1234567.
        Other documents keep their ids. A kind code is only kept as its letter where two inventions
        may have the same number: JP3456789B for the patent JP3456789B2.

    Returns
    -------
    dict of str to dict of str to number
        The highest score or relevance of each family, by topic. ir-measures, ranx and the studies
        accept it. They order families with equal scores as they order documents.

    Raises
    ------
    ValueError
        If a score or a relevance is NaN, or if `families` is a string other than 'publications'.
    TypeError
        If `families` is neither a dict nor a string.

    See Also
    --------
    unmapped : Return the documents without an entry.
    pres_plugin.frames.fold_families : Fold the documents in a dataframe.

    Notes
    -----
    Fold both the run and the judgements. Then n is the number of relevant families, and N must be
    the number of families in the collection.

    Examples
    --------
    >>> from pres_plugin.families import fold
    >>> run = {"q1": {"US1": 4.0, "EP1234567B1": 3.0, "EP1234567A1": 2.0}}
    >>> fold(run, {"EP1234567A1": "F1", "EP1234567B1": "F1"})
    {'q1': {'US1': 4.0, 'F1': 3.0}}
    >>> fold(run, "publications")
    {'q1': {'US1': 4.0, 'EP1234567': 3.0}}
    """
    family_of = finder(families)
    folded: dict[str, dict[str, _Number]] = {}
    for topic, docs in topics.items():
        found = folded.setdefault(topic, {})
        for doc_id, value in docs.items():
            if value != value:
                raise ValueError(without_order(topic, doc_id))
            family = family_of(doc_id) or doc_id
            found[family] = max(value, found.get(family, value))
    return folded


def unmapped(
    topics: Mapping[str, Mapping[str, object]], families: Mapping[str, str] | str
) -> set[str]:
    """Return the documents of a run or of judgements that `families` does not contain.

    For 'publications', these are the ids that do not look like publication numbers.

    .. versionadded:: 0.2.0

    Examples
    --------
    >>> from pres_plugin.families import unmapped
    >>> unmapped({"q1": {"US1": 1, "EP1A1": 1}}, {"EP1A1": "F1"})
    {'US1'}
    """
    family_of = finder(families)
    return {doc_id for docs in topics.values() for doc_id in docs if not family_of(doc_id)}


def without_order(topic: object, doc_id: object) -> str:
    """Return the problem with a document whose score or relevance is NaN or missing."""
    where = f"topic {quoted(str(topic))}, document {quoted(str(doc_id))}"
    return f"{where}: the score or relevance is missing or NaN, so its family has no highest one"


def finder(families: Mapping[str, str] | str) -> Callable[[str], str | None]:
    """Return a function that returns the family of a document, or None if it has none.

    Raise a ValueError or a TypeError unless this is a mapping of strings or 'publications'.
    """
    if isinstance(families, Mapping):
        for doc_id, family in families.items():
            if not (isinstance(doc_id, str) and isinstance(family, str)):
                raise TypeError(
                    f"families must map ids to names, both strings, got {(doc_id, family)!r:.60}"
                )
        return families.get
    expected = f"families must be a dict or {PUBLICATIONS!r}, got"
    if not isinstance(families, str):
        raise TypeError(f"{expected} {type(families).__name__}")
    if families != PUBLICATIONS:
        raise ValueError(f"{expected} {families!r}")
    return number_of
