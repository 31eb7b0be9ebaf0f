"""The design page names paths that exist; the releases page names the declared versions."""

import re
from importlib import metadata
from pathlib import Path

PROJECT = Path(__file__).parent.parent.parent
PAGE = (PROJECT / "docs" / "design.md").read_text(encoding="utf-8")
RELEASES = (PROJECT / "docs" / "releasing.md").read_text(encoding="utf-8")


def test_the_oldest_versions_are_those_that_are_declared():
    shown = dict(re.findall(r"^\| ([\w-]+) \| ([\d.]+) \|$", RELEASES, flags=re.MULTILINE))
    package = metadata.metadata("pres-plugin")
    declared = {"python": package["Requires-Python"].removeprefix(">=")}
    for requirement in package.get_all("Requires-Dist"):
        if match := re.match(r"([\w-]+)>=([\d.]+); extra", requirement):
            declared[match[1].lower()] = match[2]
    assert len(shown) == 5
    for name, version in shown.items():
        assert declared[name.lower()] == version


def test_the_paths_it_names_are_there():
    paths = re.findall(r"`((?:[a-z_]+/)*[a-z_]+(?:/|\.py|\.toml))`", PAGE)
    assert len(paths) > 10
    for path in paths:
        if path != "native/":
            roots = (PROJECT, PROJECT / "pres_plugin", PROJECT / "pres_plugin" / "adapters")
            assert any((root / path).exists() for root in roots), path
