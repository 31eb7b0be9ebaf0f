"""``pres-eval gallery``: the papers' theory, computed and drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pres_plugin.cli.studies import command_line, finish, study_options

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pres_plugin.study.report import Picture, Table

__all__ = ["gallery"]


@click.command()
@study_options
def gallery(out: Path | None, force: bool, places: int) -> None:
    """Draw the papers' theory: PRES against recall, reciprocal rank and Rnorm."""
    from pres_plugin.study import gallery as numbers
    from pres_plugin.study.report import Picture, Report, Table

    parts: list[Picture | Table] = []

    def add(name: str, compute: Callable[[], Any], title: str, caption: str) -> None:
        frame = compute()
        draw = partial(_draw, compute.__name__, frame)
        parts.append(Picture(name, title, draw, caption))
        parts.append(Table(f"{name}-numbers", f"{title}: numbers", frame))

    add(
        "pres-and-recall",
        numbers.pres_and_recall,
        "PRES against recall",
        "For 10 relevant documents and Nmax = 100: what is found comes first (PRES = R), around "
        "rank 50, or right before Nmax (PRES = nR²/Nmax). SIGIR 2010, Fig. 4a.",
    )
    add(
        "pres-and-reciprocal-rank",
        numbers.pres_and_reciprocal_rank,
        "PRES and reciprocal rank of a single document",
        "For one relevant document and Nmax = 100, PRES falls by the same amount with each rank, "
        "where reciprocal rank, which is AP here, loses half of all between ranks 1 and 2. "
        "SIGIR 2010, Fig. 4b.",
    )
    add(
        "rnorm-and-recall",
        numbers.rnorm_and_recall,
        "Rnorm against recall as the collection grows",
        "For 10 relevant documents, those found as late as can be in 1,000 retrieved: the larger "
        "the collection, the nearer Rnorm comes to recall, whatever the ranking. "
        "SIGIR 2010, Fig. 2.",
    )
    add(
        "more-relevant-than-checked",
        numbers.more_relevant_than_checked,
        "More relevant documents than are checked",
        "For Nmax = 100 and rankings with nothing but relevant documents, or with one in every "
        "other place: PRES cannot exceed Nmax/n, PRES_est sets it in proportion to that. "
        "SIGIR 2010, Fig. 9.",
    )
    report = Report(
        "How PRES relates to other measures",
        "The papers' theory, computed by the same formulas that score runs.",
        parts,
        command_line(),
    )
    finish(report, out, force, places)


def _draw(name: str, frame: Any) -> Figure:
    from pres_plugin.study.pictures import gallery as pictures

    figure: Figure = getattr(pictures, name)(frame)
    return figure
