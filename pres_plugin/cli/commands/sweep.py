"""``pres-eval sweep``: score runs at many cutoffs."""

from __future__ import annotations

from collections.abc import Sequence

import click

from pres_plugin.cli.arguments import input_arguments, measure_option
from pres_plugin.cli.measures import split_measures
from pres_plugin.cli.runs import judged_runs
from pres_plugin.cli.studies import study_options
from pres_plugin.messages import quoted
from pres_plugin.study.arguments import MOST_CUTOFFS, ascending, whole
from pres_plugin.tables.sources import Sources


@click.command()
@measure_option("PRES AP R")
@click.option(
    "--n-max",
    "cutoffs",
    default="100:1000:100",
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
    try:
        if "=" in text:
            pairs = [part.split("=") for part in text.split(",")]
            weights = {int(n_max): float(weight) for n_max, weight in pairs}
            if len(weights) == len(pairs):
                return weights
        values: list[int] = []
        for part in text.split(","):
            values += _range(*part.split(":"))[: MOST_CUTOFFS + 1 - len(values)]
        return values
    except (TypeError, ValueError, ArithmeticError):
        raise click.ClickException(
            f"--n-max {quoted(text)} cannot be read; write 10:100:10, 10,20,50 or "
            "10:1000:log20; with weights, write 50=0.5,100=0.3,500=0.2"
        ) from None


def _range(first: str, last: str | None = None, step: str = "1") -> Sequence[int]:
    """Return the values of a range, or raise a ValueError if it is not ascending."""
    low, high = int(first), int(last or first)
    if not 1 <= low <= high:
        raise ValueError
    if not step.startswith("log"):
        return range(low, high + 1, int(step))
    n = min(int(step.removeprefix("log")), MOST_CUTOFFS + 1)
    return [round(low * (high / low) ** (i / (n - 1))) for i in range(n)]
