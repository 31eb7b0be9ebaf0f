"""Explanations of PRES in a few sentences."""

from __future__ import annotations

from pres_plugin.study.explain.analysis import Explanation, Explanations
from pres_plugin.study.output.words import count, decimal, name, names


def sentences(found: Explanation | Explanations) -> list[str]:
    """Describe what one or more runs find, and what lowers their PRES."""
    runs = [found] if isinstance(found, Explanation) else found
    best = max(runs, key=lambda each: each.pres)
    # If all documents that were found were at the top, PRES would be recall.
    losses = (
        f"{name(best.run)} loses {decimal(1 - best.recall)} to missed documents and "
        f"{decimal(best.recall - best.pres)} to documents that were found, but not at the top."
    )
    if len(runs) == 1:
        low, high = map(decimal, best.bounds)
        return [
            f"Within Nmax = {best.n_max:,}, {name(best.run)} finds {len(best.ranks):,} of "
            f"{count(best.n, 'relevant document')} of topic {name(best.query_id)}.",
            f"Its recall is {decimal(best.recall)}, and its PRES is {decimal(best.pres)}; with "
            f"this recall, PRES lies between {low} and {high}.",
            losses,
        ]
    by_pres: dict[str, list[str]] = {}
    for each in runs:
        by_pres.setdefault(decimal(each.pres), []).append(each.run)
    highest, lowest = max(by_pres), min(by_pres)
    order = (
        f"The highest PRES@{best.n_max} is {highest} ({names(by_pres[highest])}), "
        f"the lowest {lowest} ({names(by_pres[lowest])})."
    )
    if highest == lowest:
        order = f"All runs have the same PRES@{best.n_max} ({highest})."
    return [order, losses, "One topic does not show which run is better overall."]
