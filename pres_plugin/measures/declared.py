"""The measures, each declared once. Every interface reads its measures from here.

:data:`OURS` lists those that are added to the frameworks. AP and R are for the interfaces
without a framework that provides them: dataframes, files and studies.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pres_plugin.kernel import formulas
from pres_plugin.measures.declaration import Declaration, needs_cutoff, needs_nothing
from pres_plugin.measures.measure import Measure
from pres_plugin.measures.parameters import (
    COLLECTION_SIZE,
    CUTOFF,
    JUDGED_ONLY,
    REL,
    TREC_EVAL_CUTOFF,
    TREC_EVAL_REL,
    Value,
)

__all__ = ["AP", "PRES", "PRES_est", "R", "Rnorm"]

PRES: Measure = Measure(
    Declaration(
        name="PRES",
        pretty_name="Patent Retrieval Evaluation Score",
        short_desc="Recall in the top k results, reduced if relevant documents come late in them.",
        doc="""
    The Patent Retrieval Evaluation Score (PRES@k). Recall at k, reduced by how far down the top k
    results the user has to read. It is the area between the ranking and the worst case, divided by
    the area between the best case and the worst case. In the worst case, all relevant documents
    come right after rank k. The cutoff is the paper's Nmax, the number of results that the user is
    willing to check.

    PRES@k lies between n * R^2 / k and R, for n relevant documents and a recall of R at k.
    """,
        example="PRES@100",
        parameters=(CUTOFF, REL, JUDGED_ONLY),
        requires=needs_cutoff("PRES@100"),
        statistics=("found", "rank_sum"),
        formula=lambda topic: formulas.pres(topic.n, topic.found, topic.rank_sum, topic.n_max),
        counts_to_n_max=True,
    )
)

PRES_est: Measure = Measure(
    Declaration(
        name="PRES_est",
        pretty_name="Patent Retrieval Evaluation Score relative to the best attainable",
        short_desc="PRES at k divided by the best that the top k results have room for.",
        doc="""
    PRES@k divided by the highest recall that k results have room for: k / n if there are more than
    k relevant documents (n > k), otherwise 1. So it equals PRES@k for topics with at most k
    relevant documents. For all others it can still reach 1, which PRES@k cannot.
    """,
        example="PRES_est@100",
        parameters=(CUTOFF, REL, JUDGED_ONLY),
        requires=needs_cutoff("PRES_est@100"),
        statistics=("found", "rank_sum"),
        formula=lambda topic: formulas.pres_est(
            topic.n, topic.found, topic.rank_sum, topic.n_max, topic.minimum(topic.n, topic.n_max)
        ),
        counts_to_n_max=True,
    )
)


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


def _rnorm(topic: Any) -> Any:
    # If all documents are relevant, every ranking is perfect, and the formula is 0/0.
    all_relevant = topic.n == topic.n_docs
    n_docs = topic.where(all_relevant, topic.n_docs + 1, topic.n_docs)
    score = formulas.rnorm(topic.n, topic.found, topic.rank_sum, n_docs)
    return topic.where(all_relevant, 1.0, score)


Rnorm: Measure = Measure(
    Declaration(
        name="Rnorm",
        pretty_name="Normalised Recall",
        short_desc="How early relevant documents come in a ranking of the whole collection.",
        doc="""
    Normalised recall (Rnorm). The area between the ranking and the worst possible one, divided by
    the area between the best and the worst, over the whole collection of N documents. Relevant
    documents that were not retrieved, or not in the top k results (Rnorm@k), count as the
    collection's last. For a complete ranking, Rnorm equals the area under the ROC curve.

    N is required, except with judged_only=True, where each topic's collection is its judged
    documents. Use that for collections in which every document is judged.
    """,
        example="Rnorm(N=11429) or Rnorm(judged_only=True)",
        parameters=(CUTOFF, REL, JUDGED_ONLY, COLLECTION_SIZE),
        requires=_needs_one_collection_size,
        statistics=("found", "rank_sum"),
        formula=_rnorm,
    )
)

AP: Measure = Measure(
    Declaration(
        name="AP",
        pretty_name="Average Precision",
        short_desc="The mean of the precisions at the ranks of the relevant documents.",
        doc="""
    Average precision (AP, AP@k). The sum of the precisions at the ranks of the relevant documents
    that were retrieved (in the top k results), divided by the number of relevant documents.
    """,
        example="AP or AP@100",
        parameters=(TREC_EVAL_CUTOFF, TREC_EVAL_REL, JUDGED_ONLY),
        requires=needs_nothing,
        statistics=("precision_sum",),
        formula=lambda topic: formulas.average_precision(topic.n, topic.precision_sum),
        aliases=("MAP",),
    )
)

R: Measure = Measure(
    Declaration(
        name="R",
        pretty_name="Recall",
        short_desc="The fraction of the relevant documents that is in the top k results.",
        doc="""
    Recall (R@k). The number of relevant documents in the top k results, divided by the number of
    relevant documents.
    """,
        example="R@100",
        parameters=(TREC_EVAL_CUTOFF, TREC_EVAL_REL, JUDGED_ONLY),
        requires=needs_cutoff("R@100"),
        statistics=("found",),
        formula=lambda topic: formulas.recall(topic.n, topic.found),
        aliases=("Recall",),
    )
)

#: The measures that this project adds to the frameworks.
OURS: tuple[Measure, ...] = (PRES, PRES_est, Rnorm)

#: All measures by name, those of :data:`OURS` first.
BY_NAME: dict[str, Measure] = {measure.name: measure for measure in (*OURS, AP, R)}
