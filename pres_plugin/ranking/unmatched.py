"""Warn about a run whose ids hardly ever occur in the qrels, because they have another form there.

Such a run scores 0, like a run that finds nothing. Judged documents of any relevance count, at any
rank, so a run that is only bad causes no warning.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from pres_plugin.remedy import quoted

# How many ids of a topic to compare in a search for similar ones, which then takes up to 0.2 s.
_IDS_IN_RUN, _IDS_IN_QRELS = 1000, 20

# The packages whose code is not the user's; functools calls cached properties of ours.
_FRAMEWORKS = {"pres_plugin", "ir_measures", "pyterrier", "ranx", "functools"}


class UnmatchedIdsWarning(UserWarning):
    """Hardly any document of a run is judged, or no topic, so the run scores about 0.

    Runs and qrels are matched by ids. This warning is issued if judged documents, whatever their
    relevance and rank, were retrieved in fewer than one of twenty topics. The reason is usually
    that ids are written in different forms, such as ``US 7257313 B2`` and ``US7257313B2``. The
    message shows two ids of each form.

    Examples
    --------
    Raise an error instead:

    >>> import warnings
    >>> import pres_plugin
    >>> warnings.simplefilter("error", pres_plugin.UnmatchedIdsWarning)
    """

    __module__ = "pres_plugin"


def is_few(matched: int, topics: int) -> bool:
    """Return whether there are topics, but judged documents in fewer than one of twenty."""
    return matched * 20 < topics


def unmatched_in_dicts(
    where: str, run: Mapping[str, Mapping[str, Any]], qrels: Mapping[str, Mapping[str, Any]]
) -> UnmatchedIdsWarning | None:
    """Return the warning about a run, if there is a reason; the message begins with `where`."""
    topics = [topic for topic, docs in run.items() if docs and qrels.get(topic)]
    matched = set()
    for topic in topics:
        if not run[topic].keys().isdisjoint(qrels[topic].keys()):
            matched.add(topic)
            if not is_few(len(matched), len(topics)):  # after 5 % of most runs
                return None
    return unmatched_topics(where, run, qrels) or unmatched_documents(
        where, topics, matched, run.__getitem__, qrels.__getitem__
    )


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


def unmatched_documents(
    where: str,
    topics: Sequence[str],
    matched: Collection[str],
    found_in: Callable[[str], Iterable[str]],
    judged_in: Callable[[str], Iterable[str]],
) -> UnmatchedIdsWarning | None:
    """Return the warning about a run that matches too few topics, or None.

    `topics` have retrieved and judged documents, which `found_in` and `judged_in` return. In those
    in `matched`, a retrieved document is judged.
    """
    if not is_few(len(matched), len(topics)):
        return None
    from pres_plugin.families import KIND_CODES, family_of

    topic = next(topic for topic in topics if topic not in matched)
    ids = [list(islice(of(topic), _IDS_IN_RUN)) for of in (found_in, judged_in)]
    found, judged = ({family_of(doc_id, KIND_CODES) for doc_id in side} for side in ids)
    advice = "write them in the same form in both"
    if found & judged:
        advice = (
            "to ignore blanks and kind codes, see --families kind-codes or pres_plugin.families"
        )
    problem = "no judged document was retrieved in any topic"
    if matched:
        problem = f"judged documents were retrieved in only {len(matched)} of {len(topics)} topics"
    return UnmatchedIdsWarning(
        f"{where}: {problem}; check the document ids: in topic {quoted(topic)}, "
        f"{_side_by_side(*ids)}; {advice}"
    )


def _side_by_side(in_run: Iterable[str], in_qrels: Iterable[str]) -> str:
    """Show two ids of a run and two of the qrels: similar ones, if there are any."""
    from difflib import get_close_matches

    # An id may be megabytes long.
    found = [each[:100] for each in islice(in_run, _IDS_IN_RUN)]
    judged = [each[:100] for each in islice(in_qrels, _IDS_IN_RUN)]
    pairs: dict[str, str] = {}
    for one in judged[:_IDS_IN_QRELS]:
        pairs |= dict.fromkeys(get_close_matches(one, found, n=1), one)
        if len(pairs) == 2:
            break
    sides = [*pairs, *found], [*pairs.values(), *judged]
    of_run, of_qrels = (", ".join(map(quoted, list(dict.fromkeys(ids))[:2])) for ids in sides)
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
