"""``pres-eval explain``: show how a PRES score comes about."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pres_plugin.cli.measures import parse_measures
from pres_plugin.cli.studies import Inputs, command_line, finish, input_arguments, study_options
from pres_plugin.trec import Duplicates

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["explain"]


@click.command()
@input_arguments
@click.option("--query", "query_id", required=True, help="The topic to explain.")
@click.option(
    "--n-max",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Nmax: how many documents the user is willing to check.",
)
@click.option(
    "--rel",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Least relevance that counts as relevant.",
)
@study_options
def explain(
    qrels: str,
    runs: tuple[str, ...],
    query_id: str,
    n_max: int,
    rel: int,
    duplicates: Duplicates,
    out: Path | None,
    force: bool,
    places: int,
) -> None:
    """Explain the PRES of each RUN on one topic.

    Shows the rank of each relevant document and how much it lowers the score. With --out,
    it also draws the areas that PRES compares.

    QRELS and RUN are the same as for pres-eval score: files in TREC's formats or in
    Parquet, or folders of runs.
    """
    import pandas as pd

    from pres_plugin.study.explain import explain as explain_runs
    from pres_plugin.study.report import Picture, Report, Table

    measures = parse_measures([f"PRES@{n_max}"])
    inputs = Inputs(qrels, runs, duplicates, measures, topic=query_id)
    found = explain_runs(inputs.qrels, inputs.runs(), query_id, n_max, rel=rel)

    def draw() -> Figure:
        from pres_plugin.study.pictures.explain import areas

        return areas(found)

    parts: list[Picture | Table] = [
        Picture(
            "areas",
            "Best case, this ranking, worst case",
            draw,
            "PRES = A2 / (A1 + A2), with A1 between the best case and the ranking and A2 between "
            "the ranking and the worst case. "
            + (found[0].caption() if len(found) == 1 else "The tables below give the numbers."),
        ),
        Table(
            "summary",
            "Scores",
            pd.DataFrame([e.summary() for e in found]),
            "rank_sum counts the documents missed, behind Nmax; PRES lies between lowest, "
            "nR²/Nmax, and highest, R.",
        ),
    ]
    for number, e in enumerate(found, start=1):
        name = "documents" if len(found) == 1 else f"documents-{number}"
        note = f"{e.caption()} All costs: 1 - {e.documents['cost'].sum():.4f} = {e.pres:.4f}."
        parts.append(Table(name, f"Relevant documents in {e.run}", e.documents, note))
    report = Report(
        f"PRES@{n_max} of topic {query_id}",
        "How much each relevant document takes off a score of 1.",
        parts,
        command_line(),
    )
    finish(report, out, force, places)
