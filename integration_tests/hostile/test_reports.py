"""Reports of studies: complete or not there at all, whatever happens while they are written."""

import json
import os
import shutil
import signal
import subprocess
from functools import partial
from xml.etree import ElementTree

import pytest
from bounded import bounded, check_refused
from command import EXAMPLES, refused

COMPARE = ["compare", "qrels.txt", "system-1.run", "system-2.run", "-m", "PRES@100 R@100"]
EXPLAIN = ["explain", "qrels.txt", "system-1.run", "--query", "PAT-1", "--n-max", "100"]

run = partial(bounded, cwd=EXAMPLES)
release = pytest.mark.release


def contents(folder):
    """Return the bytes of each file below a folder, by path; None for a folder."""
    return {
        p.relative_to(folder): p.read_bytes() if p.is_file() else None for p in folder.rglob("*")
    }


@pytest.fixture
def older(tmp_path):
    """The folder of a report that an earlier command wrote."""
    assert run(*EXPLAIN, "--out", tmp_path / "out").returncode == 0
    return tmp_path / "out"


@pytest.fixture
def small_disk(tmp_path):
    """A folder on a disk of 200 kB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=200k", "none", disk]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("only root may mount a small disk, and only on some systems")
    yield disk
    subprocess.run(["umount", disk], check=True)


@release
def test_a_full_disk_leaves_the_older_report(small_disk, older):
    out = small_disk / "out"
    shutil.copytree(older, out)
    before = contents(small_disk)
    line = check_refused(run(*COMPARE, "--out", out, "--force"))
    assert line == f"{out}: cannot be written (No space left on device)"
    assert contents(small_disk) == before
    # After making room, the same command succeeds, and replaces the report as a whole.
    subprocess.run(["mount", "-o", "remount,size=9m", small_disk], check=True)
    assert run(*COMPARE, "--out", out, "--force").returncode == 0
    results = json.loads((out / "results.json").read_text())
    assert results["command"].startswith("pres-eval compare")
    assert {path.name for path in out.iterdir()} == set(results["files"])


@release
@pytest.mark.parametrize(
    ("sent", "code", "left"), [(signal.SIGINT, 130, 0), (signal.SIGKILL, -signal.SIGKILL, 1)]
)
def test_a_signal_leaves_the_older_report(older, tmp_path_factory, sent, code, left):
    before = contents(older)
    # The command stops itself as soon as it has begun to write a picture.
    path = tmp_path_factory.mktemp("path")
    (path / "sitecustomize.py").write_text(
        "import os, pathlib\n"
        "write = pathlib.Path.write_bytes\n"
        "def stopped(path, data):\n"
        "    write(path, data)\n"
        f"    os.kill(os.getpid(), {int(sent)})\n"
        "pathlib.Path.write_bytes = stopped\n"
    )
    paths = os.pathsep.join([str(path), os.environ.get("PYTHONPATH", "")])
    ended = run(*COMPARE, "--out", older, "--force", environment={"PYTHONPATH": paths})
    assert ended.returncode == code
    assert "Traceback" not in ended.stderr
    assert contents(older) == before
    # Nothing can remove the unfinished report of a killed process.
    assert len(list(older.parent.glob(".pres-eval-*"))) == left


@release
def test_a_folder_without_permission_is_refused_before_anything_is_read(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o500)
    arguments = ("compare", "none", "none", "--out", folder / "sub")
    line = check_refused(run(*arguments, unprivileged=True))
    assert line == f"{folder / 'sub'}: cannot be written (Permission denied)"


ODD = {
    "a file": ("qrels.txt", "qrels.txt: cannot be written (Not a directory)"),
    "in a file": ("qrels.txt/out", "cannot be written (Not a directory)"),
    "current": (".", "but this is the current one; choose a folder inside it"),
    "long name": ("x" * 256, "cannot be written (File name too long)"),
    "empty": ("", "'' is an empty path"),
}


@pytest.mark.parametrize(("out", "said"), ODD.values(), ids=ODD)
def test_an_odd_folder_is_refused_in_one_line(out, said, tmp_path):
    # Before the files are read, which do not exist.
    cwd = tmp_path if out == "." else EXAMPLES
    assert said in refused("compare", "none", "none", "--out", out, cwd=cwd)


def broken_settings(tmp_path):
    """Settings of matplotlib with wrong syntax and values, and some that are not UTF-8."""
    (tmp_path / "matplotlibrc").write_text("no colon\nunknown: 1\nfigure.dpi: many\n: :\n")
    (tmp_path / "rc").write_bytes(b"\xff\xfe\n")
    return {"MATPLOTLIBRC": tmp_path / "rc", "MPLBACKEND": "none"}


def no_home(tmp_path):
    """A home folder that does not exist and cannot be created."""
    (tmp_path / "file").touch()
    home = tmp_path / "file" / "home"
    return {"HOME": home, "XDG_CONFIG_HOME": home, "XDG_CACHE_HOME": home, "MPLCONFIGDIR": home}


@release
@pytest.mark.parametrize("prepare", [broken_settings, no_home])
def test_a_report_shows_any_file_name_and_needs_no_settings_of_matplotlib(tmp_path, prepare):
    names = [r"$\frac{$.run", "$x_1$.run", "_a.run", "中文😀.run", "a\nb.run", "\x1b[31m.run"]
    for name in names:
        shutil.copy(EXAMPLES / "system-1.run", tmp_path / name)
    arguments = ("compare", EXAMPLES / "qrels.txt", *names, "-m", "PRES@100 R@100", "--out", "out")
    ended = bounded(*arguments, cwd=tmp_path, environment=prepare(tmp_path))
    written = "pres-eval: written: out/report.html\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", written)
    pictures = list((tmp_path / "out").glob("*.svg"))
    assert len(pictures) == 2
    for picture in pictures:
        ElementTree.parse(picture)
