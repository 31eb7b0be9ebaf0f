"""Standard output and error that are full, or in an encoding without Greek letters."""

import json
import os
from pathlib import Path

import pytest
from bounded import bounded, check_refused
from command import EXAMPLES

pytestmark = pytest.mark.release

FILES = [EXAMPLES / "qrels.txt", EXAMPLES / "system-1.run", EXAMPLES / "system-2.run"]
SWEEP = ["sweep", *FILES]
COMMANDS = {
    "score": ["score", *FILES],
    "check": ["check", "0.25", *FILES[:2], "--n-max", "100"],
    "completion": ["completion", "bash"],
    "--help": ["--help"],
    "compare": ["compare", *FILES],
}

on_linux = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")


@on_linux
@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_a_full_disk(arguments):
    with Path("/dev/full").open("wb") as full:
        check_refused(bounded(*arguments, stdout=full), "standard output: No space left on device")


@on_linux
def test_standard_error_is_full():
    expected = bounded(*COMMANDS["score"])
    assert expected.stderr != ""  # there are warnings
    with Path("/dev/full").open("wb") as full:
        assert bounded(*COMMANDS["score"], stderr=full)[:2] == expected[:2]


# The encodings of Western Europe, of a terminal in Windows, and of Japan.
ENCODINGS = ["cp1252", "cp437", "shift_jis"]
OUR_CHARACTERS = "τραΣ²–"


def text_in(encoding, ended):
    return ended.stdout.encode(errors="surrogateescape").decode(encoding)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings_that_lack_our_characters(encoding):
    for command in (["robustness", "--help"], COMMANDS["compare"]):
        in_utf8 = bounded(*command, environment={"PYTHONIOENCODING": "utf-8"})
        assert set(in_utf8.stdout) & set(OUR_CHARACTERS)
        ended = bounded(*command, environment={"PYTHONIOENCODING": encoding})
        plain = in_utf8.stdout.encode(encoding, "backslashreplace").decode(encoding)
        assert (ended.returncode, text_in(encoding, ended)) == (0, plain)


@pytest.mark.parametrize("encoding", ["cp1252", "shift_jis"])
def test_names_in_json(encoding, tmp_path):
    names = ["漢字", "naïve τ", "😀"]
    for name in names:
        (tmp_path / name).write_bytes(FILES[1].read_bytes())
    ended = bounded(
        *("score", "-m", "AP", "-f", "json", FILES[0], *names),
        cwd=tmp_path,
        environment={"PYTHONIOENCODING": encoding},
    )
    assert [score["run"] for score in json.loads(text_in(encoding, ended))] == names


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_file_names_that_are_not_text(encoding, tmp_path):
    try:
        (tmp_path / os.fsdecode(b"\xff.run")).write_bytes(FILES[1].read_bytes())
    except OSError:
        pytest.skip("file names are UTF-8 on this system")
    environment = {"PYTHONIOENCODING": encoding}
    options = {"cwd": tmp_path, "environment": environment}
    ended = bounded("score", "-m", "AP", "-f", "tsv", FILES[0], b"\xff.run", **options)
    assert (ended.returncode, ended.stdout, ended.stderr) == (
        *(0, "run\tmeasure\tvalue\n\\\\xff\tAP\t0.2500\n", ""),
    )
    check_refused(bounded("score", FILES[0], b"\xfe.run", **options), "\\xfe.run: there is no such")


@pytest.mark.parametrize("name", ["score", "--help"])
def test_a_closed_pipe_is_no_error(name):
    """As in ``pres-eval score … | head -n 0``, the command ends without a message."""
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as pipe:
        ended = bounded(*COMMANDS[name], stdout=pipe)
    assert ended.returncode == 1
    assert all(line.startswith("pres-eval: warning: ") for line in ended.stderr.splitlines())
