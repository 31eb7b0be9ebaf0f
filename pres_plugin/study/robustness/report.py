"""Build the report of a test of robustness: the mean τ and its range, per fraction and measure."""

from __future__ import annotations

from functools import partial

from pres_plugin.study.output.parts import Picture, Section, left_out
from pres_plugin.study.output.report import Report
from pres_plugin.study.output.words import count
from pres_plugin.study.robustness.analysis import DRAWN_MEASURES, Robustness


def report(found: Robustness, command: str) -> Report:
    """Return the report of a test of robustness; `command` makes it again."""
    title = "Agreement with the order by all judgements (Kendall's τ), by sample"
    by_sample = Section("tau", title, found.all_taus, printed=False, views=[(title, found.samples)])
    return Report(
        f"{count(len(found.runs), 'run')} with part of the judgements",
        f"{count(found.n_samples, 'sample')} per fraction, seed {found.seed}; "
        f"means of {count(found.n_topics, 'topic')}.",
        [*main_parts(found), by_sample],
        command,
        found.sentences(),
    )


def main_parts(found: Robustness) -> list[Picture | Section]:
    """Return the table and the picture of τ by fraction."""
    return [
        Section(
            "tau-by-fraction",
            "Agreement with the order by all judgements (Kendall's τ), by fraction",
            found.ranges(),
            "τ is 1 if a sample of the judgements gives the same order of runs as all judgements, "
            "and -1 if it gives the reverse order. The lowest, mean and highest τ are taken over "
            "the samples of each fraction.",
        ),
        Picture(
            "lowest-tau",
            "Lowest τ by fraction of relevant documents kept",
            partial(found.draw, "lowest_tau"),
            "Kendall's τ between the order of the runs by a sample of the relevant documents and "
            "their order by all of them; it is 1 if both are the same. The lowest τ of each "
            "fraction is drawn in full colour, the other samples faintly."
            + left_out("the first {} measures", DRAWN_MEASURES, len(found.measures)),
        ),
    ]
