"""``pres-eval doctor`` names what fails. .ci/run checks its output where everything works."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import ir_measures
import pytest
from command import COMMAND


@pytest.mark.release
def test_what_fails_is_named(tmp_path):
    shutil.copytree(Path(ir_measures.__file__).parent, tmp_path / "ir_measures")
    for source in tmp_path.glob("ir_measures/**/*.py"):
        source.write_text(source.read_text().replace("predict_type", "guess_type"))
    (tmp_path / "ranx.py").write_text("raise OSError('libfoo.so: cannot open')")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    result = subprocess.run([COMMAND, "doctor"], capture_output=True, text=True, env=environment)
    assert result.returncode == 1
    problem = r"^ir-measures .*it has no ir_measures.util.QrelsConverter.predict_type"
    assert re.search(problem, result.stdout, re.MULTILINE)
    assert "\nranx         OSError: libfoo.so: cannot open\n" in result.stdout
