"""Build the report of explanations: their scores, then one picture and one table per run."""

from __future__ import annotations

from functools import partial

from pres_plugin.study.explain.analysis import PANELS, Explanation, Explanations
from pres_plugin.study.output.parts import Picture, Section, left_out
from pres_plugin.study.output.report import Report


def report(found: Explanations, command: str) -> Report:
    """Return the report of explanations; `command` makes it again."""
    return Report(
        f"PRES@{found[0].n_max} of topic {found[0].query_id}",
        "How much each relevant document lowers the score from 1.",
        parts(found),
        command,
        found.sentences(),
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
            "given recall R, PRES lies between nR²/Nmax and R.",
            views=[("Scores", scores.without("query_id", "n_max"))],
        ),
        _picture(found),
        *(
            Section(
                f"documents-{i}" if len(found) > 1 else "documents",
                f"Relevant documents in {each.run}",
                # Each table is made when it is written, since all may not fit into memory.
                each.costs,
                "PRES is 1 minus all costs.",
                picture=_picture(Explanations([each])) if i <= PANELS else None,
            )
            for i, each in enumerate(found, start=1)
        ),
    ]


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
        partial(found.draw, "areas"),
        "PRES = A2 / (A1 + A2). A1 lies between the best case and the ranking, A2 between the "
        f"ranking and the worst case.{left_out('the first {} runs', PANELS, len(found))}",
        on_page=False,
    )
