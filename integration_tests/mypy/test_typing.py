"""mypy knows what the public functions take and give, as users' scripts use them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parent


@pytest.mark.release
def test_what_is_right_passes_and_what_is_wrong_is_reported(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    lines = (SCRIPTS / "wrong.py").read_text().splitlines()
    wrong = [str(number) for number, line in enumerate(lines, start=1) if "# wrong: " in line]
    # Outside the project and its settings.
    scripts = [SCRIPTS / "right.py", SCRIPTS / "wrong.py"]
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", *scripts]
    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stdout
    reported = re.findall(r"(\w+\.py):(\d+): error: ", printed)
    assert sorted(set(reported)) == sorted(("wrong.py", number) for number in wrong)
