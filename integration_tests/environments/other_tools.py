"""Runs the examples of docs/how-to/other-tools.md, each tool's in an environment of its own.

    python integration_tests/environments/other_tools.py [TOOL ...]

installs each tool as its section of the page says, and pres-plugin with the extra
``cli``, runs the section's blocks, and prints a line per tool. A TOOL is a heading of the page,
such as ``TARexp``; without any, all tools are tested. Tools that cannot be
installed, for instance without a network, are skipped.

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
from pathlib import Path

PROJECT = Path(__file__).parents[2]
PAGE = PROJECT / "docs" / "how-to" / "other-tools.md"
UV = [sys.executable, "-m", "uv"]


def read_sections() -> dict[str, list[str]]:
    """What pip is told to install in each section of the page that installs a tool."""
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    commands = [re.search(r"^pip install (.*)$", text, flags=re.MULTILINE) for text in sections]
    return {
        text.partition("\n")[0]: shlex.split(command[1])
        for text, command in zip(sections, commands, strict=True)
        if command
    }


def install(packages: list[str], folder: Path) -> str:
    """Install packages into a new environment; return why not, or nothing."""
    together = [*packages, f"{PROJECT}[cli]", "pytest", "pytest-xdist"]
    subprocess.run([*UV, "venv", "--quiet", "--python", sys.executable, folder], check=True)
    command = [*UV, "pip", "install", "--quiet", "--python", folder, *together]
    result = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    return result.stderr.strip() if result.returncode else ""


def run_blocks(tool: str, folder: Path) -> str:
    """Run the blocks of a section in an environment; return what fails, or nothing."""
    test = "integration_tests/documentation/test_pages.py::test_a_page_shows_what_its_blocks_print"
    page = PAGE.relative_to(PROJECT).as_posix()
    result = subprocess.run(
        [
            *(folder / "bin" / "python", "-m", "pytest", "--quiet", "-p", "no:cacheprovider"),
            *("--numprocesses=0", "-m", "release or not release", f"{test}[{page} {tool}]"),
        ],
        cwd=PROJECT,
        # Not this tree, but the package as it was installed.
        env={**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": ""},
        capture_output=True,
        text=True,
    )
    passed = result.returncode == 0 and "1 passed" in result.stdout
    return "" if passed else result.stdout + result.stderr


def check(tool: str, packages: list[str]) -> str:
    """Return ``passed``, or why the examples of a tool were skipped or failed."""
    with tempfile.TemporaryDirectory() as folder:
        if problem := install(packages, Path(folder)):
            return f"skipped, because it cannot be installed:\n{problem}"
        if problem := run_blocks(tool, Path(folder)):
            return f"failed:\n{problem}"
    return "passed"


def main(names: list[str]) -> None:
    sections = read_sections()
    if unknown := set(names) - set(sections):
        sys.exit(f"no section of {PAGE}: {', '.join(sorted(unknown))}")
    failed = False
    for tool in names or sections:
        outcome = check(tool, sections[tool])
        print(f"{tool}: {outcome}", flush=True)
        failed = failed or outcome.startswith("failed")
    sys.exit(failed)


if __name__ == "__main__":
    main(sys.argv[1:])
