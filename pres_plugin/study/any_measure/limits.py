"""Check for input that providers of ir-measures cannot handle; their documentation omits it.

For such input, trec_eval ends the process, allocates gigabytes, or returns wrong scores, and
gdeval returns wrong scores or ends with an error that does not name the topic.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from operator import itemgetter
from typing import Any

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


def _refusal(where: str, provider: str, measures: list[Any], required: str) -> ValueError:
    """Return the error for input that a provider cannot handle."""
    names = some(list(map(str, measures)))
    return ValueError(f"{where}: {provider}, which computes {names}, requires {required}")


def _ids_in_trec_eval(measures: list[Any], topics: Topics) -> None:
    """Reject ids that contain a null character, which ends a string in C, or invalid Unicode."""
    for topic, docs in topics.items():
        if not _is_c_string(topic + "".join(docs)):
            where = f"topic {topic!r}"
            if wrong := [doc_id for doc_id in docs if not _is_c_string(doc_id)]:
                where += f", document {wrong[0]!r}"
            required = "ids in valid Unicode without null characters"
            raise _refusal(where, "trec_eval", measures, required)


def _is_c_string(text: str) -> bool:
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def _judgements_in_trec_eval(measures: list[Any], qrels: Topics) -> None:
    _ids_in_trec_eval(measures, qrels)
    # The gains of nDCG replace relevances before trec_eval sees them.
    by_gains = {repr(measure.params.get("gains")): measure for measure in measures}
    bpref = max((m["rel"] for m in measures if m.NAME == "Bpref"), default=1)
    for topic, docs in qrels.items():
        if not docs:
            raise _refusal(f"topic {topic!r}", "trec_eval", measures, "at least one judgement")
        for measure in by_gains.values():
            gains = measure.params.get("gains", {})
            levels = ((doc_id, gains.get(rel, rel)) for doc_id, rel in docs.items())
            doc_id, largest = max(levels, key=itemgetter(1))
            if not 0 <= largest <= LARGEST_RELEVANCE:
                raise _refusal(
                    f"topic {topic!r}, document {doc_id!r}",
                    "trec_eval",
                    [measure],
                    f"the largest relevance of each topic to be from 0 to {LARGEST_RELEVANCE}, "
                    f"got {largest}",
                )
        if bpref > max(max(docs.values()) + 1, _ALWAYS_ALLOCATED):
            raise ValueError(
                f"topic {topic!r}: no relevance is {bpref - 1} or more; trec_eval cannot compute "
                f"Bpref(rel={bpref})"
            )


def _ids_in_gdeval(measures: list[Any], topics: Topics) -> None:
    """Reject ids that gdeval cannot read from a line, and topics that it would mix up."""
    numbers: dict[int, str] = {}
    for topic, docs in topics.items():
        if not re.fullmatch("[0-9]{1,15}", topic, re.ASCII):
            required = "topic ids that are numbers of at most 15 digits"
            raise _refusal(f"topic {topic!r}", "gdeval", measures, required)
        if (other := numbers.setdefault(int(topic), topic)) != topic:
            raise ValueError(
                f"topics {other!r} and {topic!r} have the same number; gdeval, which computes "
                f"{some(list(map(str, measures)))}, would mix them up"
            )
        if "" in docs or _PERL_BLANKS.search("".join(docs)):
            doc_id = next(d for d in docs if not d or _PERL_BLANKS.search(d))
            raise _refusal(
                f"topic {topic!r}, document {doc_id!r}",
                "gdeval",
                measures,
                "ids that contain no blanks or line breaks and are not empty",
            )


def _judgements_in_gdeval(measures: list[Any], qrels: Topics) -> None:
    _ids_in_gdeval(measures, qrels)
    for topic, docs in qrels.items():
        for doc_id, relevance in docs.items():
            if relevance > LARGEST_IN_GDEVAL:
                raise _refusal(
                    f"topic {topic!r}, document {doc_id!r}",
                    "gdeval",
                    measures,
                    f"relevances up to {LARGEST_IN_GDEVAL}, got {relevance}",
                )


#: By the name of the provider, functions that check the ids in a run, and the judgements with their
#: ids. Each is called with the measures that the provider computes and with what to check,
#: and raises a ValueError if the provider cannot handle it.
CHECKS_OF_IDS = {"pytrec_eval": _ids_in_trec_eval, "gdeval": _ids_in_gdeval}
CHECKS_OF_JUDGEMENTS = {"pytrec_eval": _judgements_in_trec_eval, "gdeval": _judgements_in_gdeval}
