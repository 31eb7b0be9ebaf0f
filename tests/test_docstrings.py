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
}

PACKAGE = Path(pres_plugin.__file__).parent
MODULES = [
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in PACKAGE.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    for framework in OPTIONAL & set(name.split(".")):
        pytest.importorskip(framework, reason=f"{framework} is not installed")
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in OPTIONAL:
            raise
        pytest.skip(f"{error.name} is not installed")
    assert doctest.testmod(module).failed == 0
