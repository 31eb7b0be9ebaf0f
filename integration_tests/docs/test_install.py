"""The page on installing names all extras that users need, and what each of them installs."""

import re
from importlib import metadata
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "install.md"

# What contributors need; the page only names these.
FOR_CONTRIBUTORS = {"test", "lint", "docs", "release"}


def declared():
    """The packages of each extra, with those of the extras that it includes."""
    found = {name: set() for name in metadata.metadata("pres-plugin").get_all("Provides-Extra")}
    for requirement in metadata.requires("pres-plugin"):
        if match := re.search(r"extra == ['\"]([\w-]+)['\"]", requirement):
            found[match[1]].add(re.match(r"[\w-]+", requirement)[0])
    return found


def expanded(extra, cells):
    """The packages in an extra's cell, with those of the extras that the cell names."""
    packages = set()
    for name in cells[extra].split(", "):
        packages |= expanded(name.strip("`"), cells) if name.startswith("`") else {name}
    return packages


def test_the_table_lists_the_extras_and_what_they_install():
    text = PAGE.read_text(encoding="utf-8")
    cells = dict(re.findall(r"^\| `([\w-]+)` \| .+ \| (.+) \|$", text, re.MULTILINE))
    shown = {extra: expanded(extra, cells) for extra in cells}
    expected = declared()
    assert shown == {name: expected[name] for name in expected if name not in FOR_CONTRIBUTORS}


def test_the_page_names_the_extras_for_contributors():
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    *names, last = (f"`{name}`" for name in ("test", "lint", "docs", "release"))
    assert f"The extras {', '.join(names)} and {last} are for [contributors]" in text
