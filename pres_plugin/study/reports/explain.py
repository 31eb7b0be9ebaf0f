"""Arrange explanations for people: their scores, then one picture and one table per run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd

from pres_plugin.study.explain import Explanation
from pres_plugin.study.pictures.limits import PANELS, left_out
from pres_plugin.study.report import Picture, Table, View
from pres_plugin.study.reports.pictures import drawn_by

_AREAS = (
    "PRES = A2 / (A1 + A2). A1 lies between the best case and the ranking, A2 between the "
    "ranking and the worst case."
)


def parts(found: Sequence[Explanation]) -> list[Picture | Table]:
    """Return the tables and pictures of explanations, in reading order."""
    summary = pd.DataFrame([explanation.summary() for explanation in found])
    return [
        Table(
            "summary",
            "Scores",
            summary,
            "The sum of ranks includes the missed documents, which are ranked after Nmax. Given "
            f"the number of documents found, PRES lies between nR²/Nmax and R. {_AREAS}"
            + left_out("the areas of the first {} runs", PANELS, len(found)),
            views=[View("Scores", summary.drop(columns=["query_id", "n_max"]))],
        ),
        Picture(
            "areas",
            "Best case, this ranking, worst case",
            drawn_by("explain", "areas", found),
            _AREAS + left_out("the first {} runs", PANELS, len(found)),
            on_page=False,
        ),
        *(
            documents(
                explanation,
                "documents" if len(found) == 1 else f"documents-{number}",
                draws=number <= PANELS,
            )
            for number, explanation in enumerate(found, start=1)
        ),
    ]


def documents(explanation: Explanation, name: str = "documents", *, draws: bool = True) -> Table:
    """Return the table of a run's relevant documents, with the picture of its areas above it."""
    pres = explanation.pres
    return Table(
        name,
        f"Relevant documents in {explanation.run}",
        # Each table is computed when it is written, since all may not fit into memory.
        partial(_documents, explanation),
        f"{explanation.caption()} PRES is 1 minus all costs: 1 - {1 - pres:.4f} = {pres:.4f}.",
        draw=drawn_by("explain", "areas", [explanation]) if draws else None,
    )


def _documents(explanation: Explanation) -> pd.DataFrame:
    return explanation.documents
