"""``pres-eval doctor``: print versions, and score the paper's example systems in each tool."""

from __future__ import annotations

import csv
import json
import platform
import re
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module, metadata
from itertools import islice
from math import isclose
from pathlib import Path
from typing import Any

import click

from pres_plugin.adapters.activation import status
from pres_plugin.escaping import visible
from pres_plugin.kernel.topic import relevant_ranks
from pres_plugin.measures.declared import pres
from pres_plugin.remedy import install

# Finds the packages in our requirements, except those of the extras for developers.
_PACKAGES = re.compile(r"^([\w-]+)(?!.*extra == .(?:docs|lint|release|test)\b)", re.MULTILINE)

# The PRES of the paper's systems at Nmax = 100. In the folder `example`, each system is a topic of
# one run, which retrieves 100 documents in the order of their ranks.
PUBLISHED = [0.25, 0.505, 1.0, 0.28]
_MEASURE = "PRES@100"
_EXAMPLE = Path(__file__).parent / "example"


def _dicts(name: str, number: Callable[[str], Any]) -> dict[str, dict[str, Any]]:
    dicts: dict[str, dict[str, Any]] = {}
    with (_EXAMPLE / f"{name}.csv").open() as file:
        for topic, doc_id, value in islice(csv.reader(file), 1, None):
            dicts.setdefault(topic, {})[doc_id] = number(value)
    return dicts


_QRELS, _RUN = _dicts("qrels", int), _dicts("run", float)


def _frames(read_csv: Callable[[Path], Any]) -> Any:
    from pres_plugin import frames

    run, qrels = (read_csv(_EXAMPLE / f"{name}.csv") for name in ("run", "qrels"))
    return frames.score(run, qrels, _MEASURE)


def _ir_measures() -> Any:
    import ir_measures

    found = ir_measures.parse_measure(_MEASURE).iter_calc(_QRELS, _RUN)
    return (metric.value for metric in found)


def _pyterrier() -> Any:
    import pandas as pd
    import pyterrier as pt

    run, qrels = (pd.read_csv(_EXAMPLE / f"{name}.csv") for name in ("run", "qrels"))
    run.columns, qrels.columns = ["qid", "docno", "score"], ["qid", "docno", "label"]
    topics = pd.DataFrame({"qid": list(_QRELS), "query": "example"})
    return pt.Experiment([run.assign(rank=1)], topics, qrels, [_MEASURE], perquery=True)["value"]


def _ranx() -> Any:
    from ranx import Qrels, Run, evaluate

    return evaluate(Qrels(_QRELS), Run(_RUN), "pres@100", return_mean=False)


def _spark() -> Any:
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[1]").getOrCreate()
    # As a URI, because other paths may be those of a cluster.
    found = _frames(
        lambda path: session.read.csv(path.absolute().as_uri(), header=True, inferSchema=True)
    )
    scores = [row["value"] for row in sorted(found.collect())]
    session.stop()
    return scores


def _files(run: str = "run.csv") -> Any:
    from pres_plugin import files

    return files.score(f"{_EXAMPLE}/qrels.csv", f"{_EXAMPLE}/{run}", _MEASURE)["value"]


def _excel() -> Any:
    import fastexcel  # noqa: F401  # so that a missing package is reported by its name

    return _files("run.xlsx")


#: A function for the kernel and each extra, which returns the scores of the four systems.
CHECKS: dict[str, Callable[[], Iterable[float]]] = {
    "kernel": lambda: [pres(relevant_ranks([*_RUN[q]], {*_QRELS[q]}), 4, 100) for q in _RUN],
    "ir-measures": _ir_measures,
    "pyterrier": _pyterrier,
    "ranx": _ranx,
    "frames": lambda: _frames(import_module("polars").read_csv)["value"],
    "cli": _files,
    "excel": _excel,
    "study": lambda: _frames(import_module("pandas").read_csv)["value"],
    "spark": _spark,
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
    """Check which extras are installed, and whether they score correctly.

    The report lists the versions of all packages. The command then scores the four example
    systems of the PRES paper with each EXTRA (default: all). The report states whether the
    scores are right, and how to install what is missing. The exit code is 1 if an installed
    extra does not work, and otherwise 0.

    The first check of ranx is slow, because numba compiles it. Spark is started only by
    "pres-eval doctor spark".
    """
    versions = {
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": platform.platform(),
    }
    required = "\n".join(metadata.requires("pres-plugin") or ())
    for package in ["pres-plugin", *_PACKAGES.findall(required)]:
        with suppress(metadata.PackageNotFoundError):
            versions[package] = metadata.version(package)
    parts = [_checked(name) for name in extras or CHECKS if extras or name != "spark"]
    works = all(part["state"] != "fails" for part in parts)
    if as_json:
        click.echo(json.dumps({"versions": versions, "parts": parts, "works": works}, indent=2))
    else:
        for name, version in versions.items():
            click.echo(f"{name:12} {version}")
        click.echo(f"\nPRES@100 of the paper's systems: {', '.join(map(str, PUBLISHED))}\n")
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
            scores = list(map(float, CHECKS[extra]()))
        if not all(map(isclose, scores, PUBLISHED)):
            state, found = "fails", f"scores {', '.join(map(str, scores))}"
    except Exception as error:  # a broken installation may raise anything
        state, found = "fails", f"{type(error).__name__}: {error}"
        if isinstance(error.__cause__ or error, ModuleNotFoundError):
            state, found = "missing", f"{error}; {install(extra)}"
    if state == "fails":
        of_extra = [framework for framework in status() if framework.framework == extra]
        found = "; ".join([found, *map(str, of_extra)])
    return {"name": extra, "state": state, "found": found}
