"""Scores by the definitions of the measures, document by document and in fractions.

Nothing here comes from the package or from a framework.
"""

import math
import re
from ctypes import c_float
from fractions import Fraction


def ranking(docs):
    """Return the documents by descending score in 32 bits, then by descending id, as trec_eval."""
    return sorted(docs, key=lambda doc: (c_float(docs[doc]).value, doc), reverse=True)


def as_scores(order):
    """Return scores that rank the documents in this order, without ties."""
    return {doc: float(len(order) - rank) for rank, doc in enumerate(order)}


def _excess(ranks, n, length):
    """By how much the mean rank is above the best possible one, in parts of `length`."""
    return (Fraction(sum(ranks), n) - Fraction(n + 1, 2)) / length


def pres(ranks, n, n_max):
    """Documents that are missed follow Nmax."""
    found = [rank for rank in ranks if rank <= n_max]
    return 1 - _excess([*found, *range(n_max + len(found) + 1, n_max + n + 1)], n, n_max)


def pres_est(ranks, n, n_max):
    return pres(ranks, n, n_max) / min(Fraction(n_max, n), 1)


def rnorm(ranks, n, n_docs, n_max=math.inf):
    """Documents that are missed are the last ones of the collection."""
    found = [rank for rank in ranks if rank <= n_max]
    if n == n_docs:
        return 1 if found else 0
    missed = range(n_docs - n + len(found) + 1, n_docs + 1)
    return 1 - _excess([*found, *missed], n, n_docs - n)


def average_precision(ranks, n, n_max=math.inf):
    precisions = [Fraction(i, k) for i, k in enumerate(sorted(ranks), 1) if k <= n_max]
    return sum(precisions, Fraction(0)) / n


def recall(ranks, n, n_max=math.inf):
    return Fraction(sum(rank <= n_max for rank in ranks), n)


def goal(n, recall, rounding):
    """How many of `n` relevant documents must be found; at least one."""
    if rounding == "nearest":
        return max(1, round(recall * n))  # as the organisers of CLEF TAR compute it
    return max(1, math.ceil(Fraction(str(recall)) * n))


def reached(ranks, n, recall, rounding):
    """How many must be found and the rank at which they are, or None if they never are."""
    g = goal(n, recall, rounding)
    return (g, sorted(ranks)[g - 1]) if n and len(ranks) >= g else None


def wss(ranks, n, n_docs, recall=0.95, rounding="up"):
    if (found := reached(ranks, n, recall, rounding)) is None:
        return 0.0
    _, k = found
    return (n_docs - k) / n_docs - (1 - recall)


def tnr(ranks, n, n_docs, recall=0.95, rounding="up"):
    if (found := reached(ranks, n, recall, rounding)) is None:
        return 0.0
    g, k = found
    return 1 - (k - g) / (n_docs - n) if n_docs > n else 1.0


def effort(ranks, n, n_docs, recall=0.95, rounding="up"):
    """All documents if the recall is never reached; none if there is nothing to find."""
    if (found := reached(ranks, n, recall, rounding)) is None:
        return n_docs if n else 0
    return found[1]


def last_rel(ranks, n, n_max=math.inf):
    return max((rank for rank in ranks if rank <= n_max), default=0)


#: By the name of the measure: its definition, and what stands after @ in it.
DEFINITIONS = {
    "PRES": (pres, "n_max"),
    "PRES_est": (pres_est, "n_max"),
    "Rnorm": (rnorm, "n_max"),
    "AP": (average_precision, "n_max"),
    "R": (recall, "n_max"),
    "WSS": (wss, "recall"),
    "TNR": (tnr, "recall"),
    "Effort": (effort, "recall"),
    "LastRel": (last_rel, "n_max"),
}

#: The measures that depend on a recall.
OF_RECALL = [name for name, (_, at) in DEFINITIONS.items() if at == "recall"]


def read(measure):
    """Return the name of a measure, its parameters, and what stands after @ as a number."""
    name, params, _, at = re.fullmatch(r"(\w+)(?:\((.*)\))?(@(.+))?", measure).groups()
    return name, eval(f"dict({params or ''})"), at and (float if "." in at else int)(at)


def topic(measure, judged, docs):
    """Return what a definition takes: its name, the ranks, their number, and its parameters."""
    name, params, at = read(measure)
    order, rel = ranking(docs), params.pop("rel", 1)
    if "N" in params:
        params["n_docs"] = params.pop("N")
    if params.pop("judged_only", False):
        order = [doc for doc in order if judged.get(doc, -1) >= 0]
        if name in ("Rnorm", *OF_RECALL):
            params["n_docs"] = sum(relevance >= 0 for relevance in judged.values())
    if at is not None:
        params[DEFINITIONS[name][1]] = at
    relevant = {doc for doc, relevance in judged.items() if relevance >= rel}
    return (
        name,
        [rank for rank, doc in enumerate(order, 1) if doc in relevant],
        len(relevant),
        params,
    )


def value(measure, judged, docs):
    """Score a topic, given the relevance of its judged documents and the scores of a run."""
    name, ranks, n, params = topic(measure, judged, docs)
    return float(DEFINITIONS[name][0](ranks, n, **params)) if n else 0.0


def values(measures, qrels, run):
    """Score each judged topic by each measure: by topic and measure, with means of topic "all"."""
    scored = {
        (topic, measure): value(measure, judged, run.get(topic, {}))
        for measure in measures
        for topic, judged in qrels.items()
    }
    for measure in measures if qrels else ():
        scored["all", measure] = sum(scored[topic, measure] for topic in qrels) / len(qrels)
    return scored
