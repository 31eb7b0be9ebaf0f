"""Runs the examples of other tools on the pages, each tool's in an environment of its own.

    python integration_tests/environments/other_tools.py [TOOL ... | --without NAME ...]

installs each tool as its section of a page says, and pres-plugin with the extra
``cli``, runs the section's blocks, and prints a line per tool. A TOOL is a heading of a page,
such as ``TARexp``; without any, all tools are tested, or all but those named after
``--without``, where other names are ignored. A tool that cannot be installed has failed.

This needs the extra ``release``, for uv. BEIR, MTEB and sentence-transformers
need PyTorch. uv installs a small build of it, without CUDA, if the environment
variable UV_TORCH_BACKEND is ``cpu``.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).parents[2]
PAGES = ["docs/how-to/other-tools.md", "docs/how-to/screening.md"]
#: Further tests of a tool.
TESTS = {"When may I stop?": "integration_tests/pyterrier/test_stopping_rules.py"}
UV = [sys.executable, "-m", "uv"]


class Section(NamedTuple):
    """A section that installs a tool: its page, its heading, and what pip is told to install."""

    page: str
    tool: str
    packages: list[str]


def read_sections() -> Iterator[Section]:
    """Return the sections of the pages that install a tool."""
    for page in PAGES:
        text = (PROJECT / page).read_text(encoding="utf-8")
        for section in re.split(r"^## ", text, flags=re.MULTILINE):
            if command := re.search(r"^pip install (.*)$", section, flags=re.MULTILINE):
                yield Section(page, section.partition("\n")[0], shlex.split(command[1]))


def install(packages: list[str], folder: Path) -> str:
    """Install packages into a new environment; return why not, or nothing."""
    together = [*packages, f"{PROJECT}[cli]", "pytest", "pytest-xdist"]
    subprocess.run([*UV, "venv", "--quiet", "--python", sys.executable, folder], check=True)
    command = [*UV, "pip", "install", "--quiet", "--python", folder, *together]
    result = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    return f"cannot be installed:\n{result.stderr}" if result.returncode else ""


def run_tests(section: Section, folder: Path) -> str:
    """Run the blocks of a section, and its tests, in an environment; return what fails."""
    test = "integration_tests/documentation/test_pages.py::test_a_page_shows_what_its_blocks_print"
    tests = [f"{test}[{section.page} {section.tool}]", *TESTS.get(section.tool, "").split()]
    result = subprocess.run(
        [
            *(folder / "bin" / "python", "-m", "pytest", "--quiet", "-p", "no:cacheprovider"),
            *("--numprocesses=0", "-m", "release or not release", *tests),
        ],
        cwd=PROJECT,
        # Not this tree, but the package as it was installed.
        env={**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": ""},
        capture_output=True,
        text=True,
    )
    passed = result.returncode == 0 and " skipped" not in result.stdout
    return "" if passed else f"failed:\n{result.stdout}{result.stderr}"


def check(section: Section) -> str:
    """Return why the examples of a tool failed, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        return install(section.packages, Path(folder)) or run_tests(section, Path(folder))


def main(names: list[str]) -> None:
    sections = {section.tool: section for section in read_sections()}
    if names[:1] == ["--without"]:
        names = [tool for tool in sections if tool not in names]
    if unknown := set(names) - set(sections):
        sys.exit(f"no section of {', '.join(PAGES)}: {', '.join(sorted(unknown))}")
    failed = 0
    for tool in names or sections:
        problem = check(sections[tool])
        print(f"{tool}: {problem or 'passed'}", flush=True)
        failed += bool(problem)
    n_tools = len(names or sections)
    print(f"{n_tools - failed} of {n_tools} tools passed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main(sys.argv[1:])
