"""``pres-eval check``: report whether values are PRES, and if not, which variants match."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click
from tabulate import tabulate

from pres_plugin.cli.arguments import (
    INPUT,
    WholeNumber,
    choice_option,
    number_option,
    reading_options,
    sources_of,
)
from pres_plugin.cli.errors import command_error, errors_of
from pres_plugin.cli.inputs import Inputs
from pres_plugin.cli.measures import parse_measures
from pres_plugin.cli.streams import print_data
from pres_plugin.cli.warnings import warn
from pres_plugin.escaping import in_table, visible
from pres_plugin.measures.parameters import LARGEST
from pres_plugin.remedy import some
from pres_plugin.study.limits import LARGEST_LEVEL, MOST_ROWS

if TYPE_CHECKING:
    from pres_plugin.files.runs import Runs
    from pres_plugin.files.sources import Sources
    from pres_plugin.formats.dicts import Dicts
    from pres_plugin.study.check import Closest, Verdict
    from pres_plugin.study.values import Values
    from pres_plugin.study.variants import Variant

#: The number of topics and combinations of variants that the text shows. JSON contains them all.
_SHOWN = 5


@click.command()
@click.argument("values", type=INPUT)
@click.argument("qrels", type=INPUT)
@click.argument("run", type=INPUT)
@click.option(
    "--n-max",
    type=WholeNumber(1, LARGEST),
    required=True,
    help="Nmax: how many documents the user is willing to check.",
)
@number_option(
    "--rel", most=LARGEST_LEVEL, default=1, help="Lowest relevance that counts as relevant."
)
@number_option(
    "--n-docs",
    most=LARGEST,
    help="N: number of documents in the collection. Required to recognise Rnorm.",
)
@choice_option("-f", "--format", "fmt", values=["text", "json"], help="How to print the result.")
@reading_options
def check(
    values: str,
    run: str,
    n_max: int,
    rel: int,
    n_docs: int | None,
    fmt: str,
    **arguments: Any,
) -> None:
    """Check whether VALUES are the PRES of RUN, or else which variant they match.

    VALUES is a file with one value per topic, their mean, or both. It can be JSON such as
    {"q1": 0.5}, CSV, TSV, or fields separated by blanks, with or without a header. It can also
    be what pres-eval score prints as a table, CSV, TSV or JSON, or what trec_eval -q or
    ir_measures prints. Instead of a file, VALUES can be a single number: the mean.

    The report states for how many topics the values equal PRES, and to how many decimals. If
    they are not PRES, it names the known variants that match, alone or combined. The exit code
    is 0 if the values are PRES, and otherwise 1.

    QRELS and RUN are given as in pres-eval score, but there is only one RUN.
    """
    from pres_plugin.study.check import check as checked
    from pres_plugin.study.inputs import StudyError

    sources = sources_of({**arguments, "runs": (run,)})
    if [values, sources.qrels, run].count("-") > 1:
        raise click.ClickException(
            "standard input can be read only once, as VALUES, as QRELS or as RUN"
        )
    measure = f"PRES@{n_max}" if rel == 1 else f"PRES(rel={rel})@{n_max}"
    inputs = Inputs(sources, parse_measures([measure]))
    runs = inputs.runs()
    name, content = next(runs)
    read = _values(values, n_max, rel, inputs.qrels, name)
    try:
        rows = _all_rows(inputs.files[0], content, sources)
        verdict = checked(inputs.qrels, content, read, n_max, rel=rel, n_docs=n_docs, rows=rows)
    except StudyError as error:
        raise command_error(error) from error
    if other := next(runs, None):
        raise click.ClickException(
            f"{run}: VALUES are compared with one run, but there are several ("
            f"{some([name, other[0], '…'], 2)}); give a file with one run"
        )
    report = _Report(verdict, measure, name, n_docs is not None)
    if fmt == "json":
        print_data(report.as_json())
    else:
        click.echo("\n".join(report.lines()))
    click.get_current_context().exit(0 if verdict.is_pres else 1)


def _values(path: str, n_max: int, rel: int, judged: Collection[str], run: str) -> Values:
    """Read VALUES: a file, or a number if there is no file of this name."""
    from pres_plugin.formats.input.on_disk import on_disk
    from pres_plugin.study.values import Values, as_number, read_values

    if not os.path.exists(path) and (number := as_number(path)) is not None:
        return Values(mean=number)
    with ExitStack() as until, errors_of(path):
        return read_values(on_disk(path, until), n_max, judged, run, rel=rel, name=path)


def _all_rows(
    file: Runs, run: Dicts, sources: Sources
) -> dict[str, list[tuple[str, float]]] | None:
    """Return the rows of a run that repeats documents, or None if it repeats none or is large."""
    from pres_plugin.formats.base import UnclearError

    if sources.duplicates == "error":
        return None
    rows: dict[str, list[tuple[str, float]]] = {}
    size = 0
    try:
        for piece in file.pieces():
            size += piece.height
            if size > MOST_ROWS:
                raise UnclearError
            for query_id, doc_id, score in piece.select("query_id", "doc_id", "score").iter_rows():
                rows.setdefault(query_id, []).append((doc_id, score))
    except UnclearError:  # the run is too large, or its file had to be read line by line
        warn([f"{file.path}: the variant that counts repeated documents was not checked"])
        return None
    return rows if size > sum(map(len, run.values())) else None


@dataclass(frozen=True)
class _Report:
    """A verdict, as text for people or as JSON for programs."""

    verdict: Verdict
    measure: str
    run: str
    knows_n_docs: bool

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text."""
        yield visible(self._first())
        yield from map(visible, self._topics())
        if self.verdict.is_pres:
            return
        yield ""
        yield from self._differences()
        yield ""
        if self.verdict.matches:
            yield from self._matches()
        elif self.verdict.closest is not None:
            yield from self._closest(self.verdict.closest)

    def _first(self) -> str:
        verdict, of = self.verdict, f"{self.measure} of {self.run}"
        if not verdict.compared:
            agrees = f"to {_counted(verdict.decimals, 'decimal')}"
            return f"The mean is {of}, {agrees}." if verdict.is_pres else f"The mean is not {of}."
        if verdict.is_pres:
            topics = _counted(verdict.compared, "topic")
            agree = "agrees" if verdict.compared == 1 else "agree"
            if verdict.mean is not None:
                topics, agree = f"{topics} and the mean", "agree"
            return (
                f"The values are {of}: {topics} {agree} to {_counted(verdict.decimals, 'decimal')}."
            )
        agree = f"{verdict.agreeing} of {verdict.compared} topics agree"
        if verdict.mean is not None:
            wrong = any(d.query_id is None for d in verdict.differences)
            agree += ", and the mean does not" if wrong else ", and the mean does"
        return f"The values are not {of}: {agree}."

    def _topics(self) -> Iterator[str]:
        verdict = self.verdict
        if verdict.not_judged:
            yield (
                f"Topics with a value but without judgements are ignored, "
                f"{len(verdict.not_judged)} in total: {some(verdict.not_judged)}."
            )
        if verdict.missing:
            have = "has" if len(verdict.missing) == 1 else "have"
            yield (
                f"{len(verdict.missing)} of {_counted(verdict.judged, 'judged topic')} {have} no "
                f"value: {some(verdict.missing)}."
            )
            if set(verdict.missing) == set(verdict.without_results):
                yield (
                    "These are the topics without results. They score 0; a mean that leaves them "
                    "out is too high."
                )

    def _differences(self) -> Iterator[str]:
        shown = self.verdict.differences[:_SHOWN]
        yield tabulate(
            [
                ["mean" if d.query_id is None else in_table(d.query_id), *map(_decimals, d[1:])]
                for d in shown
            ],
            headers=["topic", "value", self.measure],
            disable_numparse=True,
            colalign=["left", "right", "right"],
        )
        if more := len(self.verdict.differences) - len(shown):
            yield f"… and {more} more"

    def _matches(self) -> Iterator[str]:
        matches = self.verdict.matches
        shown = matches[:_SHOWN]
        size = len(matches[0].variants)
        if size == 1:
            what = "this known variant" if len(matches) == 1 else "each of these known variants"
        else:
            these = "this combination" if len(matches) == 1 else "each of these combinations"
            what = f"{these} of {size} known variants"
        yield f"{self._match()} {what}:"
        for match in shown:
            names = " + ".join(variant.name for variant in match.variants)
            yield f"- {names}, to {_counted(match.decimals, 'decimal')}"
            for variant in match.variants:
                yield f"  {variant.does} {variant.wrong}"
        if more := len(matches) - len(shown):
            yield f"… and {more} more"
        if not self.verdict.compared:
            yield "A mean can match by chance. Check the values of the topics to be sure."

    def _closest(self, closest: Closest) -> Iterator[str]:
        name = "PRES itself" if closest.variant is None else closest.variant.name
        yield f"{self._match()} no known variant."
        yield (
            f"The closest is {name}, with a mean absolute difference of "
            f"{_decimals(closest.mean_difference)}."
        )
        if closest.variant is not None:
            yield f"  {closest.variant.does}"
        if not self.knows_n_docs:
            yield "Rnorm was not compared, because it needs --n-docs."

    def _match(self) -> str:
        return "They match" if self.verdict.compared else "It matches"

    def as_json(self) -> str:
        """Return the verdict as JSON."""
        verdict = self.verdict
        content = {
            "run": self.run,
            "measure": self.measure,
            "is_pres": verdict.is_pres,
            "decimals": verdict.decimals,
            "judged": verdict.judged,
            "compared": verdict.compared,
            "agreeing": verdict.agreeing,
            "mean": verdict.mean and {"value": verdict.mean.value, "pres": verdict.mean.pres},
            "differences": [d._asdict() for d in verdict.differences],
            "not_judged": verdict.not_judged,
            "missing": verdict.missing,
            "without_results": verdict.without_results,
            "matches": [
                {"variants": [_described(v) for v in match.variants], "decimals": match.decimals}
                for match in verdict.matches
            ],
            "closest": verdict.closest
            and {
                "variant": verdict.closest.variant and _described(verdict.closest.variant),
                "mean_difference": verdict.closest.mean_difference,
            },
        }
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _described(variant: Variant) -> dict[str, str]:
    return {"name": variant.name, "does": variant.does, "wrong": variant.wrong}


def _counted(number: int | None, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _decimals(value: float) -> str:
    return f"{value:.6f}" if abs(value) < 1e6 else f"{value:g}"
