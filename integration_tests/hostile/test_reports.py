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
slow = pytest.mark.release


def contents(folder):
    """Return the bytes of each file below a folder, by path."""
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def check_complete(folder, kind):
    """Check that a folder contains all files of one report, and nothing else."""
    results = json.loads((folder / "results.json").read_text())
    assert {path.name for path in folder.iterdir()} == set(results["files"])
    assert results["command"].startswith(f"pres-eval {kind}")
    assert (folder / "report.html").read_text().endswith("</html>")


@pytest.fixture(scope="module")
def older(tmp_path_factory):
    """The folder of a report that an earlier command wrote."""
    folder = tmp_path_factory.mktemp("older") / "out"
    assert run(*EXPLAIN, "--out", folder).returncode == 0
    return folder


@slow
@pytest.mark.parametrize(("first", "second"), [(COMPARE, EXPLAIN), (EXPLAIN, COMPARE)])
def test_a_report_of_another_kind_is_replaced_as_a_whole(first, second, tmp_path):
    for command in (first, second):
        assert run(*command, "--out", tmp_path / "out", "--force").returncode == 0
        check_complete(tmp_path / "out", command[0])


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


def file_size(most):
    """Return a function that limits the size of files, as ``ulimit -f`` does."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


@slow
def test_a_limit_on_file_sizes_leaves_nothing(tmp_path):
    out = tmp_path / "out"
    # Standard error is a pipe, because the limit would apply to a file.
    ended = subprocess.run(
        [COMMAND, *COMPARE, "--out", out], cwd=EXAMPLES, preexec_fn=file_size(30_000),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == f"pres-eval: {out}: cannot be written (File too large)\n"
    assert list(tmp_path.iterdir()) == []


@slow
@pytest.mark.parametrize("state", ["missing", "older report"])
def test_a_full_disk_leaves_the_older_report_or_nothing(small_disk, older, state):
    out = small_disk / "out"
    if state == "older report":
        shutil.copytree(older, out)
    before, folders = contents(small_disk), sorted(small_disk.rglob("*"))
    line = check_refused(run(*COMPARE, "--out", out, "--force"))
    assert line == f"{out}: cannot be written (No space left on device)"
    assert contents(small_disk) == before
    assert sorted(small_disk.rglob("*")) == folders
    # After making room, the same command succeeds.
    subprocess.run(["mount", "-o", "remount,size=9m", small_disk], check=True)
    assert run(*COMPARE, "--out", out, *["--force"] * (state == "older report")).returncode == 0
    check_complete(out, "compare")


@slow
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL], ids=lambda sent: sent.name)
def test_a_signal_leaves_the_older_report(tmp_path, older, sent):
    out = tmp_path / "out"
    shutil.copytree(older, out)
    # The command stops itself as soon as it has begun to write a picture.
    (tmp_path / "sitecustomize.py").write_text(
        "import os, pathlib\n"
        "write = pathlib.Path.write_bytes\n"
        "def stopped(path, data):\n"
        "    write(path, data)\n"
        f"    os.kill(os.getpid(), {int(sent)})\n"
        "pathlib.Path.write_bytes = stopped\n"
    )
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    ended = run(*COMPARE, "--out", out, "--force", environment={"PYTHONPATH": path})
    assert "Traceback" not in ended.stderr
    if sent == signal.SIGINT:
        assert ended.returncode == 130
        assert contents(out) == contents(older)
        assert not list(tmp_path.glob(".*"))
    else:
        assert ended.returncode == -sent
        assert contents(out) == contents(older)
        (left,) = {path.name for path in tmp_path.iterdir()} - {"out", "sitecustomize.py"}
        assert left.startswith(".pres-eval-")


@slow
@pytest.mark.parametrize("exists", [False, True], ids=["missing", "empty"])
def test_of_two_commands_with_the_same_folder_one_fails(tmp_path, exists):
    out = tmp_path / "out"
    if exists:
        out.mkdir()
    with ThreadPoolExecutor() as pool:
        ended = list(pool.map(lambda args: run(*args, "--out", out), [COMPARE, EXPLAIN]))
    assert sorted(e.returncode for e in ended) == [0, 2]
    (lost,) = (e for e in ended if e.returncode)
    check_refused(lost, str(out))
    check_complete(out, "compare" if lost is ended[1] else "explain")


@slow
def test_of_two_commands_with_force_the_report_is_of_one(tmp_path, older):
    out = tmp_path / "out"
    shutil.copytree(older, out)
    with ThreadPoolExecutor() as pool:
        args = [[*COMPARE, "--force"], [*EXPLAIN, "--force"]]
        ended = list(pool.map(lambda args: run(*args, "--out", out), args))
    assert 0 in [e.returncode for e in ended]
    command = json.loads((out / "results.json").read_text())["command"]
    check_complete(out, command.split()[1])


@slow
@pytest.mark.parametrize(
    ("mode", "where", "said"),
    [
        (0o500, "sub", "no permission to write"),
        (0o300, "", "cannot be written (Permission denied)"),
    ],
    ids=["below a read-only folder", "a folder that cannot be listed"],
)
def test_a_folder_without_permission_is_refused_before_anything_is_read(
    tmp_path, mode, where, said
):
    folder = tmp_path / "folder"
    folder.mkdir(mode=mode)
    out = folder / where
    line = check_refused(run("compare", "none", "none", "--out", out, unprivileged=True), str(out))
    assert said in line
    assert os.listdir(folder) == []


@slow
def test_memory_does_not_grow_with_nmax_and_pictures_stay_small(tmp_path):
    ended = run(*EXPLAIN[:-1], "1000000000000", "--out", tmp_path / "out", mib=400, seconds=30)
    assert ended.returncode == 0
    assert sum(map(len, contents(tmp_path / "out").values())) < 600_000


ODD = {
    "a file": ("qrels.txt", "qrels.txt: this is a file, not a folder"),
    "in a file": ("qrels.txt/out", "cannot be written (Not a directory)"),
    "a device": ("/dev/full", "/dev/full: this is a file, not a folder"),
    "long name": ("x" * 256, "cannot be written (File name too long)"),
    "long path": ("x/" * 3000, "cannot be written (File name too long)"),
    "empty": ("", "'' is an empty path"),
}


@pytest.mark.parametrize(("out", "said"), ODD.values(), ids=ODD)
@pytest.mark.parametrize("force", [[], ["--force"]], ids=["", "force"])
def test_an_odd_folder_is_refused_in_one_line(out, said, force):
    # Before the files are read, which do not exist.
    for study in (["compare"], ["explain", "--query", "q"], ["sweep"], ["robustness"]):
        assert said in refused(*study, "none", "none", "--out", out, *force, cwd=EXAMPLES)
