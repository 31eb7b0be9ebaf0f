"""``pres-eval robustness``: test how stable the order of runs is with few judgements."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from pres_plugin.cli.arguments import (
    input_arguments,
    measure_option,
    number_option,
    reading_options,
    with_default,
)
from pres_plugin.cli.backends import ranking
from pres_plugin.cli.inputs import Inputs, with_progress
from pres_plugin.cli.measures import parse_measures
from pres_plugin.cli.studies import command_line, study_options
from pres_plugin.files.sources import Sources
from pres_plugin.measures.parameters import LARGEST
from pres_plugin.remedy import quoted
from pres_plugin.study.limits import LARGEST_SEED, MOST_SAMPLES

if TYPE_CHECKING:
    from pres_plugin.study.report import Report


@click.command()
@input_arguments
@measure_option(
    "PRES@1000", "AP@1000", "R@1000", help="Measures to compute: in one string, or with several -m."
)
@click.option(
    "--fractions",
    default="0.2,0.4,0.6,0.8",
    show_default=True,
    help="Fractions of each topic's relevant documents to keep, separated by commas; each is "
    "above 0 and at most 1.",
)
@number_option(
    "--samples",
    most=MOST_SAMPLES,
    default=3,
    help=f"Number of random samples per fraction. All fractions together can have at most "
    f"{MOST_SAMPLES:,}.",
)
@number_option(
    "--seed",
    least=0,
    most=LARGEST_SEED,
    default=0,
    help="Seed of the random samples. A seed gives the same samples on every machine.",
)
@number_option(
    "--processes",
    most=LARGEST,
    help=with_default(
        "Number of processes that score samples, at most one per processor.",
        "one per processor, if there is enough work",
    ),
)
@reading_options
@study_options
def robustness(
    sources: Sources,
    measures: tuple[str, ...],
    fractions: str,
    samples: int,
    seed: int,
    processes: int | None,
) -> Report:
    """Test whether RUNs keep their order with only a sample of the judgements.

    Each sample keeps a random fraction of each topic's relevant documents, at least one. The
    other relevant documents count as unjudged. Kendall's τ compares the order of the runs by
    the sample with their order by all judgements.

    Some measures are fast: PRES, PRES_est, AP and R, and, if N is given, Rnorm, WSS
    and TNR. Other measures are slower, because they score each run once per sample.

    QRELS and RUN are given as in pres-eval score.
    """
    from pres_plugin.study.inputs import all_from_ranks
    from pres_plugin.study.report import Report
    from pres_plugin.study.reports.robustness import parts
    from pres_plugin.study.robustness import Samples, robustness_of_ranks
    from pres_plugin.study.robustness import robustness as sample_judgements
    from pres_plugin.study.sentences.words import count

    asked = parse_measures(measures)
    kept = _parse_fractions(fractions)
    progress = partial(with_progress, label="samples")
    if by_ranks := all_from_ranks(asked):
        plan = Samples(kept, samples, seed, processes)
        found = robustness_of_ranks(*ranking(sources, asked), by_ranks, plan, progress)
    else:
        inputs = Inputs(sources, asked)
        found = sample_judgements(
            inputs.qrels,
            inputs.runs(),
            asked,
            kept,
            samples=samples,
            seed=seed,
            processes=processes,
            progress=progress,
        )
    return Report(
        f"{count(len(found.runs), 'run')} with part of the judgements",
        f"{count(samples, 'sample')} per fraction, seed {seed}; "
        f"means of {count(found.n_topics, 'topic')}.",
        parts(found),
        command_line(),
        found.sentences(),
    )


def _parse_fractions(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise click.ClickException(
            f"--fractions {quoted(text)}: these are not numbers separated by commas; "
            "write 0.2,0.4,0.6,0.8"
        ) from None
