"""Fold documents into families, such as the publications of one invention.

Users look for inventions, but systems return publications, such as EP1234567A1 and EP1234567B1. In
a folded run, a family has the highest score of its members; in folded judgements, their highest
relevance.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from pres_plugin.messages import quoted

#: In place of a mapping: derive families by removing kind codes.
KIND_CODES = "kind-codes"

#: A publication number with a kind code. The groups match the code of an office, and what follows
#: it up to the kind code: at most two further letters, and a number of at least four characters.
PUBLICATION: str = r"^([A-Za-z]{2})[ ._-]?([A-Za-z]{0,2}\d[\d/.-]{2,}\d)[ ._-]?[A-Za-z]\d?$"
_PUBLICATION = re.compile(PUBLICATION)

_Number = TypeVar("_Number", int, float)


def fold(
    topics: Mapping[str, Mapping[str, _Number]], families: Mapping[str, str] | str
) -> dict[str, dict[str, _Number]]:
    """Fold the documents of a run or of judgements into families.

    Parameters
    ----------
    topics : dict of str to dict of str to number
        The score or the relevance of each document, by topic.
    families : dict of str to str, or 'kind-codes'
        The family of each document. A document without an entry keeps its id. With
        'kind-codes', the family of a publication is its number without the kind code and without a
        blank after the office: EP1234567 for EP1234567A1 and EP 1234567 B1.

    Returns
    -------
    dict of str to dict of str to number
        The highest score or relevance of each family, by topic. ir-measures, ranx and the studies
        accept it. They order families with equal scores as they order documents.

    Raises
    ------
    ValueError
        If a score or a relevance is NaN, or if `families` is a string other than 'kind-codes'.
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
    >>> fold(run, "kind-codes")
    {'q1': {'US1': 4.0, 'EP1234567': 3.0}}
    """
    check_families(families)
    folded: dict[str, dict[str, _Number]] = {}
    for topic, docs in topics.items():
        found = folded.setdefault(topic, {})
        for doc_id, value in docs.items():
            if value != value:
                raise ValueError(without_order(topic, doc_id))
            family = family_of(doc_id, families)
            found[family] = max(value, found.get(family, value))
    return folded


def unmapped(
    topics: Mapping[str, Mapping[str, object]], families: Mapping[str, str] | str
) -> set[str]:
    """Return the documents of a run or of judgements that `families` does not contain.

    For 'kind-codes', these are the ids that do not look like publication numbers with a kind
    code.

    Examples
    --------
    >>> from pres_plugin.families import unmapped
    >>> unmapped({"q1": {"US1": 1, "EP1A1": 1}}, {"EP1A1": "F1"})
    {'US1'}
    """
    check_families(families)
    docs = set().union(*topics.values())
    if isinstance(families, str):
        return {doc_id for doc_id in docs if not _PUBLICATION.match(doc_id)}
    return docs - families.keys()


def family_of(doc_id: str, families: Mapping[str, str] | str) -> str:
    """Return the family of a document, or the document itself if it has none."""
    if isinstance(families, str):
        return _PUBLICATION.sub(r"\1\2", doc_id)
    return families.get(doc_id, doc_id)


def without_order(topic: object, doc_id: object) -> str:
    """Return the problem with a document whose score or relevance is NaN or missing."""
    where = f"topic {quoted(str(topic))}, document {quoted(str(doc_id))}"
    return f"{where}: the score or relevance is missing or NaN, so its family has no highest one"


def check_families(families: object) -> None:
    """Raise a ValueError or a TypeError unless this is a mapping of strings or 'kind-codes'."""
    if isinstance(families, Mapping):
        for doc_id, family in families.items():
            if not (isinstance(doc_id, str) and isinstance(family, str)):
                raise TypeError(
                    f"families must map ids to names, both strings, got {(doc_id, family)!r:.60}"
                )
    elif not isinstance(families, str):
        raise TypeError(f"families must be a dict or {KIND_CODES!r}, got {type(families).__name__}")
    elif families != KIND_CODES:
        raise ValueError(f"families must be a dict or {KIND_CODES!r}, got {families!r}")
