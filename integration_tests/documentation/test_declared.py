"""Pages repeat what pyproject.toml declares, and paths that exist. They have an entry per name."""

import re
from importlib import import_module, metadata
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
DOCS = PROJECT / "docs"

# What contributors need; the page on installing only names these.
FOR_CONTRIBUTORS = {"test", "lint", "docs", "release"}


def expanded(extra, cells):
    """The packages in an extra's cell, with those of the extras that the cell names."""
    packages = set()
    for name in cells[extra].split(", "):
        packages |= expanded(name.strip("`"), cells) if name.startswith("`") else {name}
    return packages


def test_the_table_of_extras_lists_what_they_install():
    text = (DOCS / "install.md").read_text(encoding="utf-8")
    cells = dict(re.findall(r"^\| `([\w-]+)` \| .+ \| (.+) \|$", text, re.MULTILINE))
    declared = {
        extra: set() for extra in metadata.metadata("pres-plugin").get_all("Provides-Extra")
    }
    for requirement in metadata.requires("pres-plugin"):
        if match := re.search(r"extra == ['\"]([\w-]+)['\"]", requirement):
            declared[match[1]].add(re.match(r"[\w-]+", requirement)[0])
    users = {extra: declared[extra] for extra in declared.keys() - FOR_CONTRIBUTORS}
    assert {extra: expanded(extra, cells) for extra in cells} == users


def test_the_oldest_supported_versions_are_those_that_are_declared():
    text = (DOCS / "contributing.md").read_text(encoding="utf-8")
    shown = dict(re.findall(r"^\| ([\w-]+) \| ([\d.]+) \|$", text, flags=re.MULTILINE))
    package = metadata.metadata("pres-plugin")
    declared = {"python": package["Requires-Python"].removeprefix(">=")}
    for requirement in package.get_all("Requires-Dist"):
        if match := re.match(r"([\w-]+)>=([\d.]+); extra", requirement):
            declared[match[1].lower()] = match[2]
    assert len(shown) == 5
    assert shown == {name: declared[name.lower()] for name in shown}


@pytest.mark.parametrize("page", ["design.md", "contributing.md", "extending.md"])
def test_the_paths_that_a_page_names_exist(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    paths = set(re.findall(r"`((?:[a-z_]+/)+[a-z_]+(?:/|\.py))`", text))
    roots = (PROJECT, PROJECT / "pres_plugin", PROJECT / "pres_plugin" / "adapters")
    assert paths
    assert [path for path in paths if not any((root / path).exists() for root in roots)] == []


def named(path):
    """The object of this name; None if only type checkers know it."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name, None)


def public_names():
    """Each name in the `__all__` of a module, with the module."""
    for path in sorted((PROJECT / "pres_plugin").rglob("*.py")):
        if re.search("^__all__ = ", path.read_text(encoding="utf-8"), re.MULTILINE):
            module = ".".join(path.relative_to(PROJECT).with_suffix("").parts)
            module = module.removesuffix(".__init__")
            yield from (f"{module}.{name}" for name in import_module(module).__all__)


def test_each_public_name_has_one_entry():
    pages = [path.read_text(encoding="utf-8") for path in (DOCS / "reference").rglob("*.md")]
    entries = re.findall(r"^::: (pres_plugin\S+)$", "\n".join(pages), re.MULTILINE)
    described = [named(entry) for entry in entries]
    lacking = {
        name
        for name in public_names()
        if name not in entries and not any(named(name) is each for each in described)
    }
    assert lacking == {"pres_plugin.__version__"}
    assert len(set(entries)) == len(entries)
