"""``pres-eval robustness``: test how stable the order of runs is with few judgements."""

from __future__ import annotations

from typing import Any

import click

from pres_plugin.cli.arguments import (
    input_arguments,
    measure_option,
    number_option,
)
from pres_plugin.cli.measures import parse_measures
from pres_plugin.cli.runs import judged_runs
from pres_plugin.cli.studies import study_options
from pres_plugin.messages import quoted
from pres_plugin.tables.sources import Sources


@click.command()
@measure_option()
@click.option(
    "--fractions",
    default="0.2,0.4,0.6,0.8",
    help="Fractions of each topic's relevant documents to keep, separated by commas; each is "
    "above 0 and at most 1.",
)
@number_option(
    "--samples",
    default=100,
    help="Number of random samples per fraction.",
)
@number_option(
    "--seed",
    default=0,
    help="Seed of the random samples. A seed gives the same samples on every machine.",
)
@input_arguments()
@study_options
def robustness(
    sources: Sources, measures: tuple[str, ...], fractions: str, **settings: Any
) -> object:
    """Test whether RUNs keep their order with only a sample of the judgements.

    Each sample keeps a random fraction of each topic's relevant documents, at least one. The
    other relevant documents count as unjudged. Kendall's τ compares the order of the runs by
    the sample with their order by all judgements.

    Measures of relevant documents' ranks, such as PRES, AP and R, are fast. Other measures, and
    measures with judged_only=True, are slower, because each run is scored again for every sample.

    QRELS and RUN are given as in pres-eval score.
    """
    from pres_plugin.study.robustness import analysis

    try:
        kept = [float(part) for part in fractions.split(",")]
    except ValueError:
        raise click.ClickException(
            f"--fractions {quoted(fractions)}: these are not numbers separated by commas; "
            "write 0.2,0.4,0.6,0.8"
        ) from None
    asked = parse_measures(measures)
    judged = judged_runs(sources, asked)
    return analysis.robustness(judged.qrels, judged.runs, asked, kept, **settings)
