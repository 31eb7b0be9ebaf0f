#!/usr/bin/env python3
"""Make a release, up to the upload. With a version that ends in .dev0, start the next version.

    .ci/make_release.py VERSION [--without NAME ...]

It writes the version and the day into the changelog, the package, the citation and the
bibliography, runs .ci/run and .ci/release, commits, builds the distributions from a clean clone,
installs the wheel in an empty environment, and tags the commit. It uploads and pushes nothing.
--without is passed to .ci/release. If something fails, fix the cause, commit it, and call this
again.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
STATED_IN = ["pres_plugin/__init__.py", "CITATION.cff", "docs/cite.md", "docs/references.bib"]
CHANGELOG = "CHANGELOG.md"
TODAY = date.today().isoformat()

NEXT = """
Version {version} is committed, built and tagged. What is left:

    {work}/tools/bin/twine upload {work}/clone/dist/*
    git push && git push origin v{version}
    .venv/bin/python docs/site/build.py deploy -- --push --update-aliases {minor} latest
"""


def run(*command: str | Path, cwd: Path = PROJECT) -> None:
    """Run a command, and end if it fails."""
    print("$", *command, flush=True)
    if subprocess.run(command, cwd=cwd).returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}")


def change(path: str, *replacements: tuple[str, str]) -> None:
    """Replace regular expressions in a file, from the first match to the last."""
    file = PROJECT / path
    text = file.read_text(encoding="utf-8")
    for pattern, new in replacements:
        text = re.sub(pattern, new, text, flags=re.MULTILINE)
    file.write_text(text, encoding="utf-8")


def write_version(version: str, is_release: bool) -> None:
    """Write the version, and the day if it is a release, wherever they are stated."""
    package = (PROJECT / STATED_IN[0]).read_text(encoding="utf-8")
    (old,) = re.findall(r'^__version__ = "(.*)"$', package, flags=re.MULTILINE)
    year = (r"(^@misc\{pres_plugin,\n(?:.*\n){3}  year    = \{)\d+", rf"\g<1>{TODAY[:4]}")
    for path in STATED_IN:
        change(path, (rf"\b{re.escape(old)}(?![.\w])", version), year)
    day = f"date-released: {TODAY}\n" if is_release else ""
    change("CITATION.cff", (r"^date-released: .*\n", ""), (r"^(version: .*\n)", rf"\g<1>{day}"))
    if is_release:
        heading = rf"^## (Unreleased|{re.escape(version)} - .*)$"
        change(CHANGELOG, (heading, f"## {version} - {TODAY}"))
    else:
        change(CHANGELOG, (r"\A((?:(?!## ).*\n)*)(?=## \d)", r"\1## Unreleased\n\n"))


def build(version: str) -> Path:
    """Build from a clean clone, check what was built, and return the folder of both."""
    work = Path(tempfile.mkdtemp(prefix=f"pres-plugin-{version}-"))
    run("git", "clone", "--quiet", PROJECT, work / "clone")
    for name in ("tools", "user"):
        run(sys.executable, "-m", "venv", work / name)
    run(work / "tools/bin/pip", "install", "--quiet", "build", "twine")
    dist = work / "clone" / "dist"
    run(work / "tools/bin/python", "-m", "build", cwd=work / "clone")
    built = sorted(dist.iterdir())
    run(work / "tools/bin/twine", "check", "--strict", *built)
    (wheel,) = dist.glob("*.whl")
    run(work / "user/bin/pip", "install", "--quiet", f"{wheel}[all]", cwd=work)
    run(work / "user/bin/pres-eval", "doctor", cwd=work)
    return work


def git(*arguments: str) -> str:
    """Return what git prints."""
    command = ["git", *arguments]
    return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True).stdout


def main(version: str, *options: str) -> None:
    """Make a release, or start the next version."""
    if not re.fullmatch(r"\d+\.\d+\.\d+(\.dev0)?", version):
        sys.exit(f"VERSION must be three numbers, such as 0.2.0 or 0.3.0.dev0, got {version!r}")
    is_release = not version.endswith(".dev0")
    if others := set(git("status", "--porcelain").split()[1::2]) - {*STATED_IN, CHANGELOG}:
        sys.exit(f"commit or undo first: {', '.join(sorted(others))}")
    write_version(version, is_release)
    if is_release:
        run(".ci/run")
        run(".ci/release", *options)
    if git("status", "--porcelain"):
        run("git", "commit", "--quiet", "--all", "--message", f"Version {version}")
    if is_release:
        work = build(version)
        run("git", "tag", "--annotate", f"v{version}", "--message", f"Version {version}")
        print(NEXT.format(version=version, work=work, minor=version.rpartition(".")[0]))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
