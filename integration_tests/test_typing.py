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


def reported_by_mypy(folder):
    scripts = map(str, sorted(SCRIPTS.glob("*.py")))
    printed = checked("mypy", "--strict", "--config-file=", *scripts, folder=folder)
    return re.findall(r"(\w+\.py):(\d+): error: ", printed)


def reported_by_pyright(folder):
    # As Pyright is without settings: its strict mode reports what ir-measures leaves untyped.
    for script in SCRIPTS.glob("*.py"):
        (folder / script.name).write_text(script.read_text())
    printed = checked("pyright", "--pythonpath", sys.executable, "--outputjson", folder=folder)
    return [
        (Path(diagnostic["file"]).name, diagnostic["range"]["start"]["line"] + 1)
        for diagnostic in json.loads(printed)["generalDiagnostics"]
        if diagnostic["severity"] == "error"
    ]


@pytest.mark.release
@pytest.mark.parametrize("reported", [reported_by_mypy, reported_by_pyright])
def test_what_is_right_passes_and_what_is_wrong_is_reported(reported, tmp_path):
    assert len(WRONG) > 10
    assert {(name, int(line)) for name, line in reported(tmp_path)} == {
        ("wrong.py", line) for line in WRONG
    }
