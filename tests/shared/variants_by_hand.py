"""What each known variant of PRES computes, by a definition of its own: one document at a time.

Nothing here comes from the package.
"""

import struct
from fractions import Fraction
from typing import NamedTuple


class Topic(NamedTuple):
    """The ranks of the relevant documents found, how many there are, and the ranking's length."""

    found: list
    n: int
    length: int
    n_max: int
    n_docs: int


def in_32_bits(score):
    return struct.unpack("f", struct.pack("f", score))[0]


def once(lines):
    """The first line of each document."""
    first = {}
    for doc, score in lines:
        first.setdefault(doc, score)
    return list(first.items())


def ranking(lines, bits=32, ties="descending"):
    if ties != "file":
        lines = sorted(lines, key=lambda line: line[0], reverse=ties == "descending")
    shown = in_32_bits if bits == 32 else float
    return [doc for doc, score in sorted(lines, key=lambda line: -shown(line[1]))]


def score(topic, rank_of_missed, divisor):
    """1 minus the excess of the mean rank over the best, in parts of the divisor.

    Missed documents are numbered from found+1 to n, and `rank_of_missed` returns their ranks.
    """
    ranks = topic.found + [rank_of_missed(i) for i in range(len(topic.found) + 1, topic.n + 1)]
    if topic.n == 0 or divisor == 0:
        return Fraction(0)
    return 1 - (Fraction(sum(ranks), topic.n) - Fraction(topic.n + 1, 2)) / divisor


def pres(topic):
    """Add the part of 1/n that each document found keeps; repeated ones are found more often."""
    kept = [1 - Fraction(rank - i, topic.n_max) for i, rank in enumerate(topic.found, 1)]
    return sum(kept, Fraction(0)) / topic.n if topic.n else Fraction(0)


def missed_at_n_max(topic):
    return score(topic, lambda _: topic.n_max, topic.n_max)


def missed_after_n_max(topic):
    return score(topic, lambda _: topic.n_max + 1, topic.n_max)


def divided_by_n_max_less_n(topic):
    return score(topic, lambda i: topic.n_max + i, topic.n_max - topic.n)


def only_found_in_n(topic):
    return pres(topic._replace(n=len(topic.found)))


def n_max_retrieved(topic):
    return pres(topic._replace(n_max=topic.length))


def pres_est(topic):
    return pres(topic) / min(Fraction(topic.n_max, topic.n), 1)


def rnorm(topic):
    if topic.n == topic.n_docs:
        return Fraction(1)
    return score(topic, lambda i: topic.n_docs - topic.n + i, topic.n_docs - topic.n)


def rnorm_of_n_max(topic):
    return rnorm(topic._replace(n_docs=topic.n_max))


def rnorm_of_the_list(topic):
    """The fraction of pairs in which a relevant document comes before one that is not."""
    good = topic.found
    bad = {*range(1, min(topic.length, topic.n_max) + 1)}.difference(good)
    if not bad:
        return Fraction(bool(good))
    pairs = [(a < b) for a in good for b in bad]
    return Fraction(sum(pairs), len(pairs)) if pairs else Fraction(0)


FORMULAS = {
    "missed-at-n-max": missed_at_n_max,
    "missed-after-n-max": missed_after_n_max,
    "divided-by-n-max-less-n": divided_by_n_max_less_n,
    "only-found-in-n": only_found_in_n,
    "n-max-retrieved": n_max_retrieved,
    "pres-est": pres_est,
    "rnorm": rnorm,
    "rnorm-of-n-max": rnorm_of_n_max,
    "rnorm-of-the-list": rnorm_of_the_list,
}
ORDERS = {
    "64-bit-scores": {"bits": 64},
    "ties-by-ascending-id": {"ties": "ascending"},
    "ties-by-file-order": {"ties": "file"},
}


def values(lines, relevant, n_max, n_docs, name=None):
    """Return the value of each topic, and their mean, with a variant."""
    last = None if name in ("no-cutoff", "n-max-retrieved") else n_max
    found = {}
    for topic, documents in relevant.items():
        of_topic = lines.get(topic, [])
        docs = ranking(
            of_topic if name == "repeats-counted" else once(of_topic), **ORDERS.get(name, {})
        )
        ranks = [rank for rank, doc in enumerate(docs[:last], 1) if doc in documents]
        topic_ranks = Topic(ranks, len(documents), len(docs), n_max, n_docs)
        value = FORMULAS.get(name, pres)(topic_ranks) if documents else Fraction(0)
        found[topic] = value * (100 if name == "percentages" else 1)
    averaged = list(found.values())
    if name == "topics-without-results-left-out":
        averaged = [found[topic] for topic in relevant if lines.get(topic)]
    if name == "topics-without-relevant-left-out":
        averaged = [found[topic] for topic in relevant if relevant[topic]]
    return found, sum(averaged) / len(averaged)
