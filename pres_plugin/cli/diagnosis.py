"""Check which extras are installed, and whether each scores the PRES paper's example correctly."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from importlib import import_module, metadata
from importlib.util import find_spec
from io import BytesIO, StringIO
from math import isclose
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from pres_plugin.adapters.activation import status
from pres_plugin.cli.process import Stopped
from pres_plugin.escaping import visible
from pres_plugin.kernel.effort import last_rel, tnr, wss
from pres_plugin.kernel.topic import pres, pres_est, rnorm

# System 4 of Table 1 in the paper; Table 2 gives its PRES as 0.28.
_RANKS, _N, _N_MAX, _N_DOCS = (1, 98, 99, 100), 4, 100, 1000
_PUBLISHED = 0.28
_QRELS = {"q1": {f"PATENT{rank:03}": 1 for rank in _RANKS}}
_RUN = {"q1": {f"PATENT{rank:03}": float(_N_MAX - rank) for rank in range(1, _N_MAX + 1)}}
# The run and the judgements as columns.
_COLUMNS = [
    {"query_id": ["q1"] * len(docs), "doc_id": list(docs), value: list(docs.values())}
    for value, docs in (("score", _RUN["q1"]), ("relevance", _QRELS["q1"]))
]
# The measures as written in ir-measures and in ranx.
_MEASURES = (
    *(f"PRES@{_N_MAX}", f"PRES_est@{_N_MAX}", f"Rnorm(N={_N_DOCS})@{_N_MAX}"),
    *(f"WSS(N={_N_DOCS})", f"TNR(N={_N_DOCS})", "LastRel"),
)
_IN_RANX = (
    *(f"pres@{_N_MAX}", f"pres_est@{_N_MAX}", f"rnorm.{_N_DOCS}@{_N_MAX}"),
    *(f"wss.{_N_DOCS}", f"tnr.{_N_DOCS}", "last_rel"),
)

# The first Python version for which these packages had no wheels at the time of this release.
_NO_WHEELS = (3, 15)
_WITHOUT_WHEELS = {"pyterrier": "lz4", "ranx": "lz4 and fastparquet"}
_JAVA = "Java 17 or later (system package or https://adoptium.net) on the PATH or in JAVA_HOME"


@dataclass(frozen=True)
class Package:
    """A package that an extra requires, or Java, with its installed and supported versions."""

    name: str
    version: str | None
    supported: str


@dataclass(frozen=True)
class Part:
    """The state of the kernel or of an extra: it works, is missing, or fails."""

    name: str
    state: str
    packages: list[Package]
    found: str
    remedy: str | None = None


def diagnosis(extras: Sequence[str] = ()) -> Iterator[Part]:
    """Check the kernel and these extras (default: all). Only an explicit "spark" starts Spark."""
    for name in dict.fromkeys(["kernel", *(extras or CHECKS)]):
        yield _part(name, _spark_started if name == "spark" and extras else CHECKS[name])


def _part(name: str, check: Callable[[], str]) -> Part:
    packages = list(_packages(name))
    what = f"'pres-plugin[{name}]'" + (f"; {_JAVA}" if name == "spark" else "")
    if missing := [package.name for package in packages if package.version is None]:
        found = f"not installed: {', '.join(missing)}{_needs_compiler(name, sys.version_info[:2])}"
        return Part(name, "missing", packages, found, f"pip install {what}")
    unsupported = [
        f"{package.name} {package.version} is not a supported version ({package.supported})"
        for package in packages
        if not SpecifierSet(package.supported).contains(package.version or "", prereleases=True)
    ]
    state, remedy = "works", f"pip install --upgrade {what}" if unsupported else None
    try:
        with warnings.catch_warnings():
            # Connecting a framework may cause a warning; status() gives the reason, too.
            warnings.simplefilter("ignore")
            found = check()
    except (KeyboardInterrupt, Stopped):
        raise
    except BaseException as error:  # a broken installation may raise anything
        state, found = "fails", visible(f"{type(error).__name__}: {error}")
        if not unsupported:  # so upgrading would not help
            found += "; all versions are supported, so please report what pres-eval doctor prints"
    frameworks = [framework for framework in status() if framework.framework == name]
    problems = [framework.problem for framework in frameworks if framework.problem]
    repairs = [f"repaired: {repair}" for framework in frameworks for repair in framework.repairs]
    found = "; ".join([*unsupported, *problems, found, *repairs])
    return Part(name, state, packages, found, remedy)


def _packages(extra: str) -> Iterator[Package]:
    """Yield the packages that an extra requires, according to pres-plugin's metadata."""
    for text in metadata.requires("pres-plugin") or ():
        required = Requirement(text)
        if required.marker is None or not required.marker.evaluate({"extra": extra}):
            continue
        if required.name == "pres-plugin":
            for other in sorted(required.extras):
                yield from _packages(other)
        else:
            yield Package(required.name, _version(required.name), str(required.specifier))
    if extra == "spark":
        yield Package("Java", _java(), ">=17")


def _version(distribution: str) -> str | None:
    # A framework may be installed under a former name, which its adapter knows.
    frameworks = {framework.framework: framework.version for framework in status()}
    with suppress(metadata.PackageNotFoundError):
        return frameworks.get(distribution) or metadata.version(distribution)
    return None


def _java() -> str | None:
    """Return the version of the Java that Spark would use; None if there is no Java."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=Path(home, "bin") if home else None)
    if java is None:
        return None
    # On macOS, a placeholder for Java prints no version.
    printed = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(\d+(\.\d+)*)', printed)
    return version and version[1]


def _needs_compiler(extra: str, python: tuple[int, ...]) -> str:
    """Explain why pip needs a compiler to install an extra for this Python, if it does."""
    if extra not in _WITHOUT_WHEELS or python < _NO_WHEELS:
        return ""
    return (
        f"; there were no wheels of {_WITHOUT_WHEELS[extra]} for Python 3.{_NO_WHEELS[1]} when "
        "this version of pres-plugin was released; pip can build them if it finds a C compiler, "
        "Python's headers and git"
    )


def _right(scores: Mapping[str, float], measures: Sequence[str] = _MEASURES) -> str:
    """Raise if a score of our measures is wrong. `measures` lists their names in `scores`."""
    expected = (
        *(_PUBLISHED, pres_est(_RANKS, _N, _N_MAX), rnorm(_RANKS, _N, _N_DOCS, _N_MAX)),
        *(wss(_RANKS, _N, _N_DOCS), tnr(_RANKS, _N, _N_DOCS), last_rel(_RANKS, _N)),
    )
    for measure, score in zip(measures, expected, strict=False):
        if not isclose(scores[measure], score, abs_tol=1e-9):
            raise ValueError(
                f"{measure} of relevant documents at ranks {', '.join(map(str, _RANKS))} "
                f"is {scores[measure]!r}, not {score!r}"
            )
    return f"scores {', '.join(measures)} correctly"


def _kernel() -> str:
    return f"{_right({'PRES': pres(_RANKS, _N, _N_MAX)}, ['PRES'])}: {_PUBLISHED}, as published"


def _ir_measures() -> str:
    import ir_measures

    measures = [ir_measures.parse_measure(name) for name in _MEASURES]
    scores = ir_measures.calc_aggregate(measures, _QRELS, _RUN)
    return _right({str(measure): score for measure, score in scores.items()})


def _pyterrier() -> str:
    if "pres" not in metadata.entry_points(group="pyterrier.modules").names:
        raise LookupError("PyTerrier cannot find pres-plugin; reinstall pres-plugin")
    import pandas as pd
    import pyterrier as pt

    names = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}
    run, qrels = (pd.DataFrame(columns).rename(columns=names) for columns in _COLUMNS)
    topics = pd.DataFrame({"qid": ["q1"], "query": ["example"]})
    rows = pt.Experiment([run.assign(rank=range(len(run)))], topics, qrels, list(_MEASURES))
    return f"{_right(rows.iloc[0].to_dict())} in pt.Experiment"


def _ranx() -> str:
    from ranx import Qrels, Run, evaluate

    return _right(evaluate(Qrels(_QRELS), Run(_RUN), list(_IN_RANX)), _IN_RANX)


def _asreview() -> str:
    if "pres" not in metadata.entry_points(group="asreview.entry_points").names:
        raise LookupError("ASReview cannot find pres-plugin; reinstall pres-plugin")
    from asreview.metrics import loss

    labels = [int(rank in _RANKS) for rank in range(1, _N_DOCS + 1)]
    expected = 1 - rnorm(_RANKS, _N, _N_DOCS)
    if not isclose(loss(labels), expected, abs_tol=1e-9):
        raise ValueError(f"asreview.metrics.loss returns {loss(labels)!r}, not {expected!r}")
    return "finds asreview pres; its loss is 1 - Rnorm"


def _frames() -> str:
    from pres_plugin import frames

    libraries = [name for name in ("pandas", "polars") if find_spec(name)]
    for name in libraries:
        run, qrels = map(import_module(name).DataFrame, _COLUMNS)
        scores = frames.score(run, qrels, _MEASURES)
        _right(dict(zip(scores["measure"], scores["value"], strict=True)))
    if not libraries:
        return "installed; install pandas or polars to score the example"
    return f"scores {', '.join(_MEASURES)} correctly in {', '.join(libraries)}"


def _spark() -> str:
    return "installed; pres-eval doctor spark starts it and scores the example"


def _spark_started() -> str:
    from pyspark.sql import SparkSession

    from pres_plugin import frames

    quiet: dict[str, Any] = {
        "spark.log.level": "ERROR",
        "spark.sql.shuffle.partitions": 1,
        "spark.ui.enabled": False,
        "spark.ui.showConsoleProgress": False,
    }
    session = SparkSession.builder.master("local[1]").config(map=quiet).getOrCreate()
    try:
        # The rows are made in SQL, since rows from Python would need Python on Spark's executors.
        run, qrels = (
            session.sql(
                f"SELECT * FROM VALUES {', '.join(map(repr, zip(*columns.values(), strict=True)))} "
                f"AS rows({', '.join(columns)})"
            )
            for columns in _COLUMNS
        )
        rows = frames.score(run, qrels, _MEASURES).collect()
    finally:
        session.stop()
    return f"{_right({row['measure']: row['value'] for row in rows})} in Spark"


def _cli() -> str:
    from pres_plugin.cli.commands.score import score

    with TemporaryDirectory() as folder, redirect_stdout(StringIO()) as printed:
        qrels, run = Path(folder, "qrels"), Path(folder, "run")
        qrels.write_text("".join(f"q1 0 {doc} {n}\n" for doc, n in _QRELS["q1"].items()))
        run.write_text("".join(f"q1 Q0 {doc} 0 {s} run\n" for doc, s in _RUN["q1"].items()))
        options = ["-m", " ".join(_MEASURES), "--format", "json", "--places", "-1"]
        score.main([*options, str(qrels), str(run)], standalone_mode=False)
    return _right({one["measure"]: one["value"] for one in json.loads(printed.getvalue())})


def _study() -> str:
    from pres_plugin.study.explain import explain
    from pres_plugin.study.pictures.explain import areas

    explanations = explain(_QRELS, {"example": _RUN}, "q1", _N_MAX)
    _right({"PRES": explanations[0].pres}, ["PRES"])
    areas(explanations).savefig(BytesIO(), format="png")
    return "explains the example and draws it"


#: A function for the kernel and each extra: it describes what works, or raises an error.
CHECKS: dict[str, Callable[[], str]] = {
    "kernel": _kernel,
    "ir-measures": _ir_measures,
    "pyterrier": _pyterrier,
    "ranx": _ranx,
    "asreview": _asreview,
    "frames": _frames,
    "spark": _spark,
    "cli": _cli,
    "study": _study,
}
