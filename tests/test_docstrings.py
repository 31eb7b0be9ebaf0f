"""The examples in docstrings run and print what they show."""

import doctest
import importlib
from pathlib import Path

import pytest

import pres_plugin

# Modules of a framework, or for a command, that may not be installed.
OPTIONAL = {
    *("ir_measures", "pyterrier", "ranx"),
    *("click", "jinja2", "tabulate", "matplotlib", "narwhals", "pandas", "polars", "scipy"),
    *("duckdb", "ibis", "pyspark"),
}

PACKAGE = Path(pres_plugin.__file__).parent
MODULES = [
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in PACKAGE.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
]
# Importing these takes seconds.
SLOW = {"pyterrier", "ranx"}


@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.ci] * (not SLOW.isdisjoint(name.split("."))))
        for name in MODULES
    ],
)
def test_examples_run(name):
    for framework in OPTIONAL & set(name.split(".")):
        pytest.importorskip(framework, reason=f"{framework} is not installed")
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in OPTIONAL:
            raise
        pytest.skip(f"{error.name} is not installed")
    except SystemExit:
        # PySpark takes a process of pytest-xdist, which has no main module, for its own doctests.
        pytest.skip("PySpark's Connect client cannot be imported in this process")
    assert doctest.testmod(module).failed == 0
