"""What each known variant of PRES computes, by a definition of its own: one document at a time.

Nothing here comes from the package. The functions that score a topic get the ranking, the relevant
documents, Nmax, N and the last rank that counts; None if all count.
"""

import struct
from fractions import Fraction


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


def found_at(docs, relevant, last):
    return [rank for rank, doc in enumerate(docs[:last], 1) if doc in relevant]


def one_less_excess(ranks, n, divisor):
    """1 minus the excess of the mean rank over the best, in parts of the divisor."""
    if n == 0 or divisor == 0:
        return Fraction(0)
    return 1 - (Fraction(sum(ranks), n) - Fraction(n + 1, 2)) / divisor


def worst(n_max, found, n):
    return list(range(n_max + found + 1, n_max + n + 1))


def pres(docs, relevant, n_max, n_docs, last):
    found, n = found_at(docs, relevant, last), len(relevant)
    return one_less_excess(found + worst(n_max, len(found), n), n, n_max)


def missed_at_n_max(docs, relevant, n_max, n_docs, last):
    found, n = found_at(docs, relevant, last), len(relevant)
    return one_less_excess(found + [n_max] * (n - len(found)), n, n_max)


def missed_after_n_max(docs, relevant, n_max, n_docs, last):
    found, n = found_at(docs, relevant, last), len(relevant)
    return one_less_excess(found + [n_max + 1] * (n - len(found)), n, n_max)


def divided_by_n_max_less_n(docs, relevant, n_max, n_docs, last):
    found, n = found_at(docs, relevant, last), len(relevant)
    return one_less_excess(found + worst(n_max, len(found), n), n, n_max - n)


def only_found_in_n(docs, relevant, n_max, n_docs, last):
    found = found_at(docs, relevant, last)
    return one_less_excess(found, len(found), n_max)


def n_max_retrieved(docs, relevant, n_max, n_docs, last):
    return pres(docs, relevant, len(docs), n_docs, None)


def pres_est(docs, relevant, n_max, n_docs, last):
    highest = min(Fraction(n_max, max(len(relevant), 1)), 1)
    return pres(docs, relevant, n_max, n_docs, last) / highest


def rnorm(docs, relevant, n_max, n_docs, last):
    found, n = found_at(docs, relevant, last), len(relevant)
    if n == n_docs:
        return Fraction(1)
    missed = list(range(n_docs - n + len(found) + 1, n_docs + 1))
    return one_less_excess(found + missed, n, n_docs - n)


def rnorm_of_n_max(docs, relevant, n_max, n_docs, last):
    return rnorm(docs, relevant, n_max, n_max, last)


def rnorm_of_the_list(docs, relevant, n_max, n_docs, last):
    """The fraction of pairs in which a relevant document comes before one that is not."""
    docs = docs[:last]
    good = [rank for rank, doc in enumerate(docs) if doc in relevant]
    bad = [rank for rank, doc in enumerate(docs) if doc not in relevant]
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
OTHERS = [
    "no-cutoff",
    "repeats-counted",
    "topics-without-results-left-out",
    "topics-without-relevant-left-out",
    "percentages",
]


def values(lines, relevant, n_max, n_docs, *names):
    """Return the value of each topic, and their mean, with these variants together."""
    order = {}
    for name in names:
        order |= ORDERS.get(name, {})
    [formula] = [FORMULAS[name] for name in names if name in FORMULAS] or [pres]
    scale = 100 if "percentages" in names else 1
    found = {}
    for topic, documents in relevant.items():
        of_topic = lines.get(topic, [])
        if "repeats-counted" not in names:
            of_topic = once(of_topic)
        last = None if "no-cutoff" in names else n_max
        score = formula(ranking(of_topic, **order), documents, n_max, n_docs, last)
        found[topic] = score * scale if documents else Fraction(0)
    averaged = list(found.values())
    if "topics-without-results-left-out" in names:
        averaged = [found[topic] for topic in relevant if lines.get(topic)]
    if "topics-without-relevant-left-out" in names:
        averaged = [found[topic] for topic in relevant if relevant[topic]]
    return found, sum(averaged) / len(averaged)
