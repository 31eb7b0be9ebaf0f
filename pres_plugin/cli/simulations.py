"""The Click command of ``asreview pres``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

import click

from pres_plugin.adapters.asreview import Simulation, read_simulations
from pres_plugin.cli.arguments import NonEmptyPath, WholeNumber, with_default
from pres_plugin.cli.errors import errors_of
from pres_plugin.cli.studies import command_line, study_options
from pres_plugin.cli.warnings import warn
from pres_plugin.escaping import text_of
from pres_plugin.files.run_names import own_names
from pres_plugin.measures.parameters import LARGEST

if TYPE_CHECKING:
    from pres_plugin.study.explain import Explanation
    from pres_plugin.study.report import Report

_WITHOUT = "The ranking, n and N do not include prior knowledge"
_WITH = "The ranking, n and N include prior knowledge"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument(
    "files", metavar="SIM [SIM ...]", type=NonEmptyPath(readable=False), nargs=-1, required=True
)
@click.option(
    "--n-max",
    "n_maxes",
    metavar="K [K ...]",
    type=WholeNumber(1, LARGEST),
    multiple=True,
    default=(100,),
    help=with_default(
        "Nmax: how many records the user is willing to screen. Several values are allowed.", "100"
    ),
)
@click.option(
    "--priors",
    is_flag=True,
    help="Count prior knowledge as screened, at the first ranks. Otherwise, it is left out.",
)
@study_options
def pres(files: tuple[str, ...], n_maxes: tuple[int, ...], priors: bool) -> Report:
    """Score simulations by PRES, Rnorm and recall.

    SIM is an .asreview file of ASReview 2 or 3. The output contains one line for each
    simulation and each Nmax. With --out, pictures show the areas that PRES compares.

    If all relevant records were found, Rnorm is 1 minus the loss that asreview simulate prints.
    """
    import pandas as pd

    from pres_plugin.study.pictures.limits import PANELS, left_out
    from pres_plugin.study.report import Picture, Report, Table
    from pres_plugin.study.reports.pictures import drawn_by

    n_maxes = tuple(dict.fromkeys(n_maxes))
    simulations = list(_read(files, priors=priors))
    warn(_warnings(simulations, max(n_maxes)))
    pictures = [
        Picture(
            f"areas-{n_max}",
            f"Best case, this screening, worst case at Nmax = {n_max}",
            drawn_by("explain", "areas", _explanations(simulations, n_max)),
            "PRES = A2 / (A1 + A2). A1 lies between the best case and the screening, A2 between "
            "the screening and the worst case."
            + left_out("the first {} simulations", PANELS, len(simulations)),
        )
        for n_max in n_maxes
    ]
    rows = [_row(simulation, n_max) for simulation in simulations for n_max in n_maxes]
    note = (
        f"{_WITH if priors else _WITHOUT}. n is the number of relevant records, and N is "
        "the number of all records. Rnorm has no cutoff. The last rank is that of the last "
        "relevant record found."
    )
    scores = pd.DataFrame(rows)
    if scores["last_rank"].isna().any():
        scores["last_rank"] = pd.Series([row["last_rank"] for row in rows], dtype=object)
    return Report(
        f"PRES of {len(simulations)} simulation{'s' if len(simulations) > 1 else ''}",
        "How early the relevant records were screened.",
        [*pictures, Table("scores", "Scores", scores, note)],
        command_line("asreview"),
    )


def _read(files: Sequence[str], *, priors: bool) -> Iterator[Simulation]:
    named = [
        (text_of(PurePath(file).name.removesuffix(".gz").removesuffix(".asreview")), file)
        for file in files
    ]
    for file, name in zip(files, own_names(named), strict=True):
        with errors_of(file):
            yield from read_simulations(file, name, priors=priors)


def _row(simulation: Simulation, n_max: int) -> dict[str, str | float | None]:
    return {
        "simulation": simulation.name,
        "dataset": simulation.dataset,
        "N": simulation.n_docs,
        "n": len(simulation.relevant),
        "priors": simulation.n_priors,
        "screened": len(simulation.ranking),
        "found": len(simulation.ranks),
        "last_rank": simulation.last_rank,
        "Rnorm": simulation.rnorm,
        "n_max": n_max,
        "PRES": simulation.pres(n_max),
        "recall": simulation.recall(n_max),
    }


def _warnings(simulations: Sequence[Simulation], n_max: int) -> Iterator[str]:
    for one in simulations:
        if not one.simulated:
            yield (
                f"{one.name} is not a simulation; relevant records that have not been screened "
                "are unknown, so recall and PRES are too high"
            )
        screened, n, found = len(one.ranking), len(one.relevant), len(one.ranks)
        if screened < n_max and found < n:
            yield (
                f"{one.name} stopped after {screened} records with {found} of {n} relevant ones "
                f"found; PRES@{n_max} treats the others as missed"
            )


def _explanations(simulations: Sequence[Simulation], n_max: int) -> list[Explanation]:
    import numpy as np

    from pres_plugin.study.explain import Explanation

    explanations = []
    for simulation in simulations:
        rank_of = {record: rank for rank, record in enumerate(simulation.ranking, start=1)}
        at = np.array([rank_of.get(record, 0) for record in simulation.relevant], dtype=np.int64)
        explanations.append(
            Explanation(simulation.name, simulation.dataset, n_max, simulation.relevant, at)
        )
    return explanations
