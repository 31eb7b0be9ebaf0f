"""``pres-eval check``: report whether values are PRES, and if not, which variants match."""

from __future__ import annotations

import os
from typing import Any

import click

from pres_plugin.cli.arguments import (
    NonEmptyPath,
    choice_option,
    input_arguments,
    number_option,
    rel_option,
)
from pres_plugin.cli.inputs import judged_dicts
from pres_plugin.cli.output import as_json
from pres_plugin.cli.process import print_data
from pres_plugin.files.sources import Sources
from pres_plugin.formats.sets import FileSet
from pres_plugin.measures import PRES


@click.command()
@click.argument("values", type=NonEmptyPath())
@number_option(
    "--n-max",
    required=True,
    help="Nmax: how many documents the user is willing to check.",
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

    VALUES is a file with one value per topic, their mean, or both. It can be the output of
    pres-eval score, trec_eval or ir_measures, CSV or TSV with a header, or JSON such as
    {"q1": 0.5}. Instead of a file, VALUES can be a single number: the mean.

    The report states for how many topics the values equal PRES, and to how many decimals. If
    they are not PRES, it names the known variants that match. If VALUES also contain AP or recall
    at Nmax, values below AP or above recall are listed, because they cannot be PRES. The exit code
    is 0 if the values are PRES, and otherwise 1.

    QRELS and RUN are given as in pres-eval score, but there is only one RUN.
    """
    from pres_plugin.study.check import check as checked
    from pres_plugin.study.check.report import as_record, as_text
    from pres_plugin.study.check.values import Values, as_number, read_values

    if [values, *sources.paths].count("-") > 1:
        raise click.ClickException(
            "standard input can be read only once, as VALUES, as QRELS or as RUN"
        )
    measure = PRES(cutoff=n_max, rel=rel)
    judged = judged_dicts(sources, [measure])
    name, content = next(judged.runs)
    if not os.path.exists(values) and (number := as_number(values)) is not None:
        read = Values({None: number})
    else:
        read = read_values(values, n_max, judged.qrels, name, rel=rel)
    if next(judged.runs, None):  # at the end of the runs, warnings about them are printed
        raise click.ClickException("there are several runs; give a file with one run")
    rows = _rows(judged.files[0], sources)
    verdict = checked(judged.qrels, content, read, n_max, rel=rel, n_docs=n_docs, rows=rows)
    about = (verdict, str(measure), name)
    print_data(as_json(as_record(*about)) if fmt == "json" else as_text(*about))
    return 0 if verdict.is_pres else 1


def _rows(file: FileSet, sources: Sources) -> dict[str, Any] | None:
    """Return all rows of a run that may repeat documents, unless they are folded."""
    if sources.duplicates == "error" or sources.families is not None:
        return None
    import polars as pl

    batches = [batch.select("query_id", "doc_id", "score") for batch in file.batches()]
    return pl.concat(batches).rows_by_key("query_id")
