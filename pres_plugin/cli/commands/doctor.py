"""``pres-eval doctor``: print versions, and score the paper's example in each framework."""

from __future__ import annotations

import json
import platform
import re
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib import metadata
from math import isclose
from typing import Any

import click

from pres_plugin.adapters.activation import status
from pres_plugin.escaping import visible
from pres_plugin.measures.declared import pres
from pres_plugin.remedy import install

# Finds the packages in our requirements, except those of the extras for developers.
_PACKAGES = re.compile(r"^([\w-]+)(?!.*extra == .(?:docs|lint|release|test)\b)", re.MULTILINE)

#: System 4 of the paper finds four relevant documents at these ranks, and has this PRES@100.
_RANKS = (1, 98, 99, 100)
PUBLISHED = 0.28

_MEASURE = "PRES@100"
_QRELS = {"q1": {f"d{rank}": 1 for rank in _RANKS}}
_RUN = {"q1": {f"d{rank}": -float(rank) for rank in range(1, 101)}}


def _columns(topics: dict[str, dict[str, Any]], *names: str) -> dict[str, list[Any]]:
    [(topic, docs)] = topics.items()
    values = [topic] * len(docs), [*docs], [*docs.values()]
    return dict(zip(names, values, strict=True))


def _ir_measures() -> Any:
    import ir_measures

    return ir_measures.parse_measure(_MEASURE).calc_aggregate(_QRELS, _RUN)


def _pyterrier() -> Any:
    import pandas as pd
    import pyterrier as pt

    run = pd.DataFrame(_columns(_RUN, "qid", "docno", "score")).assign(rank=1)
    qrels = pd.DataFrame(_columns(_QRELS, "qid", "docno", "label"))
    topics = pd.DataFrame({"qid": ["q1"], "query": "example"})
    return pt.Experiment([run], topics, qrels, [_MEASURE])[_MEASURE][0]


def _ranx() -> Any:
    from ranx import Qrels, Run, evaluate

    return evaluate(Qrels(_QRELS), Run(_RUN), "pres@100")


def _frames() -> Any:
    from pres_plugin import frames

    # The error for a missing narwhals comes first.
    import polars as pl  # isort: skip

    run = pl.DataFrame(_columns(_RUN, "query_id", "doc_id", "score"))
    qrels = pl.DataFrame(_columns(_QRELS, "query_id", "doc_id", "relevance"))
    return frames.score(run, qrels, _MEASURE)["value"][0]


#: A function for the kernel and each framework, which returns the score of the example.
CHECKS: dict[str, Callable[[], float]] = {
    "kernel": lambda: pres(_RANKS, 4, 100),
    "ir-measures": _ir_measures,
    "pyterrier": _pyterrier,
    "ranx": _ranx,
    "frames": _frames,
}


@click.command()
@click.argument("extras", metavar="[EXTRA ...]", type=click.Choice(list(CHECKS)), nargs=-1)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the report as JSON, for example to attach it to a bug report.",
)
def doctor(extras: tuple[str, ...], as_json: bool) -> int:
    """Check which packages are installed, and whether they score correctly.

    The report lists the versions of all packages. The command then scores an example of the PRES
    paper with each EXTRA (default: all). The report states whether the score is right, and how to
    install what is missing. The exit code is 1 if an installed extra does not work, otherwise 0.

    The first check of ranx is slow, because numba compiles it.
    """
    versions = {
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": platform.platform(),
    }
    required = "\n".join(metadata.requires("pres-plugin") or ())
    for package in ["pres-plugin", *_PACKAGES.findall(required)]:
        with suppress(metadata.PackageNotFoundError):
            versions[package] = metadata.version(package)
    parts = [_checked(name) for name in extras or CHECKS]
    works = all(part["state"] != "fails" for part in parts)
    if as_json:
        click.echo(json.dumps({"versions": versions, "parts": parts, "works": works}, indent=2))
    else:
        for name, version in versions.items():
            click.echo(f"{name:12} {version}")
        click.echo(f"\n{_MEASURE} of the example: {PUBLISHED}\n")
        for part in parts:
            click.echo(visible("{state:8} {name:12} {found}".format(**part)).rstrip())
    return 0 if works else 1


def _checked(extra: str) -> dict[str, str]:
    """Return the state of an extra: it works, is missing, or fails."""
    state, found = "works", ""
    try:
        with warnings.catch_warnings():
            # Connecting a framework may cause a warning; status() gives the reason, too.
            warnings.simplefilter("ignore")
            score = float(CHECKS[extra]())
        if not isclose(score, PUBLISHED):
            state, found = "fails", f"scores {score}"
    except Exception as error:  # a broken installation may raise anything
        state, found = "fails", f"{type(error).__name__}: {error}"
        if isinstance(error.__cause__ or error, ModuleNotFoundError):
            state, found = "missing", f"{error}; {install(extra)}"
    if state == "fails":
        of_extra = [framework for framework in status() if framework.framework == extra]
        found = "; ".join([found, *map(str, of_extra)])
    return {"name": extra, "state": state, "found": found}
