"""Runs the tests with each Python and the lowest and newest releases, and prints a table.

    python integration_tests/supported_versions.py

prints, in Markdown, a row for each environment that pyproject.toml tells tox of:
what was installed in it, and what became of its tests. Arguments are passed on
to tox, such as ``-e lowest-3.10,lowest-3.13``. Where a Python is on another
machine, results of ``tox --result-json`` from both make one table:

    python integration_tests/supported_versions.py here.json there.json

This needs the extra ``release``, and each Python where tox finds it; those that
it does not find get no row.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).parent.parent
# By their names for tox, and in print.
KINDS = {
    "newest": "newest of all",
    "lowest": "lowest of all",
    "oldest-ir-measures": "oldest ir-measures",
    "oldest-pyterrier": "oldest PyTerrier",
    "oldest-ranx": "oldest ranx",
    "oldest-asreview": "oldest ASReview",
}
PACKAGES = (
    *(
        "ir-measures",
        "pyterrier",
        "ranx",
        "asreview",
        "narwhals",
        "polars",
        "numpy",
        "scipy",
        "pandas",
    ),
    *("matplotlib", "jinja2", "click", "tabulate"),
)


def run_tox(arguments: list[str]) -> dict:
    """What became of each environment, by tox's own report."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        side_by_side = [f"--parallel={os.cpu_count()}", "--parallel-no-spinner"]
        subprocess.run(
            ["tox", "run-parallel", *side_by_side, "--result-json", report, *arguments],
            cwd=PROJECT,
            stdout=sys.stderr,
            check=False,  # the report says what failed
        )
        return read(report)


def read(report: Path) -> dict:
    """The environments in a file of results."""
    return json.loads(report.read_text(encoding="utf-8"))["testenvs"]


def row(name: str, environment: dict) -> list[str]:
    """What was installed, and what became of the tests."""
    kind, _, python = name.rpartition("-")
    installed = environment.get("installed_packages", [])
    found = dict(package.lower().split("==") for package in installed if "==" in package)
    return [
        *(KINDS[kind], python),
        *(found.get(package, "–") for package in PACKAGES),
        outcome(environment),
    ]


def outcome(environment: dict) -> str:
    """What pytest says of its tests, in a few words."""
    said = [
        counts
        for test in environment.get("test", [])
        for counts in re.findall(r"^(\d.*) in [\d.]+s", test["output"], re.MULTILINE)
    ]
    if not said:
        return "cannot be tested"
    return re.sub(r", \d+ (deselected|warnings?)", "", said[-1])


def main() -> int:
    """Print the table; 1 if something failed."""
    environments: dict[str, dict] = {}
    if reports := [argument for argument in sys.argv[1:] if argument.endswith(".json")]:
        for report in reports:
            environments |= read(Path(report))
    else:
        environments = run_tox(sys.argv[1:])
    tested = {
        name: environment
        for kind in KINDS
        for name, environment in sorted(environments.items())
        # Of one whose Python was not found, there may be no result at all.
        if name.rpartition("-")[0] == kind
        and not environment.get("result", {}).get("skipped", True)
    }
    if not tested:
        sys.exit("nothing was tested: tox found none of the Pythons on the PATH")
    header = ["releases", "Python", *PACKAGES, "tests"]
    print(f"| {' | '.join(header)} |")
    print(f"|{'---|' * len(header)}")
    for name, environment in tested.items():
        print(f"| {' | '.join(row(name, environment))} |")
    minutes = sum(environment["result"]["duration"] for environment in tested.values()) / 60
    print(f"{len(tested)} environments, {minutes:.0f} minutes one after another", file=sys.stderr)
    return int(not all(environment["result"]["success"] for environment in tested.values()))


if __name__ == "__main__":
    sys.exit(main())
