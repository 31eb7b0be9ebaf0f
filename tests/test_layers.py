"""No module imports from a layer above its own, and no modules import each other in a circle.

Imports inside functions and for types count, too.
"""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

from interpreter import run_python

import pres_plugin

# From low to high. The package itself is above all.
LAYERS = [
    *("escaping", "messages", "publications", "families"),
    *("forked", "unmatched", "kernel", "measures", "ranking"),
    *(
        "one_topic",
        "adapters",
        "scoring",
        "groups",
        "output",
        "tables",
        "files",
        "frames",
        "study",
        "cli",
    ),
    "__main__",
]
# Each study is in a folder of its own, above all other parts of `study`.
STUDIES = {"compare", "sweep", "explain", "robustness", "check", "gate"}
#: Only a gate imports another study, because it decides about a comparison.
ALSO = {"gate": {"compare"}}
ROOT = Path(pres_plugin.__file__).parent
MODULES = {
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(ROOT.rglob("*.py"))
}


def layer(module):
    """Return the number of the layer that a module belongs to."""
    _, *parts = module.split(".")
    return LAYERS.index(parts[0]) if parts else len(LAYERS)


def imported(module):
    """Return the modules of the package that a module imports."""
    found, path = set(), MODULES[module]
    parents = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = parents[: len(parents) + 1 - node.level] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            # Each name may be a module, or something that is in one.
            names = {f"{base}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else base for name in names}
    return found & MODULES.keys()


IMPORTS = {module: imported(module) for module in MODULES}


def test_each_part_of_the_package_is_a_layer():
    assert {module.split(".")[1] for module in MODULES if "." in module} == set(LAYERS)


def test_a_module_imports_from_its_layer_or_from_below():
    upwards = [(m, name) for m in MODULES for name in IMPORTS[m] if layer(name) > layer(m)]
    assert upwards == []


def test_no_modules_import_each_other_in_a_circle():
    TopologicalSorter(IMPORTS).prepare()  # a CycleError names them


def test_a_study_imports_no_other_study():
    for module in MODULES:
        own, *_ = [*module.split(".")[2:], None]
        if module.startswith("pres_plugin.study."):
            studies = {name.split(".")[2] for name in IMPORTS[module] if ".study." in name}
            assert studies & STUDIES <= {own} | ALSO.get(own, set()), module


def test_the_package_needs_only_numpy_beyond_the_standard_library():
    printed = run_python("""
        import sys
        before = set(sys.modules)
        import pres_plugin
        names = {name.partition(".")[0] for name in set(sys.modules) - before}
        print(sorted(names - sys.stdlib_module_names - {"numpy"}))
    """)
    assert printed == "['pres_plugin']\n"
