"""Standard output and error that are closed, full, or in an encoding without Greek letters."""

import codecs
import json
import os
import re
from pathlib import Path

import pytest
from bounded import bounded, check_refused
from command import EXAMPLES

pytestmark = pytest.mark.slow

FILES = [EXAMPLES / "qrels.txt", EXAMPLES / "system-1.run", EXAMPLES / "system-2.run"]
STUDIES = {
    "compare": ["compare", *FILES],
    "explain": ["explain", "--query", "PAT-1", *FILES],
    "sweep": ["sweep", *FILES],
    "robustness": ["robustness", "--fractions", "0.5", "--samples", "1", *FILES],
}
COMMANDS = {
    "score": ["score", *FILES],
    "doctor": ["doctor", "kernel"],
    "doctor --json": ["doctor", "--json", "kernel"],
    "completion": ["completion", "bash"],
    "--help": ["--help"],
    "--version": ["--version"],
    "robustness --help": ["robustness", "--help"],
    **STUDIES,
}

on_linux = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")


def close(descriptor):
    return lambda: os.close(descriptor)


@on_linux
@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_a_full_disk(arguments):
    with Path("/dev/full").open("wb") as full:
        check_refused(bounded(*arguments, stdout=full), "standard output: No space left on device")


@pytest.mark.parametrize("name", ["score", "--help", "compare"])
def test_standard_output_is_closed(name):
    ended = bounded(*COMMANDS[name], before=close(1), stdout=None)
    check_refused(ended, "standard output: Bad file descriptor")


def test_a_report_needs_no_standard_output(tmp_path):
    ended = bounded(*STUDIES["sweep"], "--out", tmp_path / "out", before=close(1), stdout=None)
    assert ended.returncode == 0
    assert (tmp_path / "out" / "report.html").exists()


@pytest.mark.parametrize("name", ["score", "compare"])
def test_standard_error_is_closed_or_full(name):
    expected = bounded(*COMMANDS[name])
    assert expected.stderr != ""  # there are warnings
    assert bounded(*COMMANDS[name], before=close(2), stderr=None)[:2] == expected[:2]
    if os.path.exists("/dev/full"):
        with Path("/dev/full").open("wb") as full:
            assert bounded(*COMMANDS[name], stderr=full)[:2] == expected[:2]


def test_an_error_that_nobody_reads():
    assert bounded("score", before=close(2), stderr=None).returncode == 2


@pytest.mark.parametrize("name", ["score", "robustness"])
def test_standard_input_is_closed(name):
    arguments = ["-" if argument == FILES[1] else argument for argument in COMMANDS[name]]
    check_refused(bounded(*arguments, before=close(0), stdin=None), "standard input: it is closed")
    assert bounded(*COMMANDS[name], before=close(0), stdin=None).returncode == 0


# Encodings: those of Western Europe, of a terminal in Windows, of Japan, and of the locale C.
ENCODINGS = ["cp1252", "latin-1", "cp437", "shift_jis", "ascii"]
OUR_CHARACTERS = {"τ": "tau", "α": "alpha", "Σ": "sum of ", "²": "^2", "–": "-"}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", [*STUDIES, "robustness --help"])
def test_an_encoding_without_our_characters(name, encoding):
    if (name, encoding) in {("sweep", "latin-1"), ("sweep", "cp437"), ("sweep", "shift_jis")}:
        pytest.skip("a sweep prints no such characters; one encoding is enough")
    expected = bounded(*COMMANDS[name], environment={"PYTHONIOENCODING": "utf-8"})
    with (Path(os.devnull)).open() as _:
        ended = bounded(*COMMANDS[name], environment={"PYTHONIOENCODING": encoding})
    assert (ended.returncode, expected.returncode) == (0, 0)
    assert "\\u" not in ended.stdout
