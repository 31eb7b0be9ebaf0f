"""Build the report of explanations: their scores, then one picture and one table per run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from operator import attrgetter

from pres_plugin.output.words import count, decimal, name, names
from pres_plugin.study import result
from pres_plugin.study.explain.analysis import PANELS, Explanation, Explanations
from pres_plugin.study.explain.picture import areas
from pres_plugin.study.output.parts import Picture, Section, left_out
from pres_plugin.study.output.report import Report


@result.report.register(Explanations)
@result.report.register(Explanation)
def report(found: Explanations | Explanation, command: str = "") -> Report:
    """Return the report of one or more explanations; `command` makes it again."""
    runs = found if isinstance(found, Explanations) else Explanations([found])
    results = list(parts(runs))
    # A notebook shows the documents of one run, or the scores of all.
    results = results if found is runs else results[2:] + results[:2]
    return Report(
        f"{runs[0].measure} of topic {runs[0].query_id}",
        "How much each relevant document lowers the score from 1.",
        results,
        command,
        list(sentences(runs)),
    )


def parts(found: Explanations) -> Iterator[Picture | Section]:
    """Yield the tables and pictures of explanations, in reading order."""
    scores = found.scores()
    yield Section(
        "summary",
        "Scores",
        scores,
        "The sum of ranks includes the missed documents, which are ranked after Nmax. For a "
        f"given recall R, {found[0].measure} lies between nR²/Nmax and R.",
        views=[("Scores", scores.without("query_id", "n_max"))],
    )
    yield _picture(found)
    for i, each in enumerate(found, start=1):
        yield Section(
            f"documents-{i}" if len(found) > 1 else "documents",
            f"Relevant documents in {each.run}",
            # Each table is made when it is written, since all may not fit into memory.
            each.costs,
            f"{each.measure} is 1 minus all costs.",
            picture=_picture([each]) if i <= PANELS else None,
        )


def _picture(found: Sequence[Explanation]) -> Picture:
    """Return a picture for files and sections; on the page, each section has its own."""
    return Picture(
        "areas",
        "Best case, this ranking, worst case" + f": {found[0].run}" * (len(found) == 1),
        partial(areas, found),
        f"{found[0].measure} = A2 / (A1 + A2). A1 lies between the best case and the ranking, A2 "
        "between the ranking and the worst case."
        + left_out("the first {} runs", PANELS, len(found)),
        on_page=False,
    )


def sentences(found: Explanations) -> Iterator[str]:
    """Describe what one or more runs find, and what lowers their PRES."""
    best, by_pres = max(found, key=attrgetter("pres")), defaultdict(list)
    for each in found:
        by_pres[decimal(each.pres)].append(each.run)
    measure, highest, lowest = best.measure, max(by_pres), min(by_pres)
    if found.chosen_from > 1:
        differ = decimal(best.pres - min(each.pres for each in found))
        telling = f"on which the runs differ most in {measure}, by {differ}"
        if len(found) == 1:
            telling = f"with the lowest {measure}"
        elif differ == decimal(0):
            telling = f"explained here; {measure} is the same on every topic"
        topics = count(found.chosen_from, "topic")
        yield f"Of {topics}, {name(best.query_id)} is the one {telling}."
    if len(found) == 1:
        low, high = map(decimal, best.bounds)
        yield (
            f"Within Nmax = {best.n_max:,}, {name(best.run)} finds {len(best.ranks):,} of "
            f"{count(best.n, 'relevant document')} of topic {name(best.query_id)}."
        )
        yield (
            f"Its recall is {decimal(best.recall)}, and its {measure} is {highest}; "
            f"with this recall, it lies between {low} and {high}."
        )
    elif highest == lowest:
        yield f"All runs have the same {measure} ({highest})."
    else:
        yield (
            f"The highest {measure} is {highest} ({names(by_pres[highest])}), "
            f"the lowest {lowest} ({names(by_pres[lowest])})."
        )
    # If all documents that were found were at the top, PRES would be recall.
    yield (
        f"{name(best.run)} loses {decimal(1 - best.recall)} to missed documents and "
        f"{decimal(best.recall - best.pres)} to documents that were found, but not at the top."
    )
    if len(found) > 1:
        yield "One topic does not show which run is better overall."
