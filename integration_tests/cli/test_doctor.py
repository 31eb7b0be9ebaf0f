"""``pres-eval doctor`` prints versions, and reports what works, what is missing and what fails."""

import json
import os
import re
import shutil
import subprocess
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import ir_measures
import pytest
from command import COMMAND, pres_eval

from pres_plugin.cli.commands import doctor


def run_doctor(*options, **environment):
    return subprocess.run(
        [COMMAND, "doctor", *options],
        capture_output=True,
        text=True,
        check=False,
        # Interpreted, ranx's metrics compute the same, and need not be compiled.
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", **environment},
    )


@pytest.mark.release
def test_each_extra_works_or_is_missing():
    result = run_doctor("--json")
    assert (result.returncode, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert found["versions"]["pres-plugin"] == version("pres-plugin")
    assert found["versions"]["ir-measures"] == version("ir-measures")
    assert {"numpy", "scipy"} <= found["versions"].keys()
    assert "pytest" not in found["versions"]
    states = {part["name"]: (part["state"], part["found"]) for part in found["parts"]}
    assert list(states) == list(doctor.CHECKS)
    for name, package in {"pyterrier": "pyterrier", "ranx": "ranx"}.items():
        assert states[name][0] == ("works" if find_spec(package) else "missing")
        assert find_spec(package) or states[name][1].endswith(
            f"; in a clone of pres-plugin, run: pip install '.[{name}]'"
        )
    for name in ("kernel", "ir-measures", "frames"):
        assert states[name] == ("works", "")


def test_wrong_scores_are_named(monkeypatch):
    monkeypatch.setattr(doctor, "PUBLISHED", 0.39)
    result = pres_eval("doctor", "ir-measures", "frames")
    assert result.returncode == 1
    failed = re.findall(r"fails +(\S+) +scores 0.28\b", result.stdout)
    assert failed == ["ir-measures", "frames"]


def test_a_framework_that_lacks_something_is_named_with_what_it_lacks(tmp_path):
    shutil.copytree(Path(ir_measures.__file__).parent, tmp_path / "ir_measures")
    for source in tmp_path.glob("ir_measures/**/*.py"):
        source.write_text(source.read_text().replace("predict_type", "guess_type"))
    result = run_doctor("ir-measures", PYTHONPATH=str(tmp_path))
    assert result.returncode == 1
    assert re.search(
        r"^fails +ir-measures .*it has no ir_measures.util.QrelsConverter.predict_type",
        result.stdout,
        flags=re.MULTILINE,
    )


def test_other_names_are_refused():
    result = pres_eval("doctor", "lucene")
    assert result[:2] == (2, "")
    assert "'lucene' is not one of 'kernel', 'ir-measures', " in result.stderr
