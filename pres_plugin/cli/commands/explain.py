"""``pres-eval explain``: show how the ranks of relevant documents lead to a PRES score."""

from __future__ import annotations

import click

from pres_plugin.cli.arguments import input_arguments, number_option, rel_option
from pres_plugin.cli.measures import parse_measures
from pres_plugin.cli.runs import judged_runs
from pres_plugin.cli.studies import study_options
from pres_plugin.tables.sources import Sources


@click.command()
@click.option(
    "--query",
    "query_id",
    metavar="TOPIC",
    help="Id of the topic to explain.",
    show_default="the topic on which the RUNs differ most; for one RUN, the topic with its lowest "
    "PRES",
)
@number_option(
    "--n-max",
    default=100,
    help="Nmax: the number of results that the user is willing to check.",
)
@rel_option
@input_arguments()
@study_options
def explain(
    sources: Sources,
    query_id: str | None,
    n_max: int,
    rel: int,
) -> object:
    """Explain the PRES of each RUN on one topic.

    The output shows the rank of each relevant document, and how much it lowers the score from 1.
    With --out, a picture shows the areas that PRES compares.

    QRELS and RUN are given as in pres-eval score.
    """
    from pres_plugin.study.explain import analysis

    judged = judged_runs(sources, parse_measures([f"PRES(rel={rel})@{n_max}"]))
    return analysis.explain(judged.qrels, judged.runs, query_id, n_max, rel=rel)
