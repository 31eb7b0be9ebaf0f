"""Runs the README's first command and the tests on the Pythons of Debian's unstable suite.

    sudo python integration_tests/debian_unstable.py FOLDER [3.14 3.15]

makes FOLDER, an installation of Debian's unstable suite (half a gigabyte, some
minutes), or uses it again. For each Python, in a clone of this repository at HEAD
inside FOLDER, it

- runs the README's first command, in a fresh virtual environment;
- runs ``pres-eval doctor``, to see what works without a compiler;
- installs a compiler where a framework has to be built;
- runs the tests of the frameworks, files, studies and dataframes.

This needs Linux, root, debootstrap, unshare and git. Data for the tests of real
runs are read from PRES_TEST_DATA, if it is set. pip in FOLDER uses this machine's
certificates and the PIP_ variables of the environment.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parent.parent
PYTHONS = ("3.14", "3.15")
# These need a compiler for what their frameworks need: see docs/contributing.md.
WITHOUT_WHEELS = {"3.15"}
COMPILER = ["gcc", "g++", "git", "libc6-dev", "make"]
TESTS = [
    *("tests", "integration_tests"),
    # Pages and notebooks depend on one set of versions; Spark needs Java.
    *("--ignore=integration_tests/docs", "--ignore=integration_tests/test_readme.py"),
    *("--quiet", "-p", "no:cacheprovider"),
]
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")


def make(folder: Path) -> None:
    """Install Debian's unstable suite into a folder, unless it is there."""
    if not (folder / "usr/bin/python3").exists():
        included = "--include=python3,python3-venv,ca-certificates"
        subprocess.run(["debootstrap", "--variant=minbase", included, "sid", folder], check=True)
    shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
    if CERTIFICATES.exists():
        shutil.copy(CERTIFICATES, folder / str(CERTIFICATES).lstrip("/"))


def inside(folder: Path, command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the folder, with its own mounts, and show what it prints."""
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    path = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
    settings = {"PATH": path, "HOME": "/srv", "LC_ALL": "C.UTF-8", **kept, **environment}
    # They end with the command: nothing stays mounted.
    mounts = "mount --rbind /dev $0/dev; mount -t proc proc $0/proc; mount -t tmpfs tmpfs $0/tmp"
    process = subprocess.Popen(
        [
            "unshare",
            "--mount",
            "sh",
            "-ec",
            f'{mounts}; exec chroot $0 sh -c "$1"',
            folder,
            command,
        ],
        env=settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    printed = []
    for line in process.stdout or ():
        print(line, end="", flush=True)
        printed.append(line)
    return subprocess.CompletedProcess(command, process.wait(), "".join(printed))


def install(folder: Path, packages: list[str]) -> None:
    """Install packages of Debian's."""
    settings = "DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0"
    command = f"apt-get -qq update; {settings} install --no-install-recommends {' '.join(packages)}"
    if inside(
        folder, f"({command}) > /var/log/installed 2>&1 || cat /var/log/installed"
    ).returncode:
        sys.exit(f"{', '.join(packages)}: cannot be installed")


def clone(folder: Path, python: str) -> str:
    """Clone this repository into the folder, and return where it is inside."""
    where = f"srv/pres-plugin-{python}"
    shutil.rmtree(folder / where, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", PROJECT, folder / where], check=True)
    return f"/{where}"


def first_command() -> str:
    """The first command that the README shows."""
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"^```console\n(.*?)\n```$", readme, re.MULTILINE | re.DOTALL)
    if found is None:
        sys.exit("README.md shows no command")
    return found[1]


def test(folder: Path, python: str) -> list[str]:
    """What became of each step with one Python: a row of the table."""
    install(folder, [f"python{python}", f"python{python}-venv"])
    where = clone(folder, python)
    # The README's command calls python3, whichever that is.
    names = f"/srv/names-{python}"
    inside(folder, f"mkdir -p {names} && ln -sf /usr/bin/python{python} {names}/python3")
    path = f"{names}:/usr/bin:/bin:/usr/sbin:/sbin"
    settings = {"PATH": path, "PRES_TEST_DATA": "/srv/data"}

    print(f"\n=== Python {python}: {first_command()}")
    scored = inside(folder, f"cd {where} && {first_command()}", **settings)
    print(f"\n=== Python {python}: pres-eval doctor")
    inside(folder, f"cd /srv && {where}/.venv/bin/pres-eval doctor", **settings)

    if python in WITHOUT_WHEELS:
        install(folder, [*COMPILER, f"python{python}-dev"])
    print(f"\n=== Python {python}: tests")
    steps = f".venv/bin/pip install --quiet '.[test]' && .venv/bin/pytest {' '.join(TESTS)}"
    tested = inside(folder, f"cd {where} && {steps}", **settings)
    print(f"\n=== Python {python}: pres-eval doctor, with all frameworks")
    checked = inside(folder, f"cd /srv && {where}/.venv/bin/pres-eval doctor", **settings)
    counts = re.findall(r"^(\d.*(?:passed|failed|error).*) in [\d.]+s", tested.stdout, re.MULTILINE)
    return [
        python,
        "works" if scored.returncode == 0 and "0.5050" in scored.stdout else "fails",
        "works" if checked.returncode == 0 else "fails",
        counts[-1] if counts else "did not run",
        "" if tested.returncode == 0 else "failed",
    ]


def main() -> int:
    """Test each Python; 1 if something failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("pythons", nargs="*", default=PYTHONS)
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    make(folder)
    if data := os.environ.get("PRES_TEST_DATA"):
        shutil.copytree(data, folder / "srv/data", dirs_exist_ok=True)
    rows = [test(folder, python) for python in arguments.pythons]
    print("\n| Python | README's first command | pres-eval doctor | tests |\n|---|---|---|---|")
    for row in rows:
        print(f"| {' | '.join(row[:4])} |")
    failed = any("fails" in row or row[-1] for row in rows)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
