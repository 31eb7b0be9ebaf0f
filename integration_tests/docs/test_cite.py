"""docs/cite.md shows docs/references.bib, which agrees with CITATION.cff and the docstrings."""

import inspect
import re
from pathlib import Path

import pytest

from pres_plugin.kernel import topic
from pres_plugin.measures import declared

PROJECT = Path(__file__).parents[2]
DOCS = PROJECT / "docs"
PAGE = (DOCS / "cite.md").read_text(encoding="utf-8")
BIB = (DOCS / "references.bib").read_text(encoding="utf-8")


def entries():
    """The entries of references.bib, by key."""
    found = re.findall(r"^(@\w+\{(\w+),\n.*?^\})$", BIB, re.MULTILINE | re.DOTALL)
    by_key = {key: text for text, key in found}
    assert len(by_key) == len(found)
    assert "\n\n".join(by_key.values()) + "\n" == BIB
    return by_key


ENTRIES = entries()


def fields(key):
    """The fields of an entry, without braces that protect capitals."""
    pairs = re.findall(r"^  (\w+) *= (.*?),?$", ENTRIES[key], re.MULTILINE)
    return {name: re.sub(r"[{}]", "", value) for name, value in pairs}


def test_the_page_shows_each_entry_once():
    shown = re.findall(r"```bibtex\n(.*?)\n```", PAGE, re.DOTALL)
    assert sorted(shown) == sorted(ENTRIES.values())


def test_the_page_says_what_each_entry_is_for():
    advice = PAGE[: PAGE.index("## PRES\n")]
    named = set(re.findall(r"`(\w+)`\]", advice))
    others = {"jarvelin2002ndcg", "moffat2008rbp", "buckley2004bpref", "yilmaz2006infap"}
    assert named == set(ENTRIES) - others


def test_braces_match_and_required_fields_are_there():
    required = {"author", "title", "year"}
    for key, text in ENTRIES.items():
        assert text.count("{") == text.count("}")
        assert required <= set(fields(key)), key


@pytest.fixture(scope="module")
def citation():
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    return yaml.safe_load((PROJECT / "CITATION.cff").read_text(encoding="utf-8"))


def test_the_software_is_that_of_the_citation_file(citation):
    entry = fields("pres_plugin")
    released = citation["date-released"]
    assert entry["author"] == citation["authors"][0]["name"]
    assert entry["title"] == citation["title"]
    assert entry["version"] == citation["version"]
    assert entry["year"] == str(released.year)
    assert entry["month"] == released.strftime("%b").lower()
    assert entry["note"] == f"Python package, version {citation['version']}"
    assert f"pres-plugin {citation['version']}." in PAGE


def test_the_references_of_the_citation_file_are_entries(citation):
    keys = ["magdy2010pres", "magdy2010robustness", "rocchio1964", "cohen2006wss", "kusa2023"]
    for key, reference in zip(keys, citation["references"], strict=True):
        entry = fields(key)
        assert entry["title"] == reference["title"]
        assert entry["year"] == str(reference["year"])
        assert entry.get("doi") == reference.get("doi")
        names = [f"{a['given-names']} {a['family-names']}" for a in reference["authors"]]
        assert entry["author"] == " and ".join(names)
        if "start" in reference:
            pages = [str(reference[name]) for name in ("start", "end") if name in reference]
            assert entry["pages"] == "--".join(pages)


def test_docstrings_cite_the_same_papers():
    cited = " ".join(map(inspect.getsource, (topic, declared)))
    dois = set(re.findall(r"https://doi\.org/(\S+)", cited))
    assert dois == {fields(key)["doi"] for key in ("magdy2010pres", "cohen2006wss", "kusa2023")}
    plain = " ".join(cited.split())
    assert "Performance indices for document retrieval systems. Report ISR-8" in plain
    assert fields("rocchio1964")["number"] == "ISR-8"


def test_titles_on_pages_are_those_of_the_entries():
    reproduced = " ".join((DOCS / "reproduction.md").read_text(encoding="utf-8").lower().split())
    for key in ("magdy2010pres", "magdy2010robustness"):
        assert f" {fields(key)['title'].lower()}. " in reproduced
        assert f"https://doi.org/{fields(key)['doi']}" in reproduced
