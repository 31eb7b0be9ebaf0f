"""``pres-eval sweep``: score runs at many cutoffs."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from pres_plugin.cli.arguments import input_arguments, measure_option
from pres_plugin.cli.inputs import judged_runs
from pres_plugin.cli.measures import split_measures
from pres_plugin.cli.studies import study_options
from pres_plugin.files.sources import Sources
from pres_plugin.measures.parameters import LARGEST
from pres_plugin.remedy import quoted
from pres_plugin.study.inputs import MOST_CUTOFFS, ascending, whole


@click.command()
@measure_option("PRES AP R")
@click.option(
    "--n-max",
    "cutoffs",
    default="100:1000:100",
    show_default=True,
    help="Values of Nmax: 10:100:10 (from, to, step), 10,20,50, or 10:1000:log20 "
    f"(20 values, each larger by the same factor). At most {MOST_CUTOFFS:,} values. "
    "With weights, as in 50=0.5,100=0.3,500=0.2, expected scores are added: means over Nmax, "
    "weighted in proportion to these numbers.",
)
@input_arguments()
@study_options
def sweep(
    sources: Sources,
    measures: tuple[str, ...],
    cutoffs: str,
) -> object:
    """Score RUNs at many values of Nmax, to see which run leads at each.

    Measures are written without a cutoff: PRES, AP, R, nDCG, Rnorm(N=11429).

    QRELS and RUN are given as in pres-eval score.
    """
    from pres_plugin.study.sweep import analysis

    given = parse_cutoffs(cutoffs)
    values = ascending("cutoff", given, whole, MOST_CUTOFFS)
    swept = analysis.swept_measures(split_measures(measures), values[0])
    judged = judged_runs(sources, [measure @ cutoff for measure in swept for cutoff in values])
    return analysis.sweep(judged.qrels, judged.runs, swept, given)


def parse_cutoffs(text: str) -> list[int] | dict[int, float]:
    """Return the values of Nmax in ``10:100:10``, ``10,20,50`` or ``10:1000:log20``.

    In ``50=0.5,100=0.3``, they have weights. The numbers are checked by the study.

    >>> from pres_plugin.cli.commands.sweep import parse_cutoffs
    >>> parse_cutoffs("10:30:10"), parse_cutoffs("50,20"), parse_cutoffs("10:1000:log3")
    ([10, 20, 30], [50, 20], [10, 100, 1000])
    >>> parse_cutoffs("50=0.5,100=2")
    {50: 0.5, 100: 2.0}
    """
    parts = text.replace(" ", "").split(",")
    if "=" in text:
        matches = map(_WEIGHTED.fullmatch, parts)
        weights = {int(match[1]): float(match[2]) for match in matches if match}
        if len(weights) < len(parts):
            raise click.ClickException(
                f"--n-max {quoted(text)}: with weights, give each Nmax once and with its weight; "
                "write 50=0.5,100=0.3,500=0.2"
            )
        return weights
    values: list[int] = []
    for part in parts:
        match = _RANGE.fullmatch(part)
        found = _cutoffs(*match.groups()) if match else ()
        if not found:
            raise click.ClickException(
                f"--n-max {quoted(text)}: {quoted(part)} is neither a positive number nor "
                "an ascending range; write 10:100:10, 10,20,50 or 10:1000:log20"
            )
        values += found[: MOST_CUTOFFS + 1 - len(values)]
    return values


# No number is longer than the largest Nmax.
_NUMBER = f"([0-9]{{1,{len(str(LARGEST))}}})"
_RANGE = re.compile(f"{_NUMBER}(?::{_NUMBER}(?::(log)?{_NUMBER})?)?")
_WEIGHTED = re.compile(rf"{_NUMBER}=([0-9]*\.?[0-9]+(?:e[+-]?[0-9]+)?)")


def _cutoffs(first: str, last: str | None, log: str | None, step: str | None) -> Sequence[int]:
    """Return the values of a range; none if it is not ascending."""
    low, high, by = int(first), int(last or first), int(step or 1)
    if not (1 <= low <= high and by > bool(log)):
        return ()
    if log is None:
        return range(low, high + 1, by)
    n = min(by, MOST_CUTOFFS + 1)
    return [round(low * (high / low) ** (i / (n - 1))) for i in range(n)]
