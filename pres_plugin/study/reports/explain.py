"""Build the report of explanations: their scores, then one picture and one table per run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd

from pres_plugin.study.explain import Explanation
from pres_plugin.study.pictures.limits import PANELS, left_out
from pres_plugin.study.report import Picture, Table, View
from pres_plugin.study.reports.pictures import drawn_by

_SUMMARY = (
    "The sum of ranks includes the missed documents, which are ranked after Nmax. For a given "
    "recall R, PRES lies between nR²/Nmax and R."
)
_AREAS = (
    "PRES = A2 / (A1 + A2). A1 lies between the best case and the ranking, A2 between the "
    "ranking and the worst case."
)


def parts(found: Sequence[Explanation]) -> list[Picture | Table]:
    """Return the tables and pictures of explanations, in reading order."""
    summary = pd.DataFrame([explanation.summary() for explanation in found])
    only = left_out("the first {} runs", PANELS, len(found))
    names = ["documents"] if len(found) == 1 else [f"documents-{i + 1}" for i in range(len(found))]
    return [
        Table(
            "summary", "Scores", summary, _SUMMARY,
            views=[View("Scores", summary.drop(columns=["query_id", "n_max"]))],
        ),
        _picture(found, only, on_page=False),
        *(
            _documents_of(explanation, name, _picture([explanation], only) if i < PANELS else None)
            for i, (explanation, name) in enumerate(zip(found, names, strict=True))
        ),
    ]  # fmt: skip


def _documents_of(
    explanation: Explanation, name: str = "documents", picture: Picture | None = None
) -> Table:
    """Return the table of a run's relevant documents, with a picture above it."""
    pres = explanation.pres
    return Table(
        name,
        f"Relevant documents in {explanation.run}",
        # Each table is computed when it is written, since all may not fit into memory.
        partial(_documents, explanation),
        f"{explanation.caption()} PRES is 1 minus all costs: 1 - {1 - pres:.4f} = {pres:.4f}.",
        picture=picture,
    )


def parts_of_one(explanation: Explanation) -> list[Picture | Table]:
    """Return the table and the picture of one explanation."""
    return [_documents_of(explanation), _picture([explanation])]


def _picture(found: Sequence[Explanation], only: str = "", *, on_page: bool = True) -> Picture:
    title = "Best case, this ranking, worst case"
    return Picture(
        "areas",
        f"{title}: {found[0].run}" if len(found) == 1 else title,
        drawn_by("explain", "areas", found),
        f"{_AREAS}{only}",
        on_page,
    )


def _documents(explanation: Explanation) -> pd.DataFrame:
    return explanation.documents
