"""The names that type checkers read in pres_plugin/__init__.py are those of the declarations."""

import ast
from pathlib import Path

import pytest

import pres_plugin
from pres_plugin import frames, measures
from pres_plugin.measures import declared

SOURCE = Path(pres_plugin.__file__)
FUNCTIONS = {measure.declaration.lower_name for measure in declared.BY_NAME.values()}
OBJECTS = {measure.name for measure in declared.OURS}
REMEDY = f"change the names in {SOURCE}"


def for_type_checkers():
    """The functions that the file imports, and the objects that it names under TYPE_CHECKING."""
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    functions = {
        alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == declared.__name__
        for alias in node.names
        if alias.asname is None
    }
    return functions, {node.target.id for node in block.body if isinstance(node, ast.AnnAssign)}


def test_type_checkers_know_each_function_and_each_measure():
    assert for_type_checkers() == (FUNCTIONS, OBJECTS), REMEDY


def test_the_package_exports_each_function_and_each_measure():
    assert set(pres_plugin.__all__) >= FUNCTIONS | OBJECTS, REMEDY


@pytest.mark.parametrize("module", [measures, frames], ids=lambda module: module.__name__)
def test_the_measures_can_be_imported_by_name(module):
    assert {name for name in module.__all__ if name in declared.BY_NAME} == set(declared.BY_NAME)
    for name, measure in declared.BY_NAME.items():
        assert getattr(module, name) is measure, f"change {module.__file__}"
