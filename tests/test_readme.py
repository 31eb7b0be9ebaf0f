"""The README's commands are two, and print what it shows.

Its code is run with that of the other pages, in integration_tests/docs.
"""

import re
import shlex
import subprocess
import sysconfig
from pathlib import Path

PROJECT = Path(__file__).parent.parent
README = (PROJECT / "README.md").read_text(encoding="utf-8")

COMMANDS = re.findall(r"```console\n(.*?)\n```", README, flags=re.DOTALL)


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
