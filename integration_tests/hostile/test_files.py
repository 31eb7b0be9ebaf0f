"""Files that the system cannot open, that are damaged, or that decompress to gigabytes."""

import gzip
import json
import os
import shutil
import socket
import sys

import polars as pl
import pytest
from bounded import bounded, check_refused
from command import refused

from pres_plugin.files import score

release = pytest.mark.release
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names and files as on Linux")

QRELS = "q1 0 a 1\nq1 0 b 0\n"
RUN = "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    return tmp_path


def parquet(path):
    """Write the run as Parquet."""
    frame = pl.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "score": [2.0, 1.0]})
    os.makedirs(path.parent, exist_ok=True)
    frame.write_parquet(path)


# Paths

NOT_FOLLOWED = "links to folders are not followed; move the folder here"


def link_in_a_loop(here):
    (here / "loop").symlink_to("loop")
    return "loop", "loop: cannot be read (Too many levels of symbolic links)"


def link_to_nothing(here):
    (here / "link").symlink_to("nothing")
    return "link", "link: there is no such file"


def link_to_nothing_in_a_folder(here):
    (here / "runs").mkdir()
    (here / "runs" / "link").symlink_to("nothing")
    return "runs", "runs/link: there is no such file"


def folder_linked_to_itself(here):
    parquet(here / "run=a" / "b" / "0.parquet")
    (here / "run=a" / "b" / "c").symlink_to(here / "run=a")
    return "run=a", f"run=a/b/c: {NOT_FOLLOWED}"


def path_below_a_file(here):
    return "run/x", "run/x: cannot be read (Not a directory)"


def long_name(here):
    name = "x" * 256
    return name, f"{name}: cannot be read (File name too long)"


def socket_file(here):
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket")
    return "socket", "socket: cannot be read (No such device or address)"


def endless_zeros(here):
    return "/dev/zero", "/dev/zero, line 1: this is a binary file, not text"


def null_device(here):
    return "/dev/null", "/dev/null: the file is empty"


PATHS = [
    link_in_a_loop,
    link_to_nothing,
    path_below_a_file,
    long_name,
    socket_file,
    endless_zeros,
    null_device,
]


@pytest.mark.parametrize("case", PATHS)
def test_what_cannot_be_opened_is_named(here, case):
    path, said = case(here)
    assert refused("score", "qrels", "run", path).startswith(said)
    assert refused("compare", path, "run").startswith(said)
    line = refused("check", path, "qrels", "run", "--n-max", "9")
    assert line == said.replace(", line 1:", ":")


@pytest.mark.parametrize("case", [link_to_nothing_in_a_folder, folder_linked_to_itself])
def test_what_cannot_be_opened_in_a_folder_is_named(here, case):
    path, said = case(here)
    assert refused("score", "qrels", "run", path).startswith(said)


def test_names_that_are_not_utf8_are_written_as_bytes(here):
    os.makedirs(b"runs")
    for name in (b"runs/r\xff", b"runs/r\xfe"):
        shutil.copy(b"run", name)
    names = score("qrels", "runs", "R@1")["run"].to_list()
    assert names == [r"r\xfe", r"r\xff"]


@pytest.mark.parametrize("made", [b"r\xff.parquet", b"run=\xff/0.parquet"])
def test_parquet_at_a_path_that_is_not_utf8_is_an_error(here, made):
    parquet(here / "run.parquet")
    os.makedirs(os.path.dirname(made) or b".", exist_ok=True)
    os.rename(b"run.parquet", made)
    line = refused("score", "qrels", os.fsdecode(made.split(b"/")[0]))
    assert "Parquet files can be read only at paths in UTF-8" in line


FORBIDDEN = {
    "a file without r": ("file", 0o000, "file: "),
    "a folder without r": ("folder", 0o300, "folder: "),
    "a folder without x": ("folder", 0o600, "folder/run: "),
    "parts in a folder without x": ("run=a", 0o600, "run=a/0.parquet: "),
}


@release
@pytest.mark.parametrize(("path", "mode", "named"), FORBIDDEN.values(), ids=FORBIDDEN)
def test_what_may_not_be_read_is_named(here, path, mode, named):
    (here / "folder").mkdir()
    shutil.copy("run", "folder/run")
    shutil.copy("run", "file")
    parquet(here / "run=a" / "0.parquet")
    (here / path).chmod(mode)
    try:
        ended = bounded("score", "qrels", "run", path, unprivileged=True)
        assert check_refused(ended) == f"{named}cannot be read (Permission denied)"
    finally:
        (here / path).chmod(0o700)


# Files that decompress to much more than their size


N_MEMBERS, MEMBER = 200, 3_000_000
BINARY, EMPTY = "this is a binary file, not text", ": the file is empty"
#: A file's name, what it begins with, what it repeats, and how the command refuses it.
BOMBS = {
    "NULs": ("bomb", b"", b"\0", f", line 1: {BINARY}"),
    "comments": ("bomb", b"", b"# a comment\n\n \t\n", EMPTY),
    "NULs in a table": ("bomb.csv", b"query_id,doc_id,score\n", b"\0", f", line 2: {BINARY}"),
    "an empty table": ("bomb.csv", b"query_id,doc_id,score\n", b"\n", EMPTY),
    "empty lines of JSON": ("bomb.jsonl", b"", b"\n", EMPTY),
    "a line of JSON": (
        "bomb.jsonl", b"", b'{"qid":"q1","ranking":["a"]}\n', ", line 2: topic 'q1' ",
    ),
}  # fmt: skip


def bomb(path, start, unit):
    """Write 600 MB, compressed in many members, so that this takes no time."""
    member = gzip.compress(unit * (MEMBER // len(unit)), compresslevel=1)
    path.write_bytes(gzip.compress(start) + member * N_MEMBERS)


@release
@pytest.mark.parametrize(("name", "start", "unit", "said"), BOMBS.values(), ids=BOMBS)
def test_memory_does_not_grow_with_what_a_small_file_decompresses_to(here, name, start, unit, said):
    bomb(here / name, start, unit)
    ended = bounded("score", "qrels", name, seconds=120, mib=400)
    assert check_refused(ended).startswith(name + said)


@release
def test_an_error_after_600_megabytes_of_empty_lines_has_its_line_number(here):
    bomb(here / "bomb", b"", b"\n")
    with open("bomb", "ab") as file:
        file.write(gzip.compress(b"q1 Q0 a 1\n"))
    ended = bounded("score", "qrels", "bomb", seconds=120, mib=260)
    n_lines = N_MEMBERS * MEMBER
    assert check_refused(ended).startswith(f"bomb, line {n_lines + 1}: expected 6 fields ")


@release
def test_memory_does_not_grow_with_the_topics_of_json_lines(here):
    docs = json.dumps({f"d{i:07}": i / 7 for i in range(1000)})
    with open("run", "w") as file:
        file.writelines(f'{{"query_id": "q{i}", "scores": {docs}}}\n' for i in range(11_000))
    (here / "qrels").write_text("q1 0 d0000999 1\n")
    ended = bounded("score", "qrels", "run", "-m", "R@1", "-f", "csv", seconds=60, mib=260)
    assert (ended.returncode, ended.stdout) == (0, "run,measure,value\nrun,R@1,1.0000\n")


# Messages about hostile content

LONG = "9" * 500_000
MESSAGES = {
    "relevance": ("qrels", f"q1 0 a 1\nq1 0 b -{LONG}\n", "the relevance '-999"),
    "no relevance": ("qrels", f"q1 0 a 1\nq1 0 b {LONG}.\n", "the relevance '999"),
    "no score": ("run", f"q1 Q0 a 1 {LONG}x t\n", "the score '999"),
    "repeated id": ("run", f"q1 Q0 {LONG} 1 1 t\n" * 2, "line 2: document '999"),
    "unknown topic": ("run", f"{LONG} Q0 a 1 1 t\n", "no topic in common"),
}


@pytest.mark.parametrize(("role", "content", "said"), MESSAGES.values(), ids=MESSAGES)
def test_a_message_about_a_long_field_is_short(here, role, content, said):
    (here / role).write_text(content)
    line = refused("score", "qrels", "run")
    assert said in line
    assert line.startswith(role)
    assert len(line) < 500


def test_a_run_without_a_common_topic_says_why_no_run_is_scored(here):
    (here / "other").write_text("z Q0 a 1 1 t\n")
    line = refused("score", "qrels", "run", "other")
    assert line == (
        "other: no topic in common with the qrels (run: z; qrels: q1), so no run is scored; leave "
        "this run out, or use the qrels that match it"
    )


VALUES = {
    "topics": "".join(f"{i:x} 1\n" for i in range(500_000)),
    "objects": f"[{'{},' * 1_390_000}{{}}]",
    "brackets": "[" * 4_000_000,
}


@release
@pytest.mark.parametrize("content", VALUES.values(), ids=VALUES)
def test_files_of_values_cannot_fill_the_memory(here, content):
    with gzip.open("values", "wt") as file:
        file.write(content)
    check_refused(bounded("check", "values", "qrels", "run", "--n-max", "9", mib=600), "values")
