"""No module imports from a layer above its own, not even inside a function."""

import ast
from pathlib import Path

import pytest

import pres_plugin

# From low to high. The package itself, and the alias `pres_plugin.trec`, are above all.
LAYERS = [
    *(
        "escaping",
        "remedy",
        "forked",
        "kernel",
        "measures",
        "ranking",
        "frames",
        "formats",
        "files",
    ),
    *("adapters", "study", "cli", "trec", "__main__"),
]
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


def test_each_part_of_the_package_is_a_layer():
    parts = {module.split(".")[1] for module in MODULES if "." in module}
    assert parts == set(LAYERS)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_from_its_layer_or_from_below(module):
    upwards = [
        f"line {line} imports {name}"
        for name, line in imported(module)
        if layer(name) > layer(module)
    ]
    assert upwards == []
