"""``pres-eval doctor`` prints versions, and reports what works, what is missing and what fails."""

import os
import re
import shutil
import subprocess
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import ir_measures
import pytest
from command import COMMAND

pytestmark = pytest.mark.release


def run_doctor(path):
    """Run the command with a folder in which packages are found first."""
    # Interpreted, ranx's metrics compute the same, and need not be compiled.
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(path)}
    return subprocess.run(
        [COMMAND, "doctor"], capture_output=True, text=True, check=False, env=environment
    )


def test_each_framework_works_or_is_missing(tmp_path):
    result = run_doctor(tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    versions, _, frameworks = result.stdout.partition("\n\n")
    assert f"\npres-plugin {version('pres-plugin')}\n" in versions
    found = dict(line.split(maxsplit=1) for line in frameworks.splitlines()[1:])
    assert list(found) == ["ir-measures", "pyterrier", "ranx"]
    for name, said in found.items():
        if find_spec(name.replace("-", "_")):
            assert said == "0.2800"
        else:
            assert said.endswith(f"in a clone of pres-plugin, run: pip install '.[{name}]'")


def test_what_fails_is_named(tmp_path):
    shutil.copytree(Path(ir_measures.__file__).parent, tmp_path / "ir_measures")
    for source in tmp_path.glob("ir_measures/**/*.py"):
        source.write_text(source.read_text().replace("predict_type", "guess_type"))
    (tmp_path / "ranx.py").write_text("raise OSError('libfoo.so: cannot open')")
    result = run_doctor(tmp_path)
    assert result.returncode == 1
    problem = r"^ir-measures .*it has no ir_measures.util.QrelsConverter.predict_type"
    assert re.search(problem, result.stdout, re.MULTILINE)
    assert "\nranx         OSError: libfoo.so: cannot open\n" in result.stdout
