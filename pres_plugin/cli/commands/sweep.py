"""``pres-eval sweep``: score runs at many cutoffs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from pres_plugin.cli.arguments import input_arguments, measure_option, reading_options
from pres_plugin.cli.backends import ranking
from pres_plugin.cli.completion import complete_swept
from pres_plugin.cli.inputs import Inputs
from pres_plugin.cli.measures import split_measures
from pres_plugin.cli.studies import command_line, study_options
from pres_plugin.files.sources import Sources
from pres_plugin.measures.parameters import LARGEST
from pres_plugin.remedy import quoted
from pres_plugin.study.limits import MOST_CUTOFFS

if TYPE_CHECKING:
    from pres_plugin.study.report import Report

_LOG_COUNT = 20


@click.command()
@input_arguments
@measure_option("PRES", "AP", "R", complete=complete_swept)
@click.option(
    "--n-max",
    "cutoffs",
    default="100:1000:100",
    show_default=True,
    help="Values of Nmax: 10:100:10 (from, to, step), 10,20,50, or 10:1000:log20 "
    f"(20 values, each larger by the same factor). At most {MOST_CUTOFFS:,} values.",
)
@reading_options
@study_options
def sweep(
    sources: Sources,
    measures: tuple[str, ...],
    cutoffs: str,
) -> Report:
    """Score RUNs at many values of Nmax, to see which run leads at each.

    Measures are written without a cutoff: PRES, AP, R, nDCG, Rnorm(N=11429).

    QRELS and RUN are given as in pres-eval score.
    """
    from pres_plugin.study.inputs import all_from_ranks, swept_measures
    from pres_plugin.study.report import Report
    from pres_plugin.study.reports.sweep import parts
    from pres_plugin.study.sentences.words import count
    from pres_plugin.study.sweep import sweep as sweep_cutoffs
    from pres_plugin.study.sweep import sweep_of_ranks

    values = parse_cutoffs(cutoffs)
    swept = swept_measures(split_measures(measures), values[0])
    with_cutoffs = [measure(cutoff=cutoff) for measure in swept for cutoff in values]
    if by_ranks := all_from_ranks(swept):
        found = sweep_of_ranks(*ranking(sources, with_cutoffs), by_ranks, values)
    else:
        inputs = Inputs(sources, with_cutoffs)
        found = sweep_cutoffs(inputs.qrels, inputs.runs(), swept, values)
    return Report(
        f"{count(len(found.runs), 'run')} at {count(len(values), 'cutoff')}",
        f"Means of {count(found.n_topics, 'topic')} by {', '.join(found.measures)}.",
        parts(found),
        command_line(),
        found.sentences(),
    )


def parse_cutoffs(text: str) -> list[int]:
    """Return the values of Nmax in ``10:100:10``, ``10,20,50`` or ``10:1000:log20``, ascending.

    >>> from pres_plugin.cli.commands.sweep import parse_cutoffs
    >>> parse_cutoffs("10:30:10"), parse_cutoffs("50,20"), parse_cutoffs("10:1000:log3")
    ([10, 20, 30], [20, 50], [10, 100, 1000])
    """
    values: set[int] = set()
    try:
        for part in text.split(","):
            values.update(_cutoffs(part.strip()))
            if len(values) > MOST_CUTOFFS:
                raise ValueError(_TOO_MANY)
    except ValueError as error:
        raise click.ClickException(f"--n-max {quoted(text)}: {error}") from None
    return sorted(values)


# No number is longer than the largest Nmax.
_NUMBER = f"([0-9]{{1,{len(str(LARGEST))}}})"
_RANGE = re.compile(f"{_NUMBER}(?::{_NUMBER}(?::(log)?{_NUMBER}?)?)?")
_TOO_MANY = f"a sweep can have at most {MOST_CUTOFFS} values of Nmax"


def _cutoffs(part: str) -> Iterable[int]:
    """Return the values in one part of the text; raise a ValueError if the part is invalid."""
    match = _RANGE.fullmatch(part)
    if match is None or part.endswith(":"):
        raise ValueError(
            f"{quoted(part)} is neither a number nor a range; "
            "write 10:100:10, 10,20,50 or 10:1000:log20"
        )
    first, last = int(match[1]), int(match[2] or match[1])
    if first < 1 or max(first, last) > LARGEST:
        raise ValueError(f"values of Nmax must be positive whole numbers up to {LARGEST}")
    if last < first:
        raise ValueError(f"the range {part!r} ends before it begins; write {last}:{first}")
    step = int(match[4] or (_LOG_COUNT if match[3] else 1))
    if match[3]:
        if step < 2:
            raise ValueError(f"the range {part!r} needs at least 2 values; write log2 or more")
        if step > MOST_CUTOFFS:
            raise ValueError(_TOO_MANY)
        return [round(first * (last / first) ** (i / (step - 1))) for i in range(step)]
    if step < 1:
        raise ValueError(f"the step of {part!r} must be a positive whole number")
    values = range(first, last + 1, step)
    if len(values) > MOST_CUTOFFS:
        raise ValueError(_TOO_MANY)
    return values
