"""Explanations of PRES in three to six sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pres_plugin.remedy import listed
from pres_plugin.study.sentences.words import DECIMALS, count, decimal, names
from pres_plugin.study.sentences.words import name as named

if TYPE_CHECKING:
    from pres_plugin.study.explain import Explanation

Integers = NDArray[np.int64]

# The number of costly documents to name.
_MOST_DOCUMENTS = 3


def explanation_sentences(found: Sequence[Explanation]) -> list[str]:
    """Describe the PRES of one or more runs on a topic in three to six sentences."""
    return list(_one_run(found[0]) if len(found) == 1 else _several_runs(found))


def _one_run(found: Explanation) -> Iterator[str]:
    n_found = len(found.ranks)
    missed, late = _lost(found)
    yield f"{named(found.run)} finds {_found(found)}."
    yield (
        f"Its recall is {decimal(found.recall)}, and its PRES is {decimal(found.pres)}; with this "
        f"recall, PRES {_range(found)}."
    )
    if n_found == found.n and late == 0:
        yield "All relevant documents are at the top, so none of them costs anything."
        return
    yield from _costs(found, missed, late)
    if n_found:
        yield from _most_costly(found)
        if missed and late:
            yield from _larger_cost(missed, late)


def _range(found: Explanation) -> str:
    lowest, highest = map(decimal, found.bounds)
    return f"is always {lowest}" if lowest == highest else f"can range from {lowest} to {highest}"


def _found(found: Explanation) -> str:
    n_found, where = len(found.ranks), f"of topic {named(found.query_id)}"
    within = f"within Nmax = {found.n_max:,}"
    if n_found == 0:
        return f"none of the {count(found.n, 'relevant document')} {where} {within}"
    if n_found == 1:
        ranks = f"at rank {found.ranks[0]:,}"
    else:
        ranks = f"at ranks {found.ranks[0]:,} to {found.ranks[-1]:,}"
    if found.n == 1:
        return f"the only relevant document {where} {within}, {ranks}"
    number = "all" if n_found == found.n else f"{n_found:,} of the"
    return f"{number} {found.n:,} relevant documents {where} {within}, {ranks}"


def _lost(found: Explanation) -> tuple[float, float]:
    """Return the costs of missed documents and of documents found late; PRES is 1 minus both."""
    # If all documents that were found were at the top, PRES would be recall.
    return 1 - found.recall, found.recall - found.pres


def _costs(found: Explanation, missed: float, late: float) -> Iterator[str]:
    n_missed = found.n - len(found.ranks)
    if n_missed:
        each = f" ({decimal(1 / found.n)} each)" if n_missed > 1 else ""
        text = f"The {_documents(n_missed, 'missed')} {_cost(n_missed)} {decimal(missed)}{each}"
    else:
        text = "No relevant document is missed"
    if found.ranks and late > 0:
        n_found = len(found.ranks)
        text += f", and the {_documents(n_found, 'found')} {_cost(n_found)} {decimal(late)}"
        they_are = "it is not" if n_found == 1 else "they are not all"
        text += f" because {they_are} at the top"
    elif found.ranks:
        are, n_found = "is" if len(found.ranks) == 1 else "are", len(found.ranks)
        text += (
            f"; the {_documents(n_found, 'found')} {are} at the top and {_cost(n_found)} nothing"
        )
    yield text + "."


def _documents(number: int, kind: str) -> str:
    return f"{kind} document" if number == 1 else f"{number:,} {kind} documents"


def _cost(number: int) -> str:
    return "costs" if number == 1 else "cost"


def _most_costly(found: Explanation) -> Iterator[str]:
    """Name the documents that were found but cost most."""
    documents = found.documents[: len(found.ranks)]
    costs = documents["cost"].to_numpy()
    order = [i for i in np.argsort(-costs.round(12), kind="stable").tolist() if costs[i] > 0]
    if order:
        texts = [
            f"{named(documents['doc_id'].iat[i])} at rank {documents['rank'].iat[i]:,} "
            f"({decimal(costs[i])})"
            for i in order[:_MOST_DOCUMENTS]
        ]
        verb = "costs" if len(texts) == 1 else "cost"
        yield f"Of the documents found, {listed(texts)} {verb} most."


def _larger_cost(missed: float, late: float) -> Iterator[str]:
    """Say what costs more. How much a better ranking gains also depends on where it puts them."""
    if round(missed, DECIMALS) == round(late, DECIMALS):
        yield "So missed documents and late ranks cost equally much."
    elif missed > late:
        yield "So missed documents cost more than late ranks."
    else:
        yield "So late ranks cost more than missed documents."


def _several_runs(found: Sequence[Explanation]) -> Iterator[str]:
    scores = np.array([round(each.pres, DECIMALS) for each in found])
    n_found = np.array([len(each.ranks) for each in found])
    n_max = found[0].n_max
    by, topic = f"PRES@{n_max}", f"topic {named(found[0].query_id)}"
    if scores.min() == scores.max():
        yield f"All {len(found):,} runs have the same {by} on {topic} ({decimal(scores[0])})."
    else:
        best, worst = (
            [each.run for each, value in zip(found, scores, strict=True) if value == extreme]
            for extreme in (scores.max(), scores.min())
        )
        verb = "has" if len(best) == 1 else "share"
        yield (
            f"{names(best)} {verb} the highest {by} on {topic} ({decimal(scores.max())}), and "
            f"{names(worst)} the lowest ({decimal(scores.min())})."
        )
    found_by = np.sum([(e.retrieved_at > 0) & (e.retrieved_at <= n_max) for e in found], axis=0)
    yield from _found_by(n_found, found_by, f"within Nmax = {n_max:,}")
    yield _losses(found[int(scores.argmax())])
    yield "This is one topic, so it does not show which run is better on others."


def _found_by(n_found: Integers, found_by: Integers, within: str) -> Iterator[str]:
    """Say how many documents the runs find, and how many of them every run or no run finds."""
    n_runs, n = len(n_found), len(found_by)
    least, most = int(n_found.min()), int(n_found.max())
    if n == 1:
        if least == most:
            finds = "Every run finds" if least else "No run finds"
        else:
            finding = int(n_found.sum())
            finds = f"Of the {n_runs:,} runs, {finding:,} {'finds' if finding == 1 else 'find'}"
        yield f"{finds} the only relevant document {within}."
    elif most == 0:
        yield f"No run finds any of the {n:,} relevant documents {within}."
    elif least == n:
        yield f"Every run finds all {n:,} relevant documents {within}."
    else:
        finds = (
            f"Each run finds {least:,}" if least == most else f"The runs find {least:,} to {most:,}"
        )
        yield f"{finds} of the {n:,} relevant documents {within}."
        by_all, by_none = int((found_by == n_runs).sum()), int((found_by == 0).sum())
        if by_none:
            every = f"{by_all:,} of the {n:,} {'is' if by_all == 1 else 'are'}"
            every = every if by_all else f"None of the {n:,} is"
            yield f"{every} found by every run, and {by_none:,} by no run."
        else:
            every = f"{by_all:,} {'is' if by_all == 1 else 'are'}" if by_all else "none is"
            yield (
                f"Every relevant document is found by at least one run; {every} found by every run."
            )


def _losses(found: Explanation) -> str:
    """Say what a run loses, without parts that are zero."""
    missed, late = (round(cost, DECIMALS) for cost in _lost(found))
    parts = []
    if missed:
        parts.append(f"{decimal(missed)} to missed documents")
    if late:
        parts.append(f"{decimal(late)} to found documents that are not at the top")
    if not parts:
        parts = ["nothing" if found.pres == 1 else "less than 0.0001"]
    return f"{named(found.run)} loses {listed(parts)}."
