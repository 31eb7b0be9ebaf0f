"""``pres-eval explain``: show how the ranks of relevant documents lead to a PRES score."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from pres_plugin.cli.arguments import input_arguments, number_option, reading_options
from pres_plugin.cli.inputs import Inputs
from pres_plugin.cli.measures import parse_measures
from pres_plugin.cli.studies import command_line, drawn_by, study_options
from pres_plugin.files.sources import Sources
from pres_plugin.measures.parameters import LARGEST
from pres_plugin.study.limits import LARGEST_LEVEL

if TYPE_CHECKING:
    import pandas as pd

    from pres_plugin.study.explain import Explanation
    from pres_plugin.study.report import Report


@click.command()
@input_arguments
@click.option("--query", "query_id", required=True, help="The topic to explain.")
@number_option(
    "--n-max",
    most=LARGEST,
    default=1000,
    help="Nmax: how many documents the user is willing to check.",
)
@number_option(
    "--rel", most=LARGEST_LEVEL, default=1, help="Lowest relevance that makes a document relevant."
)
@reading_options
@study_options
def explain(
    sources: Sources,
    query_id: str,
    n_max: int,
    rel: int,
) -> Report:
    """Explain the PRES of each RUN on one topic.

    Shows the rank of each relevant document and how much it lowers the score. With --out,
    it also draws the areas that PRES compares.

    QRELS and RUN are the same as for pres-eval score: files in any of its formats, or
    folders of runs.
    """
    import pandas as pd

    from pres_plugin.study.explain import explain as explain_runs
    from pres_plugin.study.pictures.limits import PANELS, left_out
    from pres_plugin.study.report import Picture, Report, Table

    measures = parse_measures([f"PRES@{n_max}"])
    inputs = Inputs(sources, measures, topic=query_id)
    found = explain_runs(inputs.qrels, inputs.runs(), query_id, n_max, rel=rel)

    parts: list[Picture | Table] = [
        Picture(
            "areas",
            "Best case, this ranking, worst case",
            drawn_by("explain", "areas", found),
            "PRES = A2 / (A1 + A2). A1 lies between the best case and the ranking, A2 between the "
            "ranking and the worst case. "
            + (found[0].caption() if len(found) == 1 else "The tables below give the numbers.")
            + left_out("the first {} runs", PANELS, len(found)),
        ),
        Table(
            "summary",
            "Scores",
            pd.DataFrame([e.summary() for e in found]),
            "rank_sum includes the missed documents, which are ranked after Nmax. PRES lies "
            "between lowest (nR²/Nmax) and highest (R).",
        ),
    ]
    for number, e in enumerate(found, start=1):
        name = "documents" if len(found) == 1 else f"documents-{number}"
        note = f"{e.caption()} PRES is 1 minus all costs: 1 - {1 - e.pres:.4f} = {e.pres:.4f}."
        # Each table is computed when it is written, since all may not fit into memory.
        documents = partial(_documents, e)
        parts.append(Table(name, f"Relevant documents in {e.run}", documents, note))
    return Report(
        f"PRES@{n_max} of topic {query_id}",
        "How much each relevant document lowers the score from 1.",
        parts,
        command_line(),
    )


def _documents(explanation: Explanation) -> pd.DataFrame:
    return explanation.documents
