"""Build the report of a test of robustness: the mean τ and its range, per fraction and measure."""

from __future__ import annotations

from pres_plugin.study.columns import Columns
from pres_plugin.study.pictures.limits import TAU_MEASURES, left_out
from pres_plugin.study.report import Picture, Table, View
from pres_plugin.study.reports.pictures import drawn_by
from pres_plugin.study.robustness import Robustness
from pres_plugin.study.sentences.words import percent


def parts(found: Robustness) -> list[Picture | Table]:
    """Return the tables and pictures of a test of robustness, in reading order."""
    summary = "Agreement with the order by all judgements (Kendall's τ), by fraction"
    samples = "Agreement with the order by all judgements (Kendall's τ), by sample"
    by_fraction = found.fraction_columns()
    return [
        Table(
            "tau-by-fraction",
            summary,
            by_fraction,
            "τ is 1 if a sample orders the runs as all relevant documents do, and -1 if it "
            "reverses their order. The lowest, mean and highest τ are taken over the samples of "
            "each fraction.",
            views=[View(summary, _in_percent(by_fraction))],
        ),
        Picture(
            "lowest-tau",
            "Lowest τ by fraction of relevant documents kept",
            drawn_by("robustness", "lowest_tau", found),
            "Kendall's τ between the order of the runs by a sample of the relevant documents and "
            "their order by all of them; it is 1 if both are the same. The lowest τ of each "
            "fraction is drawn in full colour, the other samples faintly."
            + left_out("the first {} measures", TAU_MEASURES, len(found.measures)),
        ),
        Table(
            "tau", samples, found.tau_columns(), printed=False,
            views=[View(samples, lambda: _in_percent(_by_sample(found)))],
        ),
    ]  # fmt: skip


def _by_sample(found: Robustness) -> Columns:
    """Return one row per fraction and sample, and one column per measure."""
    taus, n_measures = found.tau_columns(), len(found.measures)
    of_samples = taus.rows(slice(0, None, n_measures))
    of_measures = dict(
        zip(found.measures, found.kendall_tau.reshape(-1, n_measures).T, strict=True)
    )
    return Columns({name: of_samples[name] for name in ("fraction", "sample")} | of_measures)


def _in_percent(table: Columns) -> Columns:
    """Return a table with its fractions as percentages."""
    return Columns(table.values | {"fraction": list(map(percent, table["fraction"]))})
