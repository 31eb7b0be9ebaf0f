"""Type checkers know what the public functions take and give, as users' scripts use them."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parent / "typing"
WRONG = {
    number
    for number, line in enumerate((SCRIPTS / "wrong.py").read_text().splitlines(), start=1)
    if "# wrong: " in line
}


def checked(module, *arguments, folder):
    """What a type checker prints, run outside the project and its settings."""
    pytest.importorskip(module, reason=f"{module} is not installed")
    result = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode in (0, 1), result.stderr
    return result.stdout


def reported_by_mypy(script, folder):
    printed = checked("mypy", "--strict", "--config-file=", str(script), folder=folder)
    return {int(line) for line in re.findall(r":(\d+): error: ", printed)}


def reported_by_pyright(script, folder):
    # As Pyright is without settings: its strict mode reports what ir-measures leaves untyped.
    (folder / script.name).write_text(script.read_text())
    printed = checked(
        "pyright", "--pythonpath", sys.executable, "--outputjson", script.name, folder=folder
    )
    return {
        diagnostic["range"]["start"]["line"] + 1
        for diagnostic in json.loads(printed)["generalDiagnostics"]
        if diagnostic["severity"] == "error"
    }


@pytest.mark.parametrize("reported", [reported_by_mypy, reported_by_pyright])
def test_what_is_right_passes_and_what_is_wrong_is_reported(reported, tmp_path):
    assert len(WRONG) > 10
    assert reported(SCRIPTS / "right.py", tmp_path) == set()
    assert reported(SCRIPTS / "wrong.py", tmp_path) == WRONG
