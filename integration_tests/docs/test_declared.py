"""Pages repeat what pyproject.toml and CITATION.cff declare, and the paths that exist."""

import re
from importlib import metadata
from pathlib import Path

import pytest

import pres_plugin
from pres_plugin import remedy

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


def test_one_page_shows_how_to_install_and_the_messages_say_the_same():
    text = (DOCS / "install.md").read_text(encoding="utf-8")
    command = re.search("pip install .*", remedy.install("cli"))[0]
    assert command in [line.strip() for line in text.splitlines()]
    # Errors quotes the messages, in which the command follows "run: ".
    of_ours = re.compile(
        r"(?<!run: )pip install (?!'ir-measures).*?(?:(?<![\w.])\.(?![\w/])|pres-plugin)"
    )
    found = {path.name for path in DOCS.rglob("*.md") if of_ours.search(path.read_text("utf-8"))}
    assert found - {"contributing.md"} == {"install.md"}


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


BIBTEX = (DOCS / "references.bib").read_text(encoding="utf-8")
CITE = (DOCS / "cite.md").read_text(encoding="utf-8")


def test_the_page_on_citing_shows_entries_and_names_others():
    shown = re.findall(r"^```bibtex\n(.*?)^```$", CITE, re.MULTILINE | re.DOTALL)
    assert len(shown) == 2
    assert [entry for entry in shown if entry not in BIBTEX] == []
    keys = re.findall(r"^@\w+\{(\w+),$", BIBTEX, re.MULTILINE)
    assert len(keys) == len(set(keys))
    table = [line for line in CITE.splitlines() if line.startswith("|")]
    assert {*re.findall(r"`(\w+)`", "\n".join(table))} == {*keys}


def test_citations_of_this_software_have_its_version():
    version = pres_plugin.__version__
    software = fields("pres_plugin")
    assert (software["version"], software["note"]) == (
        version,
        f"Python package, version {version}",
    )
    assert f"computed with pres-plugin {version}." in CITE


def fields(key):
    """The fields of an entry of references.bib, without braces that protect capitals."""
    (entry,) = re.findall(rf"^@\w+\{{{key},\n.*?^\}}$", BIBTEX, re.MULTILINE | re.DOTALL)
    pairs = re.findall(r"^  (\w+) *= (.*?),?$", entry, re.MULTILINE)
    return {name: re.sub(r"[{}]", "", value) for name, value in pairs}


def test_references_are_those_of_the_citation_file():
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    citation = yaml.safe_load((PROJECT / "CITATION.cff").read_text(encoding="utf-8"))
    assert fields("pres_plugin")["title"] == citation["title"]
    keys = ["magdy2010pres", "magdy2010robustness", "rocchio1964", "cohen2006wss", "kusa2023"]
    for key, reference in zip(keys, citation["references"], strict=True):
        entry = fields(key)
        names = [f"{a['given-names']} {a['family-names']}" for a in reference["authors"]]
        assert entry["author"] == " and ".join(names)
        assert entry["title"] == reference["title"]
        assert entry["year"] == str(reference["year"])
        assert entry.get("doi") == reference.get("doi")
