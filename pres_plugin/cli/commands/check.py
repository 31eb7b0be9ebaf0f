"""``pres-eval check``: report whether values are PRES, and if not, which variants match."""

from __future__ import annotations

from dataclasses import asdict

import click

from pres_plugin.cli.arguments import (
    NonEmptyPath,
    choice_option,
    input_arguments,
    number_option,
    rel_option,
)
from pres_plugin.cli.output import as_json
from pres_plugin.cli.process import print_data
from pres_plugin.cli.runs import judged_runs
from pres_plugin.measures import PRES
from pres_plugin.tables.sources import Sources


@click.command()
@click.argument("values", type=NonEmptyPath())
@number_option(
    "--n-max",
    required=True,
    help="Nmax: the number of results that the user is willing to check.",
)
@rel_option
@number_option(
    "--n-docs",
    help="N: number of documents in the collection. Required to recognise Rnorm.",
)
@choice_option("-f", "--format", "fmt", values=["text", "json"], help="How to print the result.")
@input_arguments("RUN")
def check(sources: Sources, values: str, n_max: int, rel: int, n_docs: int | None, fmt: str) -> int:
    """Check whether VALUES are the PRES of RUN, or name the variants that match.

    VALUES is a file with one value per topic, their mean, or both: TSV, CSV or JSON from pres-eval
    score, another table with a header, or JSON such as {"q1": 0.5}. Instead of a file, VALUES can
    be a single number: the mean.

    The report states for how many topics the values equal PRES, and to how many decimals. If
    they are not PRES, it names the variants that match: which ranks missed documents get, what
    the divisor is, and whether scores are clamped. The exit code is 0 if the values are PRES, and
    otherwise 1.

    QRELS and RUN are given as in pres-eval score, but there is only one RUN.
    """
    from pres_plugin.study.check import check as checked
    from pres_plugin.study.check.values import read_values

    if [values, *sources.paths].count("-") > 1:
        raise click.ClickException(
            "standard input can be read only once, as VALUES, as QRELS or as RUN"
        )
    judged = judged_runs(sources, [PRES(cutoff=n_max, rel=rel)])
    runs = list(judged.runs)
    reported = read_values(values, n_max, runs[0].name, rel=rel)
    verdict = checked(judged.qrels, runs, reported, n_max, rel=rel, n_docs=n_docs)
    print_data(as_json(asdict(verdict)) if fmt == "json" else str(verdict))
    return 0 if verdict.is_pres else 1
