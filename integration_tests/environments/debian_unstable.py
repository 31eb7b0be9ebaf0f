"""Runs the README's first command and the tests on the Pythons of Debian's unstable suite.

    sudo python integration_tests/environments/debian_unstable.py FOLDER [3.14 3.15]

makes FOLDER, an installation of Debian's unstable suite (half a gigabyte, some
minutes), or uses it again. For each Python, in a clone of this repository at HEAD
inside FOLDER, it

- runs the README's first command, in a fresh virtual environment;
- runs ``pres-eval doctor``, to see what works without a compiler;
- installs a compiler, because frameworks may have to be built;
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

PROJECT = Path(__file__).parents[2]
PYTHONS = ("3.14", "3.15")
# For what the frameworks need where it has no wheels: see docs/contributing.md.
COMPILER = "gcc g++ git libc6-dev make"
# Pages and notebooks depend on one set of versions.
TESTS = (
    "tests integration_tests --ignore=integration_tests/documentation -q -p no:cacheprovider "
    "-m 'not release'"
)
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
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
    print(f"\n=== {command}", flush=True)
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    settings = {"PATH": PATH, "HOME": "/srv", "LC_ALL": "C.UTF-8", **kept, **environment}
    # They end with the command: nothing stays mounted.
    mounts = "mount --rbind /dev $0/dev; mount -t proc proc $0/proc; mount -t tmpfs tmpfs $0/tmp"
    started = f'{mounts}; exec chroot $0 sh -c "$1"'
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-ec", started, folder, command],
        env=settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    print(done.stdout, flush=True)
    return done


def install(folder: Path, names: str) -> None:
    """Install packages of Debian's."""
    command = f"apt-get -qq update; apt-get -qq install --no-install-recommends {names}"
    if inside(folder, command, DEBIAN_FRONTEND="noninteractive").returncode:
        sys.exit(f"cannot be installed: {names}")


def first_command() -> str:
    """The first command that the README shows."""
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"^```console\n(.*?)\n```$", readme, re.MULTILINE | re.DOTALL)
    if found is None:
        sys.exit("README.md shows no command")
    return found[1]


def test(folder: Path, python: str) -> bool:
    """Return whether each step succeeds with one Python."""
    install(folder, f"python{python} python{python}-venv")
    where = f"/srv/pres-plugin-{python}"
    copy = f"{folder}{where}"
    shutil.rmtree(copy, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", PROJECT, copy], check=True)
    # The README's command calls python3, whichever that is.
    names = f"/srv/names-{python}"
    inside(folder, f"mkdir -p {names} && ln -sf /usr/bin/python{python} {names}/python3")
    settings = {"PATH": f"{names}:{PATH}", "PRES_TEST_DATA": "/srv/data"}
    scored = inside(folder, f"cd {where} && {first_command()}", **settings)
    doctor = f"cd /srv && {where}/.venv/bin/pres-eval doctor"
    inside(folder, doctor, **settings)
    install(folder, f"{COMPILER} python{python}-dev")
    steps = f".venv/bin/pip install --quiet '.[test]' && .venv/bin/pytest {TESTS}"
    tested = inside(folder, f"cd {where} && {steps}", **settings)
    checked = inside(folder, doctor, **settings)
    return "0.5050" in scored.stdout and not any((tested.returncode, checked.returncode))


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
    passed = {python: test(folder, python) for python in arguments.pythons}
    print(f"\npassed: {passed}")
    return int(not all(passed.values()))


if __name__ == "__main__":
    sys.exit(main())
