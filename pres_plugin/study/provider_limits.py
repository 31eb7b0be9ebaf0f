"""Refuse input for which packages behind ir-measures crash or give wrong scores.

With large relevances, trec_eval takes gigabytes, ends the process or returns 0. It reads ids as
strings of C, which end at a null character. gdeval reads the number in a topic's id.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Topics = Mapping[str, Mapping[str, Any]]

#: The largest relevance for measures that trec_eval computes: an array has one number per level.
LARGEST_RELEVANCE = 100_000


def check_ids(provider: str, topics: Topics) -> None:
    """Raise a ValueError for ids that a provider would misread."""
    numbers: dict[float, str] = {}
    for topic, docs in topics.items():
        ids = (topic, *docs)
        if provider == "pytrec_eval" and not _is_c_string("".join(ids)):
            wrong = next(each for each in ids if not _is_c_string(each))
            raise ValueError(f"topic {topic!r}: the id {wrong!r} contains a null or a surrogate")
        # Perl reads numbers as floats, and only digits of ASCII.
        if provider == "gdeval" and (
            not topic.encode().isdigit() or numbers.setdefault(float(topic), topic) != topic
        ):
            raise ValueError(f"topic {topic!r}: gdeval requires different numbers as topic ids")


def check_judgements(provider: str, measures: Iterable[Any], qrels: Topics) -> None:
    """Raise a ValueError for judgements that a provider cannot handle."""
    check_ids(provider, qrels)
    for topic, docs in qrels.items() if provider == "pytrec_eval" else ():
        for measure in measures:
            gains = measure.params.get("gains", {})
            # There are few grades, even if there are many documents.
            largest = max((gains.get(grade, grade) for grade in {*docs.values()}), default=-1)
            if not 0 <= largest <= LARGEST_RELEVANCE:
                of_largest = [d for d, grade in docs.items() if gains.get(grade, grade) == largest]
                raise ValueError(
                    f"topic {topic!r}, documents {of_largest[:1]}: for {measure}, the largest "
                    f"relevance must be from 0 to {LARGEST_RELEVANCE}, got {largest}"
                )
            # trec_eval reads the counts of all levels below `rel` from an array that ends with the
            # topic's largest relevance, but has at least four entries.
            rel = measure.params.get("rel", 1)
            if measure.NAME == "Bpref" and rel > max(largest + 1, 4):
                raise ValueError(
                    f"topic {topic!r}: for {measure}, no relevance is {rel - 1} or more"
                )


def _is_c_string(text: str) -> bool:
    return "\0" not in text and text == text.encode(errors="replace").decode()
