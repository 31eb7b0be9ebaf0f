"""Checks that packages have the lowest versions that pres-plugin allows.

    python integration_tests/environments/lowest_versions.py PACKAGE ...

tox runs this before the tests of the lowest versions. Otherwise these would also
pass if another package required a newer release.
"""

import sys
from importlib import metadata

from packaging.requirements import Requirement
from packaging.version import Version


def lower_bounds() -> dict[str, Version]:
    """Return the lower bound of each package that some extra requires."""
    requirements = map(Requirement, metadata.requires("pres-plugin") or ())
    return {
        requirement.name: Version(bound.version)
        for requirement in requirements
        for bound in requirement.specifier
        if bound.operator == ">="
    }


def main(packages: list[str]) -> None:
    bounds = lower_bounds()
    installed = {name: Version(metadata.version(name)) for name in packages}
    for name, version in installed.items():
        print(f"{name} {version}, of >= {bounds[name]}")
    if wrong := [name for name in packages if installed[name] != bounds[name]]:
        sys.exit(f"not the lowest version: {', '.join(wrong)}")


if __name__ == "__main__":
    main(sys.argv[1:])
