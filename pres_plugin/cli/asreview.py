"""``asreview pres``: score ASReview's simulations by PRES, Rnorm and recall.

ASReview finds ``pres_plugin.cli:asreview_pres`` through the entry point in pyproject.toml, and
calls it with the arguments after ``pres``. ASReview 2 and 3 have no base class for subcommands,
and nothing else of ASReview is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import click

from pres_plugin.cli.app import run_command
from pres_plugin.cli.arguments import NonEmptyPath, number_option
from pres_plugin.cli.process import warn
from pres_plugin.cli.studies import command_line, study_options
from pres_plugin.files.asreview import Simulation, read_simulations
from pres_plugin.files.run_names import own_names
from pres_plugin.formats.asreview import AsreviewFile

_N_MAX = "--n-max"


def run(arguments: Sequence[str]) -> int:
    """Run ``asreview pres``; report an error in one line on stderr and return 2."""
    return run_command(pres, "asreview pres", list(_one_by_one(arguments)))


def _one_by_one(arguments: Sequence[str]) -> Iterator[str]:
    """Repeat ``--n-max`` before each of its values, as Click requires.

    ASReview's own options accept several values, as in ``--prior-idx 1 2``.
    """
    in_values = False
    for before, argument in pairwise(["", *arguments]):
        in_values = before == _N_MAX or (in_values and argument.isdecimal())
        if in_values and before != _N_MAX:
            yield _N_MAX
        yield argument


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("files", metavar="SIM [SIM ...]", type=NonEmptyPath(), nargs=-1, required=True)
@number_option(
    _N_MAX,
    "n_maxes",
    metavar="K [K ...]",
    multiple=True,
    default=(100,),
    help="Nmax: how many records the user is willing to screen. Several values are allowed.",
)
@click.option(
    "--priors",
    is_flag=True,
    help="Count prior knowledge as screened, at the first ranks. Otherwise, it is left out.",
)
@study_options
def pres(files: tuple[str, ...], n_maxes: tuple[int, ...], priors: bool) -> object:
    """Score simulations by PRES, Rnorm and recall.

    SIM is an .asreview file of ASReview 2 or 3. The output contains one line for each
    simulation and each Nmax. With --out, pictures show the areas that PRES compares.

    If all relevant records were found, Rnorm is 1 minus the loss that asreview simulate prints.
    """
    from pres_plugin.study.explain.analysis import PANELS
    from pres_plugin.study.output.parts import Picture, Section, left_out
    from pres_plugin.study.output.report import Report
    from pres_plugin.study.output.words import count

    n_maxes = tuple(dict.fromkeys(n_maxes))
    simulations = list(_read(files, priors=priors))
    warn(_warnings(simulations, max(n_maxes)))
    pictures = [
        Picture(
            f"areas-{n_max}",
            f"Best case, this screening, worst case at Nmax = {n_max}",
            partial(_drawn, simulations, n_max),
            "PRES = A2 / (A1 + A2). A1 lies between the best case and the screening, A2 between "
            "the screening and the worst case."
            + left_out("the first {} simulations", PANELS, len(simulations)),
        )
        for n_max in n_maxes
    ]
    note = (
        f"The ranking, n and N {'' if priors else 'do not '}include prior knowledge. n is the "
        "number of relevant records, and N is the number of all records. Rnorm has no cutoff. "
        "The last rank is that of the last relevant record found."
    )
    return Report(
        f"PRES of {count(len(simulations), 'simulation')}",
        "How early the relevant records were screened.",
        [*pictures, Section("scores", "Scores", _scores(simulations, n_maxes), note)],
        command_line("asreview"),
    )


def _read(files: Sequence[str], *, priors: bool) -> Iterator[Simulation]:
    named = [(AsreviewFile(file).run_name, file) for file in files]
    names = own_names(named)
    for name, file in named:
        yield from read_simulations(file, names[name, file], priors=priors)


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


def _scores(simulations: Sequence[Simulation], n_maxes: Sequence[int]) -> Any:
    from pres_plugin.study.output.tables import Table, count, score, text

    names = "simulation dataset N n priors screened found last_rank Rnorm n_max PRES recall"
    kinds = [text] * 2 + [count] * 6 + [score, count, score, score]
    headings = {"last_rank": "last rank", "n_max": "Nmax"}
    rows = [
        (
            *(one.name, one.dataset, one.n_docs, len(one.relevant), one.n_priors),
            *(len(one.ranking), len(one.ranks), one.last_rank, one.rnorm),
            *(n_max, one.pres(n_max), one.recall(n_max)),
        )
        for one in simulations
        for n_max in n_maxes
    ]
    columns = zip(names.split(), kinds, zip(*rows, strict=True), strict=True)
    return Table({name: kind(values, headings.get(name)) for name, kind, values in columns})


def _drawn(simulations: Sequence[Simulation], n_max: int) -> Any:
    import numpy as np

    from pres_plugin.study.explain.analysis import Explanation
    from pres_plugin.study.explain.picture import areas

    explanations = []
    for one in simulations:
        rank_of = {record: rank for rank, record in enumerate(one.ranking, start=1)}
        retrieved_at = np.array([rank_of.get(record, 0) for record in one.relevant])
        explanations.append(Explanation(one.name, one.dataset, n_max, one.relevant, retrieved_at))
    return areas(explanations)
