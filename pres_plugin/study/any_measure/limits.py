"""Check for input that providers of ir-measures cannot handle; their documentation omits it.

For such input, trec_eval ends the process, allocates gigabytes, or returns wrong scores, and
gdeval returns wrong scores or ends with an error that does not name the topic.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pres_plugin.measures import MeasureError
from pres_plugin.remedy import some

Topics = Mapping[str, Mapping[str, Any]]


class ProviderError(MeasureError):
    """A provider of ir-measures rejects a measure, for a reason other than the judgements."""


#: The largest relevance for measures that trec_eval computes. For each topic, trec_eval
#: allocates an array with one number per level, and nDCG searches it once per level.
LARGEST_RELEVANCE = 100_000

#: The largest relevance for measures that gdeval computes, such as ERR.
LARGEST_IN_GDEVAL = 4

# For Bpref, trec_eval reads the counts of all relevance levels below `rel`. Its array ends with
# the topic's largest relevance, but has at least this many entries.
_ALWAYS_ALLOCATED = 4

# gdeval, a Perl script, splits lines into fields at these characters.
_PERL_BLANKS = re.compile("[\t-\r ]")


class Limits(NamedTuple):
    """Two functions: one checks the ids in judgements or a run, the other the judgements.

    Each is called with the measures that the provider computes, and with the judgements or the
    run. It raises a ValueError if the provider cannot handle them.
    """

    check_ids: Callable[[list[Any], Topics], None]
    check_judgements: Callable[[list[Any], Topics], None]


def _ids_in_trec_eval(measures: list[Any], topics: Topics) -> None:
    """Reject ids that contain a null character, which ends a string in C, or invalid Unicode."""
    for topic, docs in topics.items():
        if not _is_c_string(topic + "".join(docs)):
            where = f"topic {topic!r}"
            if wrong := [doc_id for doc_id in docs if not _is_c_string(doc_id)]:
                where += f", document {wrong[0]!r}"
            raise ValueError(
                f"{where}: trec_eval, which computes {_names(measures)}, requires ids in valid "
                "Unicode without null characters"
            )


def _is_c_string(text: str) -> bool:
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def _judgements_in_trec_eval(measures: list[Any], qrels: Topics) -> None:
    # The gains of nDCG replace relevances before trec_eval sees them.
    by_gains = {repr(gains := _gains(m)): (m, gains) for m in measures}
    bpref = max((m["rel"] for m in measures if m.NAME == "Bpref"), default=1)
    for topic, docs in qrels.items():
        if not docs:
            raise ValueError(
                f"topic {topic!r}: trec_eval, which computes {_names(measures)}, requires at "
                "least one judgement"
            )
        for measure, gains in by_gains.values():
            levels = (
                {doc_id: gains.get(rel, rel) for doc_id, rel in docs.items()} if gains else docs
            )
            largest = max(levels.values())
            if not 0 <= largest <= LARGEST_RELEVANCE:
                doc_id = next(doc_id for doc_id, level in levels.items() if level == largest)
                raise ValueError(
                    f"topic {topic!r}, document {doc_id!r}: trec_eval, which computes {measure}, "
                    f"requires the largest relevance of each topic to be from 0 to "
                    f"{LARGEST_RELEVANCE}, got {largest}"
                )
        if bpref > max(max(docs.values()) + 1, _ALWAYS_ALLOCATED):
            raise ValueError(
                f"topic {topic!r}: no relevance is {bpref - 1} or more; trec_eval cannot compute "
                f"Bpref(rel={bpref})"
            )


def _gains(measure: Any) -> dict[int, int]:
    gains: dict[int, int] = measure.params.get("gains", {})
    return gains


def _ids_in_gdeval(measures: list[Any], topics: Topics) -> None:
    """Reject ids that gdeval cannot read from a line, and topics that it would mix up."""
    numbers: dict[int, str] = {}
    for topic, docs in topics.items():
        if not re.fullmatch("[0-9]{1,15}", topic, re.ASCII):
            raise ValueError(
                f"topic {topic!r}: gdeval, which computes {_names(measures)}, requires "
                "topic ids that are numbers of at most 15 digits"
            )
        if (other := numbers.setdefault(int(topic), topic)) != topic:
            raise ValueError(
                f"topics {other!r} and {topic!r} have the same number; gdeval, which computes "
                f"{_names(measures)}, would mix them up"
            )
        if "" in docs or _PERL_BLANKS.search("".join(docs)):
            doc_id = next(d for d in docs if not d or _PERL_BLANKS.search(d))
            raise ValueError(
                f"topic {topic!r}, document {doc_id!r}: gdeval, which computes "
                f"{_names(measures)}, requires ids that contain no blanks or line breaks and are "
                "not empty"
            )


def _judgements_in_gdeval(measures: list[Any], qrels: Topics) -> None:
    for topic, docs in qrels.items():
        for doc_id, relevance in docs.items():
            if relevance > LARGEST_IN_GDEVAL:
                raise ValueError(
                    f"topic {topic!r}, document {doc_id!r}: gdeval, which computes "
                    f"{_names(measures)}, requires relevances up to {LARGEST_IN_GDEVAL}, "
                    f"got {relevance}"
                )


def _names(measures: list[Any]) -> str:
    return some(list(map(str, measures)))


#: The check functions for each provider, by the provider's name.
LIMITS = {
    "pytrec_eval": Limits(_ids_in_trec_eval, _judgements_in_trec_eval),
    "gdeval": Limits(_ids_in_gdeval, _judgements_in_gdeval),
}
