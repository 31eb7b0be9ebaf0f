"""What the README shows is what its commands and its code print."""

import importlib.util
import re
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

# ir-measures 0.4.3 parses measures in a way that is deprecated from Python 3.12 on;
# numba warns when it compiles ranx's own metrics, which it does once.
STRICT = [
    "-Werror",
    "-Wignore:unsafe cast from uint64 to int64",
    "-Wignore:ast.:DeprecationWarning",
    "-Wignore:Attribute:DeprecationWarning",
]

PROJECT = Path(__file__).parent.parent
README = (PROJECT / "README.md").read_text(encoding="utf-8")

CODE_AND_OUTPUT = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", README, flags=re.DOTALL)
COMMANDS = re.findall(r"```console\n(.*?)\n```", README, flags=re.DOTALL)


@pytest.mark.parametrize(("code", "shown"), CODE_AND_OUTPUT)
def test_python_prints_what_is_shown(code, shown):
    for module in re.findall(r"^(?:from|import) (\w+)", code, flags=re.MULTILINE):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    result = subprocess.run(
        [sys.executable, *STRICT, "-c", code], capture_output=True, text=True, check=False
    )
    assert (result.stdout, result.stderr) == (shown, "")


def test_every_python_block_shows_its_output():
    assert len(CODE_AND_OUTPUT) == README.count("```python") > 0


def test_the_first_command_prints_what_is_shown():
    shown = re.search(r"It ends with\n\n```text\n(.*?)```", README, flags=re.DOTALL)[1]
    scoring = COMMANDS[0].split(" && ")[-1].replace(".venv/bin", sysconfig.get_path("scripts"))
    result = subprocess.run(
        scoring, shell=True, cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert (result.stdout, result.stderr) == (shown, "")


def test_there_are_two_commands_that_need_nothing_else():
    assert len(COMMANDS) == 2
    for command in COMMANDS:
        assert shlex.split(command)[:4] == ["python3", "-m", "venv", ".venv"]
