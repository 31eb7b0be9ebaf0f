"""Check which parts of pres-plugin are installed, and test each by scoring an example.

Each extra of the package is one part. Its requirements are read from the package's own
metadata. A part works if it scores the example of the PRES paper correctly.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module, metadata
from importlib.util import find_spec
from io import BytesIO
from math import isclose
from pathlib import Path
from typing import Any, Literal

from packaging.requirements import Requirement

import pres_plugin
from pres_plugin import pres, pres_est, rnorm

__all__ = ["Diagnosis", "Package", "Part", "diagnose"]

State = Literal["works", "missing", "fails"]

_DISTRIBUTION = "pres-plugin"
# Extras for developing the project itself, and the one that combines all others.
_NOT_PARTS = frozenset({"all", "docs", "lint", "release", "test"})

# System 4 of Table 1 in the paper; Table 2 gives its PRES as 0.28.
_RANKS, _N_RELEVANT, _N_MAX = (1, 98, 99, 100), 4, 100
_PUBLISHED = 0.28
_N_DOCS = 1000
_QRELS = {"q1": {f"d{rank}": 1 for rank in _RANKS}}
_RUN = {"q1": {f"d{rank}": float(_N_MAX - rank) for rank in range(1, _N_MAX + 1)}}
# PRES, PRES_est and Rnorm as written for ir-measures and dataframes.
_NAMES = (f"PRES@{_N_MAX}", f"PRES_est@{_N_MAX}", f"Rnorm(N={_N_DOCS})@{_N_MAX}")


class _WrongError(Exception):
    """An installed part does not work; the message says why."""


class _MissingError(Exception):
    """An extra lacks something other than a package, such as Java.

    Parameters
    ----------
    found, remedy : str
        See :class:`Part`.
    """

    def __init__(self, found: str, remedy: str) -> None:
        super().__init__(found)
        self.remedy = remedy


@dataclass(frozen=True)
class Package:
    """A distribution that a part needs.

    Attributes
    ----------
    name : str
        The name to install it by.
    version : str or None
        The installed version; None if it is not installed.
    supported : str
        The versions that pres-plugin supports, such as ``>=1.0``.
    """

    name: str
    version: str | None
    supported: str

    @property
    def is_supported(self) -> bool:
        """Whether a supported version is installed."""
        specifier = Requirement(f"{self.name}{self.supported}").specifier
        return self.version is not None and specifier.contains(self.version, prereleases=True)


@dataclass(frozen=True)
class Part:
    """The kernel, or an extra of the package.

    Attributes
    ----------
    name : str
        ``kernel``, or the name of the extra.
    state : {'works', 'missing', 'fails'}
        ``missing`` if a required package, or Java for Spark, is not installed.
    packages : tuple of Package
        The packages that it needs.
    found : str
        What was checked, what is missing, or what is wrong.
    remedy : str or None
        The command that installs what is missing or too old; for Java, where to get it.
        None if nothing is missing or too old.
    """

    name: str
    state: State
    packages: tuple[Package, ...]
    found: str
    remedy: str | None = None


@dataclass(frozen=True)
class Diagnosis:
    """The result of :func:`diagnose`.

    Attributes
    ----------
    version, python, platform : str
        The versions of pres-plugin and Python, and the operating system.
    parts : tuple of Part
        All parts checked, the kernel first.
    """

    version: str
    python: str
    platform: str
    parts: tuple[Part, ...]

    @property
    def works(self) -> bool:
        """Whether everything that is installed works."""
        return all(part.state != "fails" for part in self.parts)


def diagnose(extras: Collection[str] = ()) -> Diagnosis:
    """Check what is installed. This imports every framework and makes ranx compile.

    Parameters
    ----------
    extras : collection of str, default ()
        The extras to check; all of them if empty. Spark is started only if it is among them.

    Returns
    -------
    Diagnosis

    Raises
    ------
    ValueError
        If an extra is unknown.
    RuntimeError
        If pres-plugin is imported from a folder and not installed.

    Examples
    --------
    >>> from pres_plugin.doctor import diagnose
    >>> kernel, cli = diagnose(["cli"]).parts
    >>> kernel.found
    'PRES of ranks 1, 98, 99, 100 is 0.28, as published'
    >>> cli.state
    'works'
    """
    known = dict(_extras())
    if unknown := [extra for extra in extras if extra not in known]:
        raise ValueError(f"no extra {unknown[0]!r}; there are {', '.join(known)}")
    return Diagnosis(
        pres_plugin.__version__,
        f"{platform.python_implementation()} {platform.python_version()}",
        platform.platform(),
        (
            _kernel(),
            *(
                _part(extra, known[extra], _check(extra, extra in extras))
                for extra in extras or known
            ),
        ),
    )


def _check(extra: str, by_name: bool) -> Callable[[], str]:
    checks = {**_CHECKS, **_LONG_CHECKS} if by_name else _CHECKS
    return checks.get(extra, _nothing_more)


def _kernel() -> Part:
    try:
        _compare({"PRES": pres(_RANKS, _N_RELEVANT, _N_MAX)}, {"PRES": _PUBLISHED})
    except _WrongError as error:
        return Part("kernel", "fails", (), str(error))
    ranks = ", ".join(map(str, _RANKS))
    return Part("kernel", "works", (), f"PRES of ranks {ranks} is {_PUBLISHED}, as published")


def _extras() -> Iterator[tuple[str, tuple[Package, ...]]]:
    """Yield each extra meant for users, and the packages that it needs."""
    try:
        about = metadata.metadata(_DISTRIBUTION)
    except metadata.PackageNotFoundError:
        raise RuntimeError(
            "pres-plugin is imported from a folder and not installed, so its requirements are "
            "unknown; to install it from there: pip install ."
        ) from None
    required = [Requirement(text) for text in about.get_all("Requires-Dist", ())]
    for extra in about.get_all("Provides-Extra", ()):
        if extra not in _NOT_PARTS:
            yield extra, tuple(_packages(extra, required))


def _packages(extra: str, required: list[Requirement]) -> Iterator[Package]:
    for requirement in required:
        marker = requirement.marker
        if (
            marker is None
            or marker.evaluate({"extra": ""})
            or not marker.evaluate({"extra": extra})
        ):
            continue
        if _normalised(requirement.name) == _DISTRIBUTION:
            for other in sorted(requirement.extras):
                yield from _packages(other, required)
        else:
            yield Package(requirement.name, _version(requirement.name), str(requirement.specifier))


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _version(distribution: str) -> str | None:
    # The frameworks' adapters also know former names of the distributions.
    for framework in pres_plugin.status():
        if _normalised(framework.framework) == _normalised(distribution):
            return framework.version
    with suppress(metadata.PackageNotFoundError):
        return metadata.version(distribution)
    return None


def _part(extra: str, packages: tuple[Package, ...], check: Callable[[], str]) -> Part:
    install = f"pip install 'pres-plugin[{extra}]'"
    if missing := [package.name for package in packages if package.version is None]:
        found = f"not installed: {', '.join(missing)}{_needs_compiler(extra, sys.version_info[:2])}"
        return Part(extra, "missing", packages, found, install)
    unsupported = [
        f"{package.name} {package.version} is not among the versions supported "
        f"({package.supported})"
        for package in packages
        if not package.is_supported
    ]
    upgrade = install.replace("install", "install --upgrade", 1)
    try:
        with warnings.catch_warnings():
            # Ignore warnings about connecting a framework; its status reports the same problem.
            warnings.simplefilter("ignore")
            found = check()
    except _MissingError as error:
        return Part(extra, "missing", packages, "; ".join([*unsupported, str(error)]), error.remedy)
    except Exception as error:  # a broken installation may raise anything
        problem = (
            str(error) if isinstance(error, _WrongError) else f"{type(error).__name__}: {error}"
        )
        if unsupported:
            return Part(extra, "fails", packages, "; ".join([*unsupported, problem]), upgrade)
        # All versions are supported, so upgrading would not help.
        return Part(extra, "fails", packages, f"{problem}; {_REPORT}")
    if unsupported:
        return Part(extra, "works", packages, "; ".join([*unsupported, f"yet {found}"]), upgrade)
    return Part(extra, "works", packages, found)


_REPORT = (
    "each package has a supported version, so please report this with what pres-eval doctor prints"
)

# Per extra, the first Python for which some requirements had no wheels when this version
# was released, and those requirements.
_WITHOUT_WHEELS: dict[str, tuple[tuple[int, int], tuple[str, ...]]] = {
    "pyterrier": ((3, 15), ("lz4",)),
    "ranx": ((3, 15), ("lz4", "fastparquet")),
}


def _needs_compiler(extra: str, python: tuple[int, ...]) -> str:
    """Explain why pip needs a compiler to install an extra on this Python, if it does."""
    since, packages = _WITHOUT_WHEELS.get(extra, ((0, 0), ()))
    if not packages or python < since:
        return ""
    return (
        f"; it needs {' and '.join(packages)}, which had no wheels for Python {since[0]}.{since[1]}"
        " when this version of pres-plugin was released; pip builds them if it finds a C compiler, "
        "the headers of Python, and git"
    )


def _compare(scores: Mapping[str, float], expected: Mapping[str, float]) -> None:
    for measure, score in expected.items():
        if not isclose(scores[measure], score, abs_tol=1e-9):
            raise _WrongError(
                f"{measure} of relevant documents at ranks {', '.join(map(str, _RANKS))} "
                f"is {scores[measure]!r}, not {score!r}"
            )


def _expected(measures: tuple[str, str, str]) -> dict[str, float]:
    """Return the expected PRES, PRES_est and Rnorm, by a framework's names for them."""
    values = (
        _PUBLISHED,
        pres_est(_RANKS, _N_RELEVANT, _N_MAX),
        rnorm(_RANKS, _N_RELEVANT, _N_DOCS, _N_MAX),
    )
    return dict(zip(measures, values, strict=True))


def _connected(module: str) -> Any:
    """Import a framework and return it; raise if our measures are not registered in it."""
    framework = import_module(module)
    distribution = {"ir_measures": "ir-measures"}.get(module, module)
    (status,) = (one for one in pres_plugin.status() if one.framework == distribution)
    if not status.connected:
        raise _WrongError(status.problem or f"{distribution} is not connected")
    return framework


def _ir_measures() -> str:
    framework = _connected("ir_measures")
    expected = _expected(_NAMES)
    measures = [framework.parse_measure(name) for name in expected]
    scores = framework.calc_aggregate(measures, _QRELS, _RUN)
    _compare({str(measure): score for measure, score in scores.items()}, expected)
    return f"scores {', '.join(expected)} right{_repairs('ir-measures')}"


def _repairs(distribution: str) -> str:
    """Describe what pres-plugin repairs in a framework."""
    (status,) = (one for one in pres_plugin.status() if one.framework == distribution)
    return "".join(f"; repaired: {repair}" for repair in status.repairs)


def _pyterrier() -> str:
    found = metadata.entry_points(group="pyterrier.modules")
    if not any(entry.value.startswith("pres_plugin.") for entry in found):
        raise _WrongError(
            "the entry point through which PyTerrier finds pres-plugin is not registered: "
            "reinstall pres-plugin"
        )
    framework = _connected("pyterrier")
    import pandas as pd

    expected = _expected(_NAMES)
    topics = pd.DataFrame({"qid": ["q1"], "query": ["example"]})
    qrels = pd.DataFrame({"qid": "q1", "docno": list(_QRELS["q1"]), "label": 1})
    run = pd.DataFrame({"qid": "q1", "docno": list(_RUN["q1"]), "score": list(_RUN["q1"].values())})
    run["rank"] = range(len(run))
    rows = framework.Experiment([run], topics, qrels, list(expected))
    _compare(rows.iloc[0].to_dict(), expected)
    return f"scores {', '.join(expected)} right in pt.Experiment"


def _ranx() -> str:
    framework = _connected("ranx")
    expected = _expected((f"pres@{_N_MAX}", f"pres_est@{_N_MAX}", f"rnorm.{_N_DOCS}@{_N_MAX}"))
    scores = framework.evaluate(framework.Qrels(_QRELS), framework.Run(_RUN), list(expected))
    _compare(scores, expected)
    return f"scores {', '.join(expected)} right"


def _frames() -> str:
    from pres_plugin import frames

    libraries = [name for name in ("pandas", "polars") if find_spec(name)]
    if not libraries:
        return "installed; without pandas or polars, there is nothing to score the example in"
    measures = list(_expected(_NAMES))
    for name in libraries:
        make = import_module(name).DataFrame
        run, qrels = make(_columns(_RUN, "score")), make(_columns(_QRELS, "relevance"))
        scores = frames.score(run, qrels, measures)
        _compare(dict(zip(scores["measure"], scores["value"], strict=True)), _expected(_NAMES))
    return f"scores {', '.join(measures)} right in {', '.join(libraries)}"


def _columns(topics: Mapping[str, Mapping[str, float]], value: str) -> dict[str, list[Any]]:
    (query_id, docs), *_ = topics.items()
    return {
        "query_id": [query_id] * len(docs),
        "doc_id": list(docs),
        value: list(docs.values()),
    }


def _spark() -> str:
    return f"{_java()}; pres-eval doctor spark starts it and scores"


def _spark_started() -> str:
    java = _java()
    from pyspark.sql import SparkSession

    from pres_plugin import frames

    settings: dict[str, Any] = {
        "spark.log.level": "ERROR",
        "spark.sql.shuffle.partitions": 1,
        "spark.ui.enabled": False,
        "spark.ui.showConsoleProgress": False,
    }
    running = SparkSession.getActiveSession()
    session = running or SparkSession.builder.master("local[1]").config(map=settings).getOrCreate()
    try:
        # Create the rows in SQL, because rows from Python would need Python on Spark's executors.
        run = session.sql(_as_sql(_columns(_RUN, "score")))
        qrels = session.sql(_as_sql(_columns(_QRELS, "relevance")))
        measures = list(_expected(_NAMES))
        rows = frames.score(run, qrels, measures).collect()
        _compare({row["measure"]: row["value"] for row in rows}, _expected(_NAMES))
    finally:
        if running is None:
            session.stop()
    return f"{java}; scores {', '.join(measures)} right in Spark"


def _as_sql(columns: Mapping[str, list[Any]]) -> str:
    rows = ", ".join(map(repr, zip(*columns.values(), strict=True)))
    return f"SELECT * FROM VALUES {rows} AS rows({', '.join(columns)})"


def _java() -> str:
    """Return the version and folder of the Java that Spark would use."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=Path(home) / "bin") if home else shutil.which("java")
    if java is None:
        where = f"in JAVA_HOME, {home}" if home else "by JAVA_HOME or on the PATH"
        raise _MissingError(
            f"not found: Java, {where}, which Spark needs except for Spark Connect",
            "Java 17, which works with Spark 3.5 and later, as a system package or from "
            "https://adoptium.net",
        )
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=True).stderr
    version = re.search(r'version "([^"]+)"', said)
    return f"Java {version[1] if version else 'of an unknown version'} in {Path(java).parent}"


def _cli() -> str:
    (entry,) = metadata.entry_points(group="console_scripts", name="pres-eval")
    entry.load()
    from pres_plugin.cli.output import Score, formatted

    if "0.28" not in formatted([Score("run", "all", "PRES", _PUBLISHED)], "table", 2, False):
        raise _WrongError("pres-eval's table does not show a score")
    return "pres-eval prints scores"


def _study() -> str:
    from pres_plugin.study.explain import explain
    from pres_plugin.study.pictures.explain import areas

    explanations = explain(_QRELS, {"example": _RUN}, "q1", _N_MAX)
    _compare({"PRES": explanations[0].pres}, {"PRES": _PUBLISHED})
    areas(explanations).savefig(BytesIO(), format="png")
    return "explains the example and draws it"


def _nothing_more() -> str:
    return "installed; there is nothing to score by it"


_CHECKS: dict[str, Callable[[], str]] = {
    "cli": _cli,
    "frames": _frames,
    "ir-measures": _ir_measures,
    "pyterrier": _pyterrier,
    "ranx": _ranx,
    "spark": _spark,
    "study": _study,
}
# Longer checks, only for extras that are requested by name.
_LONG_CHECKS = {"spark": _spark_started}
