"""The measures, each declared once. Every interface reads its measures from here.

:data:`OURS` lists the measures that are added to the frameworks. The frameworks already
have AP and R, which are declared here for dataframes, files and studies.
"""

from __future__ import annotations

import copyreg
from typing import TYPE_CHECKING, Any

from pres_plugin.kernel import formulas
from pres_plugin.measures.declaration import (
    Declaration,
    needs_cutoff,
    needs_nothing,
    needs_one_collection_size,
)
from pres_plugin.measures.measure import Measure
from pres_plugin.measures.parameters import (
    COLLECTION_SIZE,
    CUTOFF,
    JUDGED_ONLY,
    RECALL,
    REL,
    ROUNDING,
    TREC_EVAL_CUTOFF,
    TREC_EVAL_REL,
    Value,
)

if TYPE_CHECKING:
    from pres_plugin.kernel.topics import Formula

__all__ = ["AP", "PRES", "TNR", "WSS", "LastRel", "PRES_est", "R", "Rnorm"]

PRES: Measure = Measure(
    Declaration(
        name="PRES",
        pretty_name="Patent Retrieval Evaluation Score",
        short_desc="Recall at k, reduced if relevant documents appear late in the top k results.",
        doc="""
    The Patent Retrieval Evaluation Score (PRES@k). Recall at k, reduced if relevant documents
    appear late in the top k results. On a plot of recall by rank, PRES is the area between the
    ranking and the worst case, divided by the area between the best case and the worst case. In
    the worst case, all relevant documents come right after rank k. The cutoff k is the paper's
    Nmax, the number of results that the user is willing to check.

    With n relevant documents and recall R at k, PRES@k is between n * R^2 / k and R.
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
        pretty_name="Patent Retrieval Evaluation Score relative to its maximum",
        short_desc="PRES@k divided by the highest recall that is possible at k.",
        doc="""
    PRES@k divided by the highest recall that is possible at k. This is k / n for topics with n > k
    relevant documents, and 1 for all others. So PRES_est@k differs from PRES@k only for topics with
    more than k relevant documents. There it can reach 1, and PRES@k cannot.
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


def _n_docs_above_n(topic: Any) -> Any:
    # If all documents are relevant, every ranking is perfect, and the formulas are 0/0.
    return topic.where(topic.n == topic.n_docs, topic.n_docs + 1, topic.n_docs)


def _rnorm(topic: Any) -> Any:
    score = formulas.rnorm(topic.n, topic.found, topic.rank_sum, _n_docs_above_n(topic))
    return topic.where(topic.n == topic.n_docs, 1.0, score)


Rnorm: Measure = Measure(
    Declaration(
        name="Rnorm",
        pretty_name="Normalised Recall",
        short_desc="How early relevant documents appear in a ranking of the whole collection.",
        doc="""
    Normalised recall (Rnorm). On a plot of recall by rank over the whole collection of N documents,
    Rnorm is the area between the ranking and the worst case, divided by the area between the best
    case and the worst case. Relevant documents that were not retrieved, or not in the top k results
    (Rnorm@k), are assigned the last ranks of the collection. For a ranking of the whole collection,
    Rnorm equals the area under the ROC curve.

    N is required, except with judged_only=True, where each topic's collection consists of its
    judged documents. Use judged_only=True if each topic's collection is judged completely.
    """,
        example="Rnorm(N=11429) or Rnorm(judged_only=True)",
        parameters=(CUTOFF, REL, JUDGED_ONLY, COLLECTION_SIZE),
        requires=needs_one_collection_size("Rnorm({})"),
        statistics=("found", "rank_sum"),
        formula=_rnorm,
    )
)


def _if_reached(formula: Formula) -> Formula:
    """Return the formula of a measure that is 0 if a topic's goal is never reached."""

    def score(topic: Any) -> Any:
        is_short = topic.goal.includes(topic.goal_found + 1, topic.n)
        return topic.where(is_short, 0.0, formula(topic))

    return score


WSS: Measure = Measure(
    Declaration(
        name="WSS",
        pretty_name="Work Saved over Sampling",
        short_desc="The fraction of the collection that the user need not check to reach a recall, "
        "minus the same fraction for a random order.",
        doc="""
    Work saved over sampling at recall R (WSS@R), R = 0.95 by default. If recall R is reached at
    rank K in a collection of N documents, WSS is (N - K) / N - (1 - R): the fraction of the
    collection that the user need not check, minus the same fraction for a random order. WSS is 0 if
    recall R is never reached. A ranking that is worse than a random order can have a WSS below 0.

    Recall R is reached when R * n of the n relevant documents have been found, where R * n is
    rounded up. With rounding='nearest', R * n is rounded with Python's round(), as the organisers
    of CLEF TAR do.

    N is required, except with judged_only=True, where each topic's collection consists of its
    judged documents.
    """,
        example="WSS(N=11429)@0.95 or WSS(judged_only=True)@0.95",
        parameters=(RECALL, REL, JUDGED_ONLY, COLLECTION_SIZE, ROUNDING),
        requires=needs_one_collection_size("WSS({})@0.95"),
        statistics=("goal_found", "goal_rank"),
        formula=_if_reached(
            lambda topic: formulas.wss(topic.goal_rank, topic.n_docs, topic.goal.recall)
        ),
        at=RECALL,
    )
)

TNR: Measure = Measure(
    Declaration(
        name="TNR",
        pretty_name="True Negative Rate",
        short_desc="The fraction of the non-relevant documents that the user need not check to "
        "reach a recall.",
        doc="""
    True negative rate at recall R (TNR@R), R = 0.95 by default. If recall R is reached at rank K,
    with g of n relevant documents found, in a collection of N documents, TNR is
    1 - (K - g) / (N - n): the fraction of the non-relevant documents that the user need not check.
    TNR is 0 if recall R is never reached. It is WSS normalised to the range from 0 to 1,
    so that topics and collections can be compared. The parameters are those of WSS.
    """,
        example="TNR(N=11429)@0.95 or TNR(judged_only=True)@0.95",
        parameters=(RECALL, REL, JUDGED_ONLY, COLLECTION_SIZE, ROUNDING),
        requires=needs_one_collection_size("TNR({})@0.95"),
        statistics=("goal_found", "goal_rank"),
        formula=_if_reached(
            lambda topic: formulas.tnr(
                topic.n, topic.goal_found, topic.goal_rank, _n_docs_above_n(topic)
            )
        ),
        at=RECALL,
    )
)

LastRel: Measure = Measure(
    Declaration(
        name="LastRel",
        pretty_name="Rank of the last relevant document found",
        short_desc="The rank of the last relevant document that was found in the top k results.",
        doc="""
    The rank of the last relevant document that was found (in the top k results), as reported at
    CLEF TAR; 0 if none was found. A smaller value is not necessarily better: it can mean that the
    user had little to check, or that the ranking missed relevant documents.
    """,
        example="LastRel or LastRel@100",
        parameters=(CUTOFF, REL, JUDGED_ONLY),
        requires=needs_nothing,
        statistics=("last_rank",),
        formula=lambda topic: topic.last_rank,
        has_direction=False,
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
        short_desc="The fraction of the relevant documents that are in the top k results.",
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
OURS: tuple[Measure, ...] = (PRES, PRES_est, Rnorm, WSS, TNR, LastRel)

#: All measures by name, those of :data:`OURS` first.
BY_NAME: dict[str, Measure] = {measure.name: measure for measure in (*OURS, AP, R)}


def _restored(name: str, params: dict[str, Value]) -> Measure:
    return BY_NAME[name](**params)


def _reduced(measure: Measure) -> tuple[Any, ...]:
    return _restored, (measure.name, dict(measure.params))


# Measures are pickled by name, since declarations contain functions, which cannot be pickled.
copyreg.pickle(Measure, _reduced)
