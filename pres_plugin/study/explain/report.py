"""Build the report of explanations: their scores, then one picture and one table per run."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from pres_plugin.output.words import count, decimal, name, names
from pres_plugin.study import result
from pres_plugin.study.explain.analysis import PANELS, Explanation, Explanations
from pres_plugin.study.explain.picture import areas
from pres_plugin.study.output.parts import Picture, Section, left_out
from pres_plugin.study.output.report import Report


@result.report.register(Explanations)
def report(found: Explanations, command: str = "") -> Report:
    """Return the report of explanations; `command` makes it again."""
    return Report(
        f"{found[0].measure} of topic {found[0].query_id}",
        "How much each relevant document lowers the score from 1.",
        parts(found),
        command,
        sentences(found),
        main=main_parts(found),
    )


def parts(found: Explanations) -> list[Picture | Section]:
    """Return the tables and pictures of explanations, in reading order."""
    scores = found.scores()
    return [
        Section(
            "summary",
            "Scores",
            scores,
            "The sum of ranks includes the missed documents, which are ranked after Nmax. For a "
            f"given recall R, {found[0].measure} lies between nR²/Nmax and R.",
            views=[("Scores", scores.without("query_id", "n_max"))],
        ),
        _picture(found),
        *(
            Section(
                f"documents-{i}" if len(found) > 1 else "documents",
                f"Relevant documents in {each.run}",
                # Each table is made when it is written, since all may not fit into memory.
                each.costs,
                f"{each.measure} is 1 minus all costs.",
                picture=_picture(Explanations([each])) if i <= PANELS else None,
            )
            for i, each in enumerate(found, start=1)
        ),
    ]


@result.report.register(Explanation)
def _of_one(found: Explanation, command: str = "") -> Report:
    """Return the report of the explanation of one run."""
    whole = report(Explanations([found]), command)
    return replace(whole, main=whole.parts[2:])


def main_parts(found: Explanation | Explanations) -> list[Picture | Section]:
    """Return the main table and the picture, for a notebook."""
    if isinstance(found, Explanations):
        return parts(found)[:2]
    return parts(Explanations([found]))[2:]


def _picture(found: Explanations) -> Picture:
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


def sentences(found: Explanation | Explanations) -> list[str]:
    """Describe what one or more runs find, and what lowers their PRES."""
    runs = Explanations([found]) if isinstance(found, Explanation) else found
    best, chosen = max(runs, key=lambda each: each.pres), []
    measure = best.measure
    if runs.chosen_from > 1:
        telling = f"with the lowest {measure}"
        if len(runs) > 1:
            differ = decimal(best.pres - min(each.pres for each in runs))
            telling = f"on which the runs differ most in {measure}, by {differ}"
            if differ == decimal(0):
                telling = f"explained here; {measure} is the same on every topic"
        topics = count(runs.chosen_from, "topic")
        chosen = [f"Of {topics}, {name(best.query_id)} is the one {telling}."]
    # If all documents that were found were at the top, PRES would be recall.
    losses = (
        f"{name(best.run)} loses {decimal(1 - best.recall)} to missed documents and "
        f"{decimal(best.recall - best.pres)} to documents that were found, but not at the top."
    )
    if len(runs) == 1:
        low, high = map(decimal, best.bounds)
        return [
            *chosen,
            f"Within Nmax = {best.n_max:,}, {name(best.run)} finds {len(best.ranks):,} of "
            f"{count(best.n, 'relevant document')} of topic {name(best.query_id)}.",
            f"Its recall is {decimal(best.recall)}, and its {measure} is {decimal(best.pres)}; "
            f"with this recall, it lies between {low} and {high}.",
            losses,
        ]
    by_pres: dict[str, list[str]] = {}
    for each in runs:
        by_pres.setdefault(decimal(each.pres), []).append(each.run)
    highest, lowest = max(by_pres), min(by_pres)
    order = (
        f"The highest {measure} is {highest} ({names(by_pres[highest])}), "
        f"the lowest {lowest} ({names(by_pres[lowest])})."
    )
    if highest == lowest:
        order = f"All runs have the same {measure} ({highest})."
    return [*chosen, order, losses, "One topic does not show which run is better overall."]
