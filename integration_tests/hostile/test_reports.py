"""Reports of studies: complete or not there at all, whatever happens while they are written."""

import json
import os
import resource
import shutil
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from bounded import bounded, check_refused
from command import COMMAND, EXAMPLES, refused

COMPARE = ["compare", "qrels.txt", "system-1.run", "system-2.run", "-m", "PRES@100 R@100"]
EXPLAIN = ["explain", "qrels.txt", "system-1.run", "--query", "PAT-1", "--n-max", "100"]

run = partial(bounded, cwd=EXAMPLES)
release = pytest.mark.release


def contents(folder):
    """Return the bytes of each file below a folder, by path."""
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def check_complete(folder, kind):
    """Check that a folder contains all files of one report, and nothing else."""
    results = json.loads((folder / "results.json").read_text())
    assert {path.name for path in folder.iterdir()} == set(results["files"])
    assert results["command"].startswith(f"pres-eval {kind}")
    assert (folder / "report.html").read_text().endswith("</html>")


@pytest.fixture
def older(tmp_path):
    """The folder of a report that an earlier command wrote."""
    assert run(*EXPLAIN, "--out", tmp_path / "out").returncode == 0
    return tmp_path / "out"


@release
def test_a_report_of_another_kind_is_replaced_as_a_whole(older):
    check_complete(older, "explain")
    assert run(*COMPARE, "--out", older, "--force").returncode == 0
    check_complete(older, "compare")


@release
def test_a_limit_on_file_sizes_leaves_nothing(tmp_path):
    out = tmp_path / "out"
    # Standard error is a pipe, because the limit would apply to a file.
    ended = subprocess.run(
        [COMMAND, *COMPARE, "--out", out], cwd=EXAMPLES, capture_output=True, text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, 5_000)),
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == f"pres-eval: {out}: cannot be written (File too large)\n"
    assert list(tmp_path.iterdir()) == []


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
    before, paths = contents(small_disk), sorted(small_disk.rglob("*"))
    line = check_refused(run(*COMPARE, "--out", out, "--force"))
    assert line == f"{out}: cannot be written (No space left on device)"
    assert (contents(small_disk), sorted(small_disk.rglob("*"))) == (before, paths)
    # After making room, the same command succeeds.
    subprocess.run(["mount", "-o", "remount,size=9m", small_disk], check=True)
    assert run(*COMPARE, "--out", out, "--force").returncode == 0
    check_complete(out, "compare")


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
def test_of_two_commands_with_the_same_folder_one_fails(tmp_path):
    out = tmp_path / "out"
    with ThreadPoolExecutor() as pool:
        ended = list(pool.map(lambda args: run(*args, "--out", out), [COMPARE, EXPLAIN]))
    assert sorted(e.returncode for e in ended) == [0, 2]
    (lost,) = (e for e in ended if e.returncode)
    check_refused(lost, str(out))
    check_complete(out, "compare" if lost is ended[1] else "explain")


@release
def test_a_folder_without_permission_is_refused_before_anything_is_read(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o500)
    arguments = ("compare", "none", "none", "--out", folder / "sub")
    check_refused(run(*arguments, unprivileged=True), str(folder), "no permission to write")


ODD = {
    "a file": ("qrels.txt", "qrels.txt: this is a file, not a folder"),
    "in a file": ("qrels.txt/out", "cannot be written (Not a directory)"),
    "a device": ("/dev/full", "/dev/full: this is a file, not a folder"),
    "long name": ("x" * 256, "cannot be written (File name too long)"),
    "empty": ("", "'' is an empty path"),
}


@pytest.mark.parametrize(("out", "said"), ODD.values(), ids=ODD)
def test_an_odd_folder_is_refused_in_one_line(out, said):
    # Before the files are read, which do not exist.
    for force in ([], ["--force"]):
        assert said in refused("compare", "none", "none", "--out", out, *force, cwd=EXAMPLES)


@pytest.mark.parametrize("study", [["explain", "--query", "q"], ["sweep"], ["robustness"]])
def test_every_study_refuses_a_file_as_its_folder(study):
    line = refused(*study, "none", "none", "--out", "qrels.txt", cwd=EXAMPLES)
    assert "this is a file, not a folder" in line
