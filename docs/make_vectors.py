"""Write the test vectors for implementations of PRES, as JSON and as CSV.

Run it as ``python docs/make_vectors.py``. It writes ``vectors/pres-vectors.json`` and
``vectors/pres-vectors.csv``, which contain the same cases. The page
``how-to/check-your-implementation.md`` describes the files.

The expected values follow from the definitions of the measures, rank by rank, with exact
fractions. Nothing here uses pres_plugin, so the vectors are an independent check of it.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from ctypes import c_float
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "vectors"

DIGITS = 12

HEAD = {
    "$schema": "pres-vectors.schema.json",
    "title": "Test vectors for PRES, PRES_est, Rnorm, AP and recall",
    "measures": {
        "PRES": "PRES at n_max",
        "PRES_est": "PRES at n_max, divided by the highest PRES that is possible for the topic",
        "Rnorm": "normalised recall in a collection of n_docs documents, without a cutoff",
        "AP": "average precision at n_max",
        "R": "recall at n_max",
    },
}

MEASURES = tuple(HEAD["measures"])

Qrels = Mapping[str, Mapping[str, int]]
Rows = Sequence[tuple[str, float]]


@dataclass(frozen=True)
class Case:
    """A run, its judgements and the parameters of the measures.

    Attributes
    ----------
    name, about : str
        The name of the case, and what it checks.
    n_max, n_docs : int
        Nmax, and the number N of documents in the collection.
    qrels : mapping of str to mapping of str to int
        Relevance by topic and document. Documents are relevant from 1.
    run : mapping of str to sequence of pairs
        Documents and scores by topic, in the order of the file.
    duplicates : {'none', 'first', 'last', 'highest'}
        Which row of a repeated document the expected values keep.
    """

    name: str
    about: str
    n_max: int
    qrels: Qrels
    run: Mapping[str, Rows]
    n_docs: int = 500
    duplicates: str = "none"


# --- The definitions ---------------------------------------------------------------------------


def ranking(rows: Rows, duplicates: str) -> list[str]:
    """Return the documents in trec_eval's order: by 32-bit score, then by id, both descending."""
    kept: dict[str, float] = {}
    for doc, score in rows:
        if doc not in kept or duplicates == "last":
            kept[doc] = score
        elif duplicates == "highest":
            kept[doc] = max(kept[doc], score)
        elif duplicates == "none":
            raise ValueError(f"document {doc!r} is repeated, but the case does not say so")
    return sorted(kept, key=lambda doc: (c_float(kept[doc]).value, doc), reverse=True)


def with_missed(found: Iterable[int], n: int, last: int) -> list[int]:
    """Assign the last ranks, up to `last`, to the relevant documents that were not found."""
    ranks = sorted(found)
    ranks += range(last - (n - len(ranks)) + 1, last + 1)
    if len(set(ranks)) < n:
        raise ValueError(f"{n} relevant documents do not fit into {last} ranks")
    return ranks


def fraction_kept(ranks: Sequence[int], last: int) -> Fraction:
    """Return A2 / (A1 + A2), adding up at each rank how many relevant documents are found.

    In the best case, the relevant documents have the first ranks; in the worst case, they have
    the last ranks, up to `last`. If both are the same, the ranking has kept everything.
    """
    n = len(ranks)
    kept = possible = 0
    for k in range(1, last + 1):
        best, worst = min(k, n), max(0, k - (last - n))
        kept += sum(rank <= k for rank in ranks) - worst
        possible += best - worst
    return Fraction(kept, possible) if possible else Fraction(1)


def scores(ranks: Sequence[int], n: int, n_max: int, n_docs: int) -> dict[str, Fraction]:
    """Return the measures of a topic, from the ranks of its relevant documents in the run."""
    if n == 0:
        return dict.fromkeys(MEASURES, Fraction(0))
    found = [rank for rank in ranks if rank <= n_max]

    def pres(found: Iterable[int]) -> Fraction:
        return fraction_kept(with_missed(found, n, n_max + n), n_max + n)

    best = range(1, min(n, n_max) + 1)
    precisions = (Fraction(sum(r <= rank for r in found), rank) for rank in found)
    return {
        "PRES": pres(found),
        "PRES_est": pres(found) / pres(best),
        "Rnorm": fraction_kept(with_missed(ranks, n, n_docs), n_docs),
        "AP": sum(precisions, Fraction(0)) / n,
        "R": Fraction(len(found), n),
    }


def expected(case: Case) -> dict[str, Any]:
    """Return the expected values of each judged topic, and their means."""
    topics, exact = {}, []
    for topic, judged in case.qrels.items():
        order = ranking(case.run.get(topic, ()), case.duplicates)
        relevant = {doc for doc, relevance in judged.items() if relevance >= 1}
        ranks = [rank for rank, doc in enumerate(order, start=1) if doc in relevant]
        exact.append(scores(ranks, len(relevant), case.n_max, case.n_docs))
        topics[topic] = {"n": len(relevant), "ranks": ranks, **_rounded(exact[-1])}
    means = {name: sum((s[name] for s in exact), Fraction(0)) / len(exact) for name in MEASURES}
    return {"topics": topics, "mean": _rounded(means)}


def _rounded(values: Mapping[str, Fraction]) -> dict[str, float]:
    return {name: float(round(value, DIGITS)) for name, value in values.items()}


# --- The cases ---------------------------------------------------------------------------------


def at(ranks: Iterable[int], n: int, length: int, judged: int = 0) -> tuple[Qrels, dict[str, Rows]]:
    """Return judgements and a run of one topic, with its relevant documents at these ranks.

    The run contains `length` documents; `judged` of them are judged not relevant.
    """
    relevant = [f"r{i:03}" for i in range(1, n + 1)]
    by_rank = dict(zip(ranks, relevant, strict=False))
    docs = [by_rank.get(rank, f"x{rank:03}") for rank in range(1, length + 1)]
    others = [doc for doc in docs if doc not in relevant][:judged]
    qrels = {"q1": dict.fromkeys(relevant, 1) | dict.fromkeys(others, 0)}
    return qrels, {"q1": list(zip(docs, range(length, 0, -1), strict=True))}


def from_ranks(
    name: str, about: str, ranks: Iterable[int], n: int, n_max: int, length: int | None = None
) -> Case:
    """Return a case of one topic; its run has `length` documents, by default `n_max`."""
    qrels, run = at(ranks, n, n_max if length is None else length, judged=3)
    return Case(name, about, n_max, qrels, run)


def one_topic(name: str, about: str, relevant: str, rows: Rows, n_max: int = 10) -> Case:
    """Return a case of one topic with these relevant documents, separated by blanks."""
    return Case(name, about, n_max, {"q1": dict.fromkeys(relevant.split(), 1)}, {"q1": rows})


def equal(docs: str, score: float = 1.0) -> list[tuple[str, float]]:
    """Return rows that all have the same score."""
    return [(doc, score) for doc in docs.split()]


def cases() -> list[Case]:
    """Return all cases, in the order of the files."""
    return [
        *from_the_papers(),
        *found_and_missed(),
        *few_and_many_relevant(),
        *ties(),
        *documents(),
        *several_topics(),
    ]


def from_the_papers() -> Iterator[Case]:
    """Yield the examples of Magdy and Jones, SIGIR 2010."""
    for number, ranks in enumerate(([1], [50, 51, 53, 54], [1, 2, 3, 4], [1, 98, 99, 100]), 1):
        about = f"Tables 1 and 2, system {number}"
        if number == 2:
            about += "; the paper prints AP as 0.0481, which is the AP of ranks 50, 51, 52, 53"
        yield from_ranks(f"paper-system-{number}", about, ranks, n=4, n_max=100)
    yield from_ranks(
        "paper-missed-three-of-ten",
        "the worked example: the three missed documents are assigned ranks 108, 109 and 110",
        [3, 8, 20, 31, 54, 77, 100], n=10, n_max=100,
    )  # fmt: skip
    table_3 = {1: ([98, 296], 41, 0.039), 5: ([41, 54], 3, 0.636), 8: ([32, 35, 46], 3, 0.964)}
    for number, (ranks, n, printed) in table_3.items():
        yield from_ranks(
            f"paper-topic-{number}",
            f"Table 3, topic {number}, whose PRES is printed as {printed}",
            ranks, n=n, n_max=1000, length=max(ranks) + 4,
        )  # fmt: skip


def found_and_missed() -> Iterator[Case]:
    """Yield cases in which all, some or none of the relevant documents are found."""
    yield from_ranks("all-found-first", "all found, at the first ranks", range(1, 6), 5, 10)
    yield from_ranks("all-found-last", "all found, at the last ranks", range(6, 11), 5, 10)
    yield from_ranks("all-found-between", "all found", range(51, 81), 30, 100)
    yield from_ranks("some-missed", "three of five found", [2, 4, 9], 5, 10)
    yield from_ranks("none-found", "none of five found", [], 5, 10)
    yield from_ranks("none-of-30-found", "none of 30 found", [], 30, 100)
    yield from_ranks("found-at-nmax", "found at rank Nmax exactly", [10], 1, 10, length=12)
    yield from_ranks("found-right-after-nmax", "found at Nmax + 1", [11], 1, 10, length=12)
    yield from_ranks(
        "found-before-and-after-nmax",
        "the run goes beyond Nmax, where the cutoff ignores relevant documents; Rnorm does not",
        [3, 15, 20], 3, 10, length=20,
    )  # fmt: skip
    yield from_ranks("nmax-1", "only the first result counts", [1, 2], 2, 1, length=4)


def few_and_many_relevant() -> Iterator[Case]:
    """Yield cases with 0, 1, Nmax and more than Nmax relevant documents."""
    yield from_ranks("n-0", "no relevant document: all measures are 0", [], 0, 10)
    yield from_ranks("n-1-first", "one relevant document, at rank 1", [1], 1, 10)
    yield from_ranks("n-1-later", "one relevant document, at rank 7", [7], 1, 10)
    yield from_ranks("n-1-missed", "one relevant document, not retrieved", [], 1, 10)
    yield from_ranks(
        "n-nmax", "as many relevant documents as Nmax, all found", range(1, 11), 10, 10
    )
    yield from_ranks("n-nmax-some", "as many relevant documents as Nmax", [1, 5, 10], 10, 10)
    yield from_ranks(
        "n-above-nmax",
        "Nmax = 100 of 120 relevant documents found: PRES is at most Nmax / n, PRES_est is 1",
        range(1, 101), 120, 100,
    )  # fmt: skip
    yield from_ranks("n-above-nmax-some", "more relevant than Nmax", [2, 5, 6], 15, 10)
    yield from_ranks("n-above-nmax-none", "more relevant than Nmax, none found", [], 15, 10)
    everything = from_ranks(
        "n-all", "every document of the collection is relevant", [1, 2], 3, 10, 2
    )
    yield replace(everything, n_docs=3)


def ties() -> Iterator[Case]:
    """Yield cases whose order depends on ids, on 32-bit scores or on neither."""
    yield one_topic(
        "unsorted",
        "scores decide, not the order of the rows",
        "b d", [("a", 1.0), ("b", 4.0), ("c", 3.0), ("d", 2.0)],
    )  # fmt: skip
    yield one_topic(
        "negative-scores",
        "scores below 0, highest first",
        "b", [("a", -2.5), ("b", -0.5), ("c", -1.5)],
    )  # fmt: skip
    yield one_topic(
        "ties",
        "equal scores: the higher id comes first, so d is at rank 2 and b at rank 4",
        "b d", [("c", 1.0), ("a", 1.0), ("d", 1.0), ("b", 1.0), ("e", 2.0)],
    )  # fmt: skip
    yield one_topic(
        "ties-at-nmax", "the tie decides which document is within Nmax", "a", equal("a b"), n_max=1
    )
    forty = [f"d{i:02}" for i in range(40)]
    yield one_topic("ties-of-40", "one score for all documents", "d03 d35", equal(" ".join(forty)))
    yield one_topic(
        "ties-of-numbers", "ids are text: 9 comes before 10, and 10 before 1", "10", equal("1 9 10")
    )
    yield one_topic(
        "ties-of-cases", "lower-case letters are higher than capitals", "B", equal("a B A b")
    )
    yield one_topic(
        "ties-beyond-ascii",
        "ids are compared by code point (as their UTF-8 bytes are), not as UTF-16: 𐀀, ～, é, z",
        "～", equal("z é ～ 𐀀"),
    )  # fmt: skip
    yield one_topic(
        "ties-in-32-bits",
        "scores that differ in 64 bits but not in 32 are equal: c, b, a",
        "a", [("a", 0.5000000002), ("b", 0.5000000001), ("c", 0.5)],
    )  # fmt: skip
    yield one_topic(
        "close-in-32-bits",
        "scores that differ in 32 bits are not equal",
        "a", [("a", 0.5000002), ("b", 0.5000001), ("c", 0.5)],
    )  # fmt: skip
    yield one_topic(
        "ties-above-32-bits",
        "scores above the range of 32 bits are equal",
        "a", [("a", 2e39), ("b", 1e39), ("c", 1e38)],
    )  # fmt: skip
    yield one_topic("ties-of-zeros", "0 and -0 are equal", "a", [("a", 0.0), ("b", -0.0)])


def documents() -> Iterator[Case]:
    """Yield cases with unjudged, graded and repeated documents."""
    qrels, run = at([2, 4], n=3, length=8, judged=0)
    yield Case(
        "unjudged-documents",
        "documents without a judgement are not relevant and keep their ranks",
        10, qrels, run,
    )  # fmt: skip
    yield Case(
        "graded-relevance",
        "documents are relevant from 1; 0 and negative judgements are not",
        10,
        {"q1": {"a": 0, "b": 2, "c": -1, "d": 1, "e": 3}},
        {"q1": [("a", 5), ("b", 4), ("c", 3), ("d", 2)]},
    )
    yield from_ranks("short-run", "fewer results than Nmax", [2, 3], 4, 100, length=3)
    repeated = {
        "relevant": [("a", 5), ("r", 4), ("b", 7), ("r", 6), ("c", 3), ("r", 2), ("s", 1)],
        "not-relevant": [("r", 5), ("a", 4), ("s", 3), ("a", 6), ("b", 2), ("a", 1)],
    }
    for kind, rows in repeated.items():
        for kept in ("first", "last", "highest"):
            case = one_topic(
                f"repeated-{kind}-{kept}",
                f"a document that is {kind.replace('-', ' ')} occurs three times; the "
                f"{'row with the highest score' if kept == 'highest' else f'{kept} row'} is kept",
                "r s", rows,
            )  # fmt: skip
            yield replace(case, duplicates=kept)


def several_topics() -> Iterator[Case]:
    """Yield cases whose mean depends on which topics count."""
    judged, run = at([1, 4], n=2, length=10)
    qrels = dict.fromkeys(("q1", "q2", "q3"), judged["q1"])
    rows = run["q1"]
    yield Case(
        "several-topics", "the mean of three topics", 10, qrels,
        {"q1": rows, "q2": rows[2:], "q3": rows[4:]},
    )  # fmt: skip
    yield Case(
        "missing-topic", "a topic without results scores 0 and counts in the mean", 10, qrels,
        {"q1": rows, "q3": rows[2:]},
    )  # fmt: skip
    yield Case(
        "unjudged-topic", "a topic without judgements is left out", 10, {"q1": qrels["q1"]},
        {"q1": rows, "q9": rows},
    )  # fmt: skip
    yield Case(
        "topic-without-relevant-documents",
        "a topic with n = 0 scores 0 and counts in the mean",
        10, {"q1": qrels["q1"], "q2": {"x001": 0}}, {"q1": rows, "q2": rows},
    )  # fmt: skip
    yield Case(
        "empty-run", "a run without results scores 0; it may also be rejected", 10, qrels, {}
    )


# --- The files ---------------------------------------------------------------------------------


def as_json() -> str:
    """Return the cases as JSON, with one line per field of a case."""
    head = [f"  {_json(name)}: {_json(value)}" for name, value in HEAD.items()]
    blocks = []
    for case in cases():
        names = ("name", "about", "duplicates", "n_max", "n_docs", "qrels", "run")
        fields = {name: getattr(case, name) for name in names} | {"expected": expected(case)}
        lines = (f"      {_json(name)}: {_json(value)}" for name, value in fields.items())
        blocks.append("    {\n" + ",\n".join(lines) + "\n    }")
    head.append('  "cases": [\n' + ",\n".join(blocks) + "\n  ]")
    return "{\n" + ",\n".join(head) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def as_csv() -> str:
    """Return the cases as CSV: a row for each topic of a case, and one for its mean."""
    text = io.StringIO()
    parameters = ["case", "about", "duplicates", "n_max", "n_docs"]
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*parameters, "topic", "qrels", "run", "n", "ranks", *MEASURES])
    for case in cases():
        of_case = [case.name, case.about, case.duplicates, case.n_max, case.n_docs]
        values = expected(case)
        for topic in dict.fromkeys([*case.qrels, *case.run]):
            of_topic = values["topics"].get(topic, {})
            writer.writerow(
                [
                    *of_case,
                    topic,
                    " ".join(f"{doc}:{rel}" for doc, rel in case.qrels.get(topic, {}).items()),
                    " ".join(f"{doc}:{score}" for doc, score in case.run.get(topic, ())),
                    of_topic.get("n", ""),
                    " ".join(map(str, of_topic.get("ranks", ()))),
                    *(of_topic.get(name, "") for name in MEASURES),
                ]
            )
        writer.writerow([*of_case, "mean", "", "", "", "", *values["mean"].values()])
    return text.getvalue()


def files() -> dict[str, str]:
    """Return the content of each file by its name."""
    return {"pres-vectors.json": as_json(), "pres-vectors.csv": as_csv()}


if __name__ == "__main__":
    for name, content in files().items():
        (FOLDER / name).write_text(content, encoding="utf-8")
