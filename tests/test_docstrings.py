"""The examples in docstrings run and print what they show."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import pres_plugin
from pres_plugin.measures.declared import BY_NAME

# Modules of a framework, or for a command, that may not be installed.
OPTIONAL = {
    *("ir_measures", "pyterrier", "ranx"),
    *("click", "jinja2", "tabulate", "matplotlib", "narwhals", "pandas", "polars", "scipy"),
    *("duckdb", "ibis", "pyspark"),
}

MODULES = [
    module.name
    for module in pkgutil.walk_packages(
        pres_plugin.__path__, "pres_plugin.", onerror=lambda name: None
    )
]


@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
@pytest.mark.parametrize("name", ["pres_plugin", *MODULES])
def test_examples_run(name):
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


FUNCTIONS = [measure.declaration.function.__name__ for measure in BY_NAME.values()]


@pytest.mark.parametrize("name", [*FUNCTIONS, "f_prime", "relevant_ranks"])
def test_every_function_for_one_topic_has_an_example_and_says_what_it_raises(name):
    doc = inspect.getdoc(getattr(pres_plugin, name))
    for section in ("Parameters", "Returns", "Raises", "Examples"):
        assert f"\n{section}\n---" in doc
