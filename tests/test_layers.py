"""No module imports from a layer above its own, and no modules import each other in a circle.

Imports inside functions and for types count, too. The methods of a study's result that draw and
describe it import files of its own folder by name (`Result._beside`), and nothing else does.
"""

import ast
from pathlib import Path

import pytest

import pres_plugin

# From low to high. The package itself is above all.
LAYERS = [
    *(
        "escaping",
        "remedy",
        "families",
        "forked",
        "kernel",
        "measures",
        "ranking",
        "frames",
        "formats",
        "files",
    ),
    *("adapters", "study", "cli", "__main__"),
]
# The parts of `study`. Each study is in a folder of its own, above all shared parts.
SHARED = {"any_measure", "inputs", "ranks", "scoring", "groups", "result", "statistics", "output"}
STUDIES = {"compare", "sweep", "explain", "robustness", "check"}
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
    """Yield the modules of the package that a module imports, and the line of each import."""
    path = MODULES[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) + 1 - node.level]
            base = ".".join([*parents, *filter(None, [node.module])]) if node.level else node.module
            # Each name may be a module, or something that is in one.
            names = [f"{base}.{alias.name}" for alias in node.names]
            names = [name if name in MODULES else base for name in names]
        else:
            continue
        for name in names:
            if name.partition(".")[0] == "pres_plugin":
                yield name, node.lineno


IMPORTS = {module: list(imported(module)) for module in MODULES}


def reached(module):
    """Return all modules that a module imports, directly or through others."""
    found, waiting = set(), [module]
    while waiting:
        for name, _ in IMPORTS[waiting.pop()]:
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found


def test_each_part_of_the_package_is_a_layer():
    assert {module.split(".")[1] for module in MODULES if "." in module} == set(LAYERS)
    parts = {module.split(".")[2] for module in MODULES if module.startswith("pres_plugin.study.")}
    assert parts == SHARED | STUDIES


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_from_its_layer_or_from_below(module):
    upwards = [
        f"line {line} imports {name}"
        for name, line in IMPORTS[module]
        if layer(name) > layer(module)
    ]
    assert upwards == []


@pytest.mark.parametrize("module", [m for m in MODULES if m != "pres_plugin"])
def test_no_module_imports_itself_through_others(module):
    assert module not in reached(module)


@pytest.mark.parametrize("module", [m for m in MODULES if m.startswith("pres_plugin.study.")])
def test_a_study_imports_its_own_folder_and_shared_parts(module):
    own = module.split(".")[2]
    studies = {name.split(".")[2] for name, _ in IMPORTS[module] if ".study." in name} & STUDIES
    assert studies <= {own} & STUDIES


def test_only_the_methods_of_results_import_by_name():
    calls = {}
    for module, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "_beside":
                calls.setdefault(module, set()).add(node.args[0].value)
    allowed = {"report", "picture", "paper"}
    for module, names in calls.items():
        assert module == "pres_plugin.study.result" or module.endswith(".analysis")
        assert names <= allowed
