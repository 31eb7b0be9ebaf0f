"""Score one ranking, given as a list of document ids."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, overload

from pres_plugin.kernel.arguments import check_ids, is_bool, whole
from pres_plugin.kernel.topic import relevant_ranks
from pres_plugin.measures.measure import DocumentChoice, Measure


# Type checkers report an overlap, because a string is iterable, too.
@overload
def score(  # type: ignore[overload-overlap]
    ranking: Iterable[Any],
    relevant: Collection[Any],
    measures: str | Measure,
) -> float: ...
@overload
def score(
    ranking: Iterable[Any],
    relevant: Collection[Any],
    measures: Iterable[str | Measure],
) -> dict[str, float]: ...
def score(ranking: Any, relevant: Any, measures: Any) -> float | dict[str, float]:
    """Score the ranking of one topic, given as a list of document ids.

    .. versionadded:: 0.2.0

    Parameters
    ----------
    ranking : iterable of document ids
        The retrieved documents, best first.
    relevant : collection of document ids, or mapping of document id to int
        The relevant documents of the topic, or the relevance of each judged document. As in
        trec_eval, documents with a negative relevance count as unjudged. Measures with ``rel`` or
        ``judged_only`` need a mapping.
    measures : str, Measure, or iterable of these
        One or more measures that depend only on the ranks of relevant documents, such as
        ``"PRES@100"``.

    Returns
    -------
    float or dict of str to float
        The score; for several measures, a dict of measure string to score. A score is 0 if the
        topic has no relevant documents. If nothing was retrieved, it is 0 or, for Effort, N.

    Raises
    ------
    TypeError
        If `ranking` is a mapping, a set or a string, if `relevant` is a string, or if it is
        no mapping and a measure needs one.
    ValueError
        If `ranking` contains a document twice, if a relevance is not a whole number, or if a
        measure is unknown or cannot be computed.

    Examples
    --------
    >>> import pres_plugin
    >>> ranking = ["EP7", "EP2", "EP9", "EP1"]
    >>> pres_plugin.score(ranking, {"EP1", "EP2"}, "PRES@10")
    0.85
    >>> pres_plugin.score(ranking, {"EP1": 2, "EP2": 1}, ["PRES(rel=2)@10", "R@2"])
    {'PRES(rel=2)@10': 0.7, 'R@2': 0.5}
    """
    # Imported here, so that `import pres_plugin` stays fast.
    import numpy as np

    from pres_plugin.measures.parsing import parse_all, several
    from pres_plugin.ranking.judgements import Judgements
    from pres_plugin.ranking.scores import RunRanks

    check_ids(ranking, relevant)
    asked, docs = parse_all(measures), list(ranking)
    for measure in asked:
        needs_relevance = measure.document_choice != DocumentChoice(rel=1, judged_only=False)
        if needs_relevance and not isinstance(relevant, Mapping):
            raise TypeError(
                f"{measure} needs the relevance of each judged document; pass relevant as a dict "
                "of document id to relevance"
            )
    relevance = relevant if isinstance(relevant, Mapping) else dict.fromkeys(relevant, 1)
    # As in trec_eval, documents with a negative relevance count as unjudged.
    judged = {
        doc_id: grade
        for doc_id, value in relevance.items()
        if (grade := _grade(doc_id, value)) >= 0
    }
    found = relevant_ranks(docs, judged.keys())
    values = [judged.pop(docs[rank - 1]) for rank in found]
    missing = judged.values()
    ints = partial(np.array, dtype=np.int64)
    n = len(found) + len(missing)
    topic = Judgements(["it"], [n], [], ints([*values, *missing]), lambda _: {}, {})
    ranks = ints(found + [0] * len(missing))
    run = RunRanks("ranking", ranks, ints([len(docs)]), ints([0]), where="ranking")
    scores = {}
    for each in asked:
        ranked = replace(topic.ranked(run, each.document_choice), name_of=lambda _: "the topic")
        scores[str(each)] = ranked.score(each).item()
    return scores if several(measures) is measures else scores.popitem()[1]


def _grade(doc_id: Any, value: Any) -> int:
    """Return a relevance as an int, or raise a ValueError."""
    try:
        return whole("it", int(value) if is_bool(value) else value, -(2**63), 2**63 - 1)
    except ValueError:
        raise ValueError(
            f"document {doc_id!r}: a relevance must be a whole number of 64 bits, got {value!r:.60}"
        ) from None
