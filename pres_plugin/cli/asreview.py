"""``asreview pres``: score how ASReview screened the records of a project.

ASReview finds ``pres_plugin.cli:asreview_pres`` through the entry point in pyproject.toml, and
calls it with the arguments after ``pres``.
"""

from __future__ import annotations

from collections.abc import Iterator

import click

from pres_plugin.cli.app import SETTINGS
from pres_plugin.cli.arguments import NonEmptyPath, choice_option, decimals_option, measures_option
from pres_plugin.cli.measures import split_measures
from pres_plugin.cli.output import FORMATS, formatted
from pres_plugin.cli.process import print_data, warn
from pres_plugin.measures.parsing import parse_all, parse_sized
from pres_plugin.messages import InputError
from pres_plugin.one_topic import score
from pres_plugin.output.tables import Table
from pres_plugin.tables.asreview import Screening, read_screening
from pres_plugin.tables.base import run_name_of
from pres_plugin.tables.run_names import own_names


@click.command(context_settings=SETTINGS)
@click.argument("files", metavar="SIM [SIM ...]", type=NonEmptyPath(), nargs=-1, required=True)
@measures_option("PRES@100 R@100 Rnorm WSS@0.95 TNR@0.95 Effort@0.95")
@click.option(
    "--priors",
    is_flag=True,
    help="Count prior knowledge as screened, at the first ranks. Otherwise, it is left out.",
)
@decimals_option
@choice_option("-f", "--format", "fmt", values=FORMATS, help="How to print the scores.")
def pres(
    files: tuple[str, ...], measures: tuple[str, ...], priors: bool, places: int, fmt: str
) -> None:
    """Score simulations by recall-oriented measures.

    SIM is an .asreview file of ASReview 2 or 3. The records are ranked in the order in which they
    were screened. N, the size of the collection, is the number of labelled records.

    If all relevant records were found, Rnorm is 1 minus the loss that asreview simulate prints.
    """
    asked = parse_all(split_measures(measures), parse_sized)
    # The labelled records are those that are judged.
    sized = [each(judged_only=True) if each.lacks_size else each for each in asked]
    rows = []
    for (_, file), name in own_names([(run_name_of(file), file) for file in files]).items():
        for dataset, screening in read_screening(file).items():
            found = screening if priors else screening.without_priors()
            warn(_warnings(f"{file}, dataset {dataset!r}", found))
            scores = (score(found.ranking, found.labels, measure) for measure in sized)
            rows.append((name, dataset, *scores))
    measured = list(map(str, asked))
    headings = ("simulation", "dataset", *measured)
    table = Table(dict(zip(headings, zip(*rows, strict=True), strict=True)))
    print_data(formatted(fmt, table, measured, places))


def _warnings(where: str, screening: Screening) -> Iterator[str]:
    """Warn about screenings that did not find all records, or raise an InputError."""
    labels, ranking = screening.labels, screening.ranking
    n, n_found = sum(labels.values()), sum(labels[record] for record in ranking)
    if not n:
        raise InputError(
            f"{where}: there is no relevant record to find; --priors counts prior knowledge, too"
        )
    if not screening.simulated:
        yield (
            f"{where}: this is not a simulation; relevant records that have not been screened "
            "are unknown, so recall and PRES are too high"
        )
    if n_found < n:
        yield (
            f"{where}: the screening stopped after {len(ranking)} records with {n_found} "
            f"of {n} relevant ones found; the others count as missed"
        )
