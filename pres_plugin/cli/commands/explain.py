"""``pres-eval explain``: show how the ranks of relevant documents lead to a PRES score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pres_plugin.cli.arguments import input_arguments, number_option, reading_options
from pres_plugin.cli.inputs import Inputs
from pres_plugin.cli.measures import parse_measures
from pres_plugin.cli.studies import command_line, study_options
from pres_plugin.files.sources import Sources
from pres_plugin.measures.parameters import LARGEST
from pres_plugin.study.limits import LARGEST_LEVEL

if TYPE_CHECKING:
    from pres_plugin.study.report import Report


@click.command()
@input_arguments
@click.option("--query", "query_id", required=True, help="Id of the topic to explain.")
@number_option(
    "--n-max",
    most=LARGEST,
    default=1000,
    help="Nmax: how many documents the user is willing to check.",
)
@number_option(
    "--rel", most=LARGEST_LEVEL, default=1, help="Lowest relevance that counts as relevant."
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

    The output shows the rank of each relevant document, and how much it lowers the score from 1.
    With --out, a picture shows the areas that PRES compares.

    QRELS and RUN are given as in pres-eval score.
    """
    from pres_plugin.study.explain import explain as explain_runs
    from pres_plugin.study.report import Report
    from pres_plugin.study.reports.explain import parts

    measures = parse_measures([f"PRES@{n_max}"])
    inputs = Inputs(sources, measures, topic=query_id)
    found = explain_runs(inputs.qrels, inputs.runs(), query_id, n_max, rel=rel)
    return Report(
        f"PRES@{n_max} of topic {query_id}",
        "How much each relevant document lowers the score from 1.",
        parts(found),
        command_line(),
        found.sentences(),
    )
