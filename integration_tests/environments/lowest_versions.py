"""Checks that packages have the lowest versions that pres-plugin allows.

    python integration_tests/environments/lowest_versions.py [PACKAGE ...]

Without arguments, it checks every installed package that an extra requires. tox
runs this before the tests of the lowest versions. Otherwise these would also pass
if another package required a newer release.
"""

import sys
from importlib import metadata

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
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


# PyTerrier requires a newer ir-measures: the environment oldest-ir-measures tests the oldest.
NEWER = {"ir-measures"}
if sys.version_info >= (3, 12):
    # The bounds are for Python 3.11. The first releases with wheels for later Pythons are newer.
    NEWER |= {"duckdb", "matplotlib", "numpy", "pandas", "pyarrow", "scipy"}


def main(names: list[str]) -> None:
    bounds = lower_bounds()
    installed = {canonicalize_name(each.name) for each in metadata.distributions()}
    wrong = []
    for name in names or sorted(bounds.keys() & installed):
        version = Version(metadata.version(name))
        print(f"{name} {version}, of >= {bounds[name]}")
        if version != bounds[name] and (names or name not in NEWER):
            wrong.append(name)
    if wrong:
        sys.exit(f"not the lowest version: {', '.join(wrong)}")


if __name__ == "__main__":
    main(sys.argv[1:])
