"""Warn about a run whose ids have another form than those of the qrels.

Such documents count as missed, so the run scores too low. Evidence are judged documents that were
not retrieved while the run contains their ids in another form. Beside it, a warning is only issued
if no topic of a run is judged, or if no judged document was retrieved in several topics.
"""

from __future__ import annotations

import re
import string
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from pres_plugin.messages import quoted

if TYPE_CHECKING:
    import polars as pl

    #: Documents by topic. Only the keys of the inner mapping are used.
    Ids = Mapping[str, Mapping[str, Any]]

#: How many topics to look at, and how many retrieved and judged ids of each. This takes some
#: milliseconds.
MOST_TOPICS, MOST_IDS = 20, 1000

# In how many topics a run may retrieve no judged document without a warning.
_FEW_TOPICS = 4

# How many rows of a table to look at. Its first topics are usually there.
_MOST_ROWS = 20_000

_LOWER = bytes.maketrans(string.ascii_uppercase.encode(), string.ascii_lowercase.encode())
_IGNORED = bytes(code for code in range(128) if not chr(code).isalnum() and chr(code) != "\n")

# The packages whose code is not the user's; functools calls cached properties of ours.
_FRAMEWORKS = {"pres_plugin", "ir_measures", "pyterrier", "ranx", "functools"}


class UnmatchedIdsWarning(UserWarning):
    """Documents of a run count as missed, because their ids have another form in the qrels.

    Runs and qrels are matched by ids. This warning is issued if judged documents were not
    retrieved, but ids of the run equal theirs once blanks, punctuation and case are ignored, as in
    ``US 7257313 B2`` and ``US7257313B2``. The message shows two such pairs. The warning is also
    issued if no topic of a run is judged, and if no judged document was retrieved in five topics or
    more. Up to 1,000 ids in each of up to 20 topics are compared.

    Examples
    --------
    Raise an error instead:

    >>> import warnings
    >>> import pres_plugin
    >>> warnings.simplefilter("error", pres_plugin.UnmatchedIdsWarning)
    """

    __module__ = "pres_plugin"


def unmatched_in_dicts(
    where: str, run: Ids, qrels: Ids, *, found: bool = False
) -> UnmatchedIdsWarning | None:
    """Return the warning about a run, if there is a reason; the message begins with `where`.

    `found` states whether a judged document is known to be retrieved, perhaps in another topic.
    """
    common = (topic for topic in run if topic in qrels and len(run[topic]) and len(qrels[topic]))
    topics = list(islice(common, MOST_TOPICS))
    if not topics:
        return None if found else unmatched_topics(where, run, qrels)
    pairs: list[tuple[str, str]] = []
    n_with_pairs = 0
    for topic in topics:
        judged = list(islice(qrels[topic], MOST_IDS))
        missed = [doc_id for doc_id in judged if doc_id not in run[topic]]
        found = found or len(missed) < len(judged)
        of_topic = list(_pairs(run[topic], missed, qrels[topic])) if missed else []
        pairs += of_topic
        n_with_pairs += bool(of_topic)
    if pairs:
        return _in_other_forms(where, pairs, n_with_pairs)
    if found or len(topics) <= _FEW_TOPICS:
        return None
    for topic in common:
        if any(doc_id in run[topic] for doc_id in qrels[topic]):
            return None
        topics.append(topic)
    return _nothing_found(where, topics, run, qrels)


def unmatched_in_rows(
    where: str, run: pl.DataFrame, qrels: pl.DataFrame, *, found: bool
) -> UnmatchedIdsWarning | None:
    """Return the warning about a run in a table, if there is a reason.

    Both tables have the columns `query_id` and `doc_id`.
    """

    def of_topics(rows: pl.DataFrame) -> dict[str, dict[str, None]]:
        topics = (
            rows.group_by("query_id", maintain_order=True).head(MOST_IDS).rows_by_key("query_id")
        )
        return {topic: dict.fromkeys(chain(*doc_ids)) for topic, doc_ids in topics.items()}

    # If nothing was found, all topics matter.
    retrieved = of_topics(run.head(_MOST_ROWS) if found else run)
    judged = of_topics(qrels.filter(qrels["query_id"].is_in(list(retrieved))))
    return unmatched_in_dicts(where, retrieved, judged or of_topics(qrels), found=found)


def unmatched_topics(
    where: str, topics: Collection[str], judged: Collection[str]
) -> UnmatchedIdsWarning | None:
    """Return the warning about a run with topics, but none that is judged, or None."""
    if not (topics and judged) or any(topic in judged for topic in topics):
        return None
    return UnmatchedIdsWarning(
        f"{where}: no topic of the run is judged; check the topic ids: "
        f"{_side_by_side(topics, judged)}; write them in the same form in both"
    )


def _pairs(
    retrieved: Iterable[str], missed: Sequence[str], judged: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Yield retrieved ids that are another form of judged ones that were missed, with these."""
    looked_at = list(islice(retrieved, MOST_IDS))
    by_form = dict(zip(_forms(missed), missed, strict=True))
    forms = _forms(looked_at)
    if by_form.keys().isdisjoint(forms):
        return
    for form, doc_id in zip(forms, looked_at, strict=True):
        if form in by_form and doc_id not in judged:
            yield doc_id, by_form.pop(form)


def _forms(ids: Sequence[str]) -> list[str]:
    """Return ids in lower case, without blanks and punctuation."""
    text = "\n".join(ids)
    if text.isascii() and text.count("\n") == len(ids) - 1:  # several times as fast
        return text.encode().translate(_LOWER, _IGNORED).decode().split("\n")
    return [re.sub(r"[\W_]+", "", doc_id).casefold() for doc_id in ids]


def _in_other_forms(
    where: str, pairs: Sequence[tuple[str, str]], n_topics: int
) -> UnmatchedIdsWarning:
    shown = pairs[:2]
    each = " and ".join(
        f"{quoted(found)} where the qrels have {quoted(judged)}" for found, judged in shown
    )
    documents = f"{len(pairs):,} judged document{'s' if len(pairs) > 1 else ''}"
    topics = f"{n_topics} topic{'s' if n_topics > 1 else ''}"
    families_help = all(len({*map(_family, pair)}) == 1 for pair in shown)
    # Only some topics and ids were compared.
    return UnmatchedIdsWarning(
        f"{where}: at least {documents} of {topics} count{'s' * (len(pairs) == 1)} as missed, "
        f"although the run contains their ids in another form; check the document ids: the run has "
        f"{each}; {_advice(families_help)}"
    )


def _nothing_found(where: str, topics: Sequence[str], run: Ids, qrels: Ids) -> UnmatchedIdsWarning:
    topic = topics[0]
    ids = [list(islice(of[topic], MOST_IDS)) for of in (run, qrels)]
    found, judged = ({_family(doc_id) for doc_id in side} for side in ids)
    return UnmatchedIdsWarning(
        f"{where}: no judged document was retrieved in any of {len(topics)} topics; check the "
        f"document ids: in topic {quoted(topic)}, {_side_by_side(*ids)}; "
        f"{_advice(not found.isdisjoint(judged))}"
    )


def _family(doc_id: str) -> str:
    """Return the family of a publication by its number; see :mod:`pres_plugin.families`."""
    from pres_plugin.families import KIND_CODES, family_of

    return family_of(doc_id, KIND_CODES)


def _advice(families_help: bool) -> str:
    if families_help:
        return "to ignore blanks and kind codes, see --families kind-codes or pres_plugin.families"
    return "write them in the same form in both"


def _side_by_side(in_run: Iterable[str], in_qrels: Iterable[str]) -> str:
    of_run, of_qrels = (", ".join(map(quoted, islice(ids, 2))) for ids in (in_run, in_qrels))
    return f"the run has {of_run}, and the qrels have {of_qrels}"


def warn(problem: UnmatchedIdsWarning | None) -> None:
    """Issue the warning, if there is one, for the user's line that called a framework."""
    if problem is None:
        return
    # In Python 3.11, warnings.warn() cannot skip the files of packages.
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] in _FRAMEWORKS:
        frame, level = frame.f_back, level + 1
    warnings.warn(problem, stacklevel=level)
