"""A verdict as text for people, and as a record for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from pres_plugin.escaping import on_terminal
from pres_plugin.remedy import some
from pres_plugin.study.check.analysis import Verdict
from pres_plugin.study.output.tables import Table, score, text
from pres_plugin.study.output.words import count

#: The number of topics that the text shows. JSON contains them all.
_SHOWN = 5


def as_record(verdict: Verdict, measure: str, run: str) -> dict[str, Any]:
    """Return a verdict as JSON needs it; an unknown AP or recall is left out."""

    def printed(items: list[tuple[str, Any]]) -> dict[str, Any]:
        # How a variant computes its values is code, and JSON lacks NaN.
        return {name: value for name, value in items if name != "way" and value == value}

    found = asdict(verdict, dict_factory=printed)
    return {"run": run, "measure": measure, "is_pres": verdict.is_pres, **found}


def as_text(verdict: Verdict, measure: str, run: str) -> str:
    """Return a verdict as text."""
    return "".join(f"{on_terminal(each)}\n" for each in _paragraphs(verdict, f"{measure} of {run}"))


def _paragraphs(verdict: Verdict, of: str) -> Iterator[str]:
    values = "The values are" if verdict.compared else "The mean is"
    if verdict.decimals is None:
        first = f"{values} not {of}"
    else:
        first = f"{values} {of}, to {count(verdict.decimals, 'decimal')}"
    if verdict.compared:
        first += f": {verdict.agreeing:,} of {count(verdict.compared, 'topic')} agree"
        if verdict.mean:
            is_wrong = verdict.mean in verdict.differences
            first += ", but the mean does not" if is_wrong else ", and so does the mean"
    yield f"{first}."
    if verdict.not_judged:
        yield f"Values of topics without judgements are ignored: {some(verdict.not_judged)}."
    if verdict.missing:
        judged = count(verdict.judged, "judged topic")
        yield f"{len(verdict.missing):,} of {judged} lack a value: {some(verdict.missing)}."
    if verdict.outside:
        yield "\nPRES is at least AP and at most R at the same cutoff, but not here:"
        yield _table(verdict.outside, ap="AP", value="value", recall="R")
    if verdict.is_pres:
        return
    yield _table(verdict.differences, value="value", pres="PRES")
    if closest := verdict.closest:
        name = closest.variant.name if closest.variant else "PRES itself"
        off = f"with a mean absolute difference of {closest.mean_difference:.6f}"
        yield f"\nNo known variant matches. The closest is {name}, {off}."
        yield "Rnorm is compared only if the number of documents in the collection is given."
        return
    yield "\nKnown variants that match:"
    for match in verdict.matches:
        yield f"- {match.variant.name}, to {count(match.decimals, 'decimal')}"
        yield f"  {match.variant.does} {match.variant.wrong}"
    if not verdict.compared:
        yield "A mean can match by chance. Check the values of the topics to be sure."


def _table(rows: Sequence[Any], **columns: str) -> str:
    """Return a table of the first topics."""
    shown = Table(
        {
            "topic": text([each.query_id or "mean" for each in rows]),
            **{name: score([getattr(row, key) for row in rows]) for key, name in columns.items()},
        }
    )
    more = f"\n… and {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else ""
    return f"\n{shown.rows(slice(_SHOWN)).printed(decimals=6)}{more}"
