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
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any

from pres_plugin.messages import quoted

#: How many topics to look at, and how many retrieved and judged ids of each. This takes some
#: milliseconds.
MOST_TOPICS, MOST_IDS = 20, 1000

# In how many topics a run may retrieve no judged document without a warning.
_FEW_TOPICS = 4

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

    .. versionadded:: 0.2.0

    Examples
    --------
    Raise an error instead:

    >>> import warnings
    >>> import pres_plugin
    >>> warnings.simplefilter("error", pres_plugin.UnmatchedIdsWarning)
    """

    __module__ = "pres_plugin"


class JudgedIds:
    """Some judged ids of each topic, to recognise them in runs that contain them in another form.

    `of_topic` takes a topic's id, and returns a mapping whose keys are ids of judged documents.
    """

    def __init__(
        self, topics: Collection[str], of_topic: Callable[[str], Mapping[str, Any]]
    ) -> None:
        self._topics = topics
        self._of_topic = of_topic
        # Kept, because each run is compared with the same ids.
        self._forms = cache(lambda topic: frozenset(_forms([*islice(of_topic(topic), MOST_IDS)])))

    def unmatched(
        self, where: str, run: Mapping[str, Collection[str]], *, found: bool = False
    ) -> UnmatchedIdsWarning | None:
        """Return the warning about a run, if there is a reason; the message begins with `where`.

        `found` states whether a judged document is known to be retrieved.
        """
        common = (
            topic
            for topic in run
            if topic in self._topics and len(run[topic]) and len(self._of_topic(topic))
        )
        topics = list(islice(common, MOST_TOPICS))
        if not topics:
            return None if any(map(self._topics.__contains__, run)) else self._no_topic(where, run)
        pairs: list[tuple[str, str]] = []
        n_with_pairs = 0
        for topic in topics:
            judged, forms = self._of_topic(topic), self._forms(topic)
            retrieved = list(islice(run[topic], MOST_IDS))
            found = found or not judged.keys().isdisjoint(retrieved)
            others = [
                (form, doc_id)
                for form, doc_id in zip(_forms(retrieved), retrieved, strict=True)
                if form in forms and doc_id not in judged
            ]
            if others:
                of_run = set(run[topic])
                missed = [each for each in islice(judged, MOST_IDS) if each not in of_run]
                by_form = dict(zip(_forms(missed), missed, strict=True))
                before = len(pairs)
                pairs += [(doc_id, by_form.pop(form)) for form, doc_id in others if form in by_form]
                n_with_pairs += len(pairs) > before
        if pairs:
            return _in_other_forms(where, pairs, n_with_pairs)
        if found or len(topics) <= _FEW_TOPICS:
            return None
        topics += common
        if any(set(self._of_topic(topic)).intersection(run[topic]) for topic in topics):
            return None
        ids = run[topics[0]], self._of_topic(topics[0])
        return _nothing_found(where, topics, *(list(islice(each, MOST_IDS)) for each in ids))

    def _no_topic(self, where: str, topics: Collection[str]) -> UnmatchedIdsWarning | None:
        if not (topics and self._topics):
            return None
        return UnmatchedIdsWarning(
            f"{where}: no topic of the run is judged; check the topic ids: "
            f"{_side_by_side(topics, self._topics)}; write them in the same form in both"
        )


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
    families_help = all(len({*map(_family, pair)}) == 1 for pair in shown)
    # Only some topics and ids were compared.
    return UnmatchedIdsWarning(
        f"{where}: judged documents count as missed, although the run contains their ids in "
        f"another form (documents: at least {len(pairs):,}, topics: {n_topics}); "
        f"check the document ids: the run has {each}; {_advice(families_help)}"
    )


def _nothing_found(
    where: str, topics: Sequence[str], retrieved: list[str], judged: list[str]
) -> UnmatchedIdsWarning:
    families = ({_family(doc_id) for doc_id in side} for side in (retrieved, judged))
    return UnmatchedIdsWarning(
        f"{where}: no judged document was retrieved in any of {len(topics)} topics; check the "
        f"document ids: in topic {quoted(topics[0])}, {_side_by_side(retrieved, judged)}; "
        f"{_advice(bool(set.intersection(*families)))}"
    )


def _family(doc_id: str) -> str:
    """Return the office and number of a publication, or another id itself."""
    from pres_plugin.publications import number_of

    return number_of(doc_id) or doc_id


def _advice(families_help: bool) -> str:
    if families_help:
        return (
            "to match publications by number, see --families publications or pres_plugin.families"
        )
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
