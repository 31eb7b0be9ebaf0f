"""PRES, PRES_est and Rnorm, declared once for every adapter.

AP and recall are declared too, for interfaces without a framework that provides them.

A :class:`Declaration` contains a measure's name, its parameters, and the function that
computes it from ranks. An adapter turns it into an object of its framework. Parameters
are checked here too, so that a wrong one raises the same error everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pres_plugin.kernel import topics
from pres_plugin.kernel.topics import TopicRanks

__all__ = [
    "AP",
    "LARGEST",
    "MEASURES",
    "PRES",
    "PRES_EST",
    "RECALL",
    "RNORM",
    "Declaration",
    "MeasureError",
    "Parameter",
    "collection_too_small",
]

Value = int | bool

#: The largest cutoff and collection size. Up to these, sums of ranks fit into 64 bits,
#: even for topics with four million relevant documents.
LARGEST = 10**12

# The limits of trec_eval, which scores AP and recall for ir-measures: it reads the cutoff
# as a C long and the least relevance as a C int.
_LARGEST_TREC_CUTOFF = 2**63 - 1
_LARGEST_TREC_REL = 2**31 - 1


class MeasureError(ValueError):
    """A measure is unknown, or it cannot be computed with these parameters."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a measure: a positive whole number, or a switch.

    Attributes
    ----------
    name : str
        The name that users write.
    kind : type
        ``int`` (positive) or ``bool``.
    desc : str
        A short description.
    default : int or bool, optional
        The value if the parameter is not given; None if there is no default.
    largest : int
        The largest value of a number.
    true_is_one : bool
        Whether a number may be given as True, as ir-measures allows for a relevance level.
    """

    name: str
    kind: type[int] | type[bool]
    desc: str
    default: Value | None = None
    largest: int = LARGEST
    true_is_one: bool = False

    def checked(self, value: Any, measure: str) -> Value:
        """Return `value` as a Python number or bool.

        Raises
        ------
        ValueError
            If the parameter does not take this value; the message names `measure`.
        """
        if problem := self.problem(value):
            raise ValueError(
                f"{measure}: {self.name} ({self.desc}) {problem}; for instance {_EXAMPLES[measure]}"
            )
        return bool(value) if self.kind is bool else int(value)

    def problem(self, value: Any) -> str | None:
        """Return what is wrong with a value, or None if the parameter takes it."""
        is_bool = isinstance(value, bool | np.bool_)
        if self.kind is bool:
            return None if is_bool else f"takes True or False, got {value!r:.60}"
        is_number = isinstance(value, int | np.integer) and (not is_bool or self.true_is_one)
        if is_number and 1 <= value <= self.largest:
            return None
        limit = f" up to {self.largest}" if is_number and value > self.largest else ""
        return f"takes a positive whole number{limit}, got {value!r:.60}"


@dataclass(frozen=True)
class Declaration:
    """A measure, independent of any framework.

    Attributes
    ----------
    name : str
        Its name in measure strings.
    pretty_name, short_desc, doc : str
        Its name in full, one sentence about it, and a paragraph.
    parameters : tuple of Parameter
        The parameters that it takes.
    requires : callable
        Takes the parameters; returns what is wrong with their combination, or None.
    score : callable
        Takes the ranks found, the number of documents in the collection (None, one for
        all topics or an array of one per topic) and the cutoff (or None); returns the
        score of each topic.
    """

    name: str
    pretty_name: str
    short_desc: str
    doc: str
    parameters: tuple[Parameter, ...]
    requires: Callable[[Mapping[str, Value]], str | None]
    score: Callable[[TopicRanks, Any, int | None], NDArray[np.float64]]

    def checked(self, params: Mapping[str, Any]) -> dict[str, Value]:
        """Return the given parameters as Python numbers, after checking each by itself.

        Raises
        ------
        TypeError
            If the measure has no parameter of that name.
        ValueError
            If a parameter does not take its value.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in params:
            if name not in known:
                raise TypeError(
                    f"{self.name} has no parameter {name!r}; it takes {', '.join(known)}"
                )
        return {name: known[name].checked(value, self.name) for name, value in params.items()}

    def check_complete(self, params: Mapping[str, Value]) -> None:
        """Raise a ValueError if the measure cannot be computed from these parameters."""
        if problem := self.requires(params):
            raise ValueError(f"{self.name}: {problem}")


CUTOFF = Parameter("cutoff", int, "Nmax, how many documents the user is willing to check")
REL = Parameter(
    "rel", int, "minimum relevance score to be considered relevant (inclusive)", default=1
)
JUDGED_ONLY = Parameter(
    "judged_only",
    bool,
    "ignore returned documents that do not have relevance judgments",
    default=False,
)
COLLECTION_SIZE = Parameter("N", int, "number of documents in the collection")

# AP and recall take the same values as ir-measures' own AP and R.
_THEIR_CUTOFF = replace(CUTOFF, largest=_LARGEST_TREC_CUTOFF)
_THEIR_REL = replace(REL, largest=_LARGEST_TREC_REL, true_is_one=True)

_EXAMPLES = {
    "PRES": "PRES@100",
    "PRES_est": "PRES_est@100",
    "Rnorm": "Rnorm(N=11429) or Rnorm(judged_only=True)",
    "AP": "AP or AP@100",
    "R": "R@100",
}


def _needs_cutoff(name: str) -> Callable[[Mapping[str, Value]], str | None]:
    def problem(params: Mapping[str, Value]) -> str | None:
        if "cutoff" in params:
            return None
        return f"a cutoff is missing ({CUTOFF.desc}); write {_EXAMPLES[name]}"

    return problem


def _needs_one_collection_size(params: Mapping[str, Value]) -> str | None:
    if params.get("judged_only", False):
        if "N" not in params:
            return None
        return (
            "N and judged_only=True exclude each other: among judged documents only, "
            "the collection of a topic is its judged documents"
        )
    if "N" in params:
        return None
    return (
        "the collection's size is missing; write Rnorm(N=...) with the number of documents in the "
        "collection, or Rnorm(judged_only=True) where each topic's documents are judged completely"
    )


PRES = Declaration(
    name="PRES",
    pretty_name="Patent Retrieval Evaluation Score",
    short_desc="Recall in the top k results, and how early in them the relevant documents come.",
    doc="""
    The Patent Retrieval Evaluation Score (PRES@k). Recall at k, weighted by how far down the top k
    results the user has to read: the area between the ranking and the worst case, as a part of the
    area between the best and the worst case, where the worst is to find every relevant document
    right after rank k. The cutoff is the paper's Nmax, the number of results that the user is
    willing to check.

    PRES@k lies between n * R^2 / k and R, for n relevant documents and a recall of R at k.
    """,
    parameters=(CUTOFF, REL, JUDGED_ONLY),
    requires=_needs_cutoff("PRES"),
    score=lambda ranks, n_docs, cutoff: topics.pres(ranks.within(cutoff), _given(cutoff)),
)

PRES_EST = Declaration(
    name="PRES_est",
    pretty_name="Patent Retrieval Evaluation Score relative to the best attainable",
    short_desc="PRES at k divided by the best that the top k results have room for.",
    doc="""
    PRES@k divided by the highest recall that k results have room for (k / n where k is at most n,
    the number of relevant documents). The same as PRES@k for topics with at most k relevant
    documents; elsewhere, unlike it, able to reach 1.
    """,
    parameters=(CUTOFF, REL, JUDGED_ONLY),
    requires=_needs_cutoff("PRES_est"),
    score=lambda ranks, n_docs, cutoff: topics.pres_est(ranks.within(cutoff), _given(cutoff)),
)

RNORM = Declaration(
    name="Rnorm",
    pretty_name="Normalised Recall",
    short_desc="How early relevant documents come in a ranking of the whole collection.",
    doc="""
    Normalised recall (Rnorm). The area between the ranking and the worst possible one, as a part of
    the area between the best and the worst, over the whole collection of N documents. Relevant
    documents that were not retrieved, or not in the top k results (Rnorm@k), are taken to be the
    collection's last. For a complete ranking it equals the area under the ROC curve.

    N is required, except with judged_only=True, where each topic's collection is its judged
    documents: the right thing for collections that are judged completely.
    """,
    parameters=(CUTOFF, REL, JUDGED_ONLY, COLLECTION_SIZE),
    requires=_needs_one_collection_size,
    score=lambda ranks, n_docs, cutoff: topics.rnorm(ranks.within(cutoff), n_docs),
)

AP = Declaration(
    name="AP",
    pretty_name="Average Precision",
    short_desc="The mean of the precisions at the ranks of the relevant documents.",
    doc="""
    Average precision (AP, AP@k). The precisions at the ranks of the relevant documents that were
    retrieved (in the top k results), summed, over the number of relevant documents.
    """,
    parameters=(_THEIR_CUTOFF, _THEIR_REL, JUDGED_ONLY),
    requires=lambda params: None,
    score=lambda ranks, n_docs, cutoff: topics.average_precision(
        ranks.within(cutoff), ranks.precision_sum(cutoff)
    ),
)

RECALL = Declaration(
    name="R",
    pretty_name="Recall",
    short_desc="The part of the relevant documents that is in the top k results.",
    doc="""
    Recall (R@k). The number of relevant documents in the top k results, over the number of
    relevant documents.
    """,
    parameters=(_THEIR_CUTOFF, _THEIR_REL, JUDGED_ONLY),
    requires=_needs_cutoff("R"),
    score=lambda ranks, n_docs, cutoff: topics.recall(ranks.within(cutoff)),
)

#: The measures that this project adds to the frameworks.
MEASURES = (PRES, PRES_EST, RNORM)


def collection_too_small(measure: object, query_id: str, known: object) -> str:
    """Return the error message for an N below the number of `known` documents of a topic."""
    return (
        f"{measure}: topic {query_id!r} has {known} documents that were retrieved or are relevant, "
        f"more than N; set N to the number of documents in the collection"
    )


def _given(cutoff: int | None) -> int:
    if cutoff is None:
        raise ValueError("scored without a cutoff; check_complete() comes first")
    return cutoff
