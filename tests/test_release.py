"""The version stands in the package; what else states it says the same."""

import re
from datetime import date
from importlib import metadata
from pathlib import Path

from packaging.version import Version

import pres_plugin

PROJECT = Path(__file__).parent.parent
CHANGELOG = (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")
HEADINGS = re.findall(r"^## (.*)$", CHANGELOG, flags=re.MULTILINE)
# Newest first: the last release and its day.
RELEASES = [heading.split(" - ") for heading in HEADINGS if heading != "Unreleased"]


def test_the_installed_package_has_the_version_of_the_module():
    assert metadata.version("pres-plugin") == pres_plugin.__version__


def test_the_changelog_is_in_order():
    assert HEADINGS.count("Unreleased") <= 1
    assert "Unreleased" not in HEADINGS[1:]
    versions = [Version(version) for version, _ in RELEASES]
    days = [date.fromisoformat(day) for _, day in RELEASES]
    assert versions == sorted(set(versions), reverse=True)
    assert days == sorted(days, reverse=True)


def test_the_version_is_the_last_release_or_one_being_made_after_it():
    version, last = Version(pres_plugin.__version__), Version(RELEASES[0][0])
    if version.is_devrelease:
        assert version > last
    else:
        assert (version, HEADINGS[0]) == (last, " - ".join(RELEASES[0]))


def test_the_citation_is_of_this_version():
    """A version that is not released has no day of release."""
    citation = (PROJECT / "CITATION.cff").read_text(encoding="utf-8")
    fields = dict(re.findall(r"^(version|date-released): (.*)$", citation, flags=re.MULTILINE))
    day = (
        {} if Version(pres_plugin.__version__).is_devrelease else {"date-released": RELEASES[0][1]}
    )
    assert fields == {"version": pres_plugin.__version__, **day}
