"""Whatever is installed, help(), dir(), inspect and ``from … import *`` show what there is."""

import subprocess
import sys
from pathlib import Path

import pytest
from interpreter import run_python

PROJECT = Path(__file__).parents[2]
UV = [sys.executable, "-m", "uv"]

# Only a part that needs another package may fail, and says how to install it.
EXPLORE = """
import inspect, pydoc
from importlib import import_module

NAMES = ("compare", "explain", "robustness", "sweep", "check", "gate")
STUDIES = [f"study.{name}" for name in NAMES]
PARTS = ["measures", "families", "frames", "files", "tables", "study", *STUDIES]
for name in ("pres_plugin", *(f"pres_plugin.{part}" for part in PARTS)):
    try:
        module = import_module(name)
    except ImportError as error:
        assert name.startswith("pres_plugin."), error
        assert "in a clone of pres-plugin, run: pip install '.[" in str(error), (name, error)
        print(name)
        continue
    starred = {}
    exec(f"from {name} import *", starred)
    assert set(getattr(module, "__all__", ())) <= starred.keys() & set(dir(module)), name
    assert [n for n in dir(module) if not hasattr(module, n)] == [], name
    assert dict(inspect.getmembers(module)).keys() == set(dir(module)), name
    described = pydoc.render_doc(module, renderer=pydoc.plaintext)
    public = {*getattr(module, "__all__", ())} - {"__version__"}
    assert [n for n in public if n not in described] == [], name
"""


@pytest.mark.ci
@pytest.mark.parametrize(
    ("packages", "missing"),
    [
        (
            "ir_measures pyterrier ranx narwhals polars pandas scipy",
            "frames files tables study study.compare study.explain study.robustness study.sweep "
            "study.check study.gate",
        ),
        ("scipy", "study.compare study.gate"),
    ],
)
def test_without_other_packages(packages, missing):
    hidden = dict.fromkeys(packages.split())
    printed = run_python(f"import sys; sys.modules |= {hidden}\n{EXPLORE}")
    assert printed.split() == [f"pres_plugin.{part}" for part in missing.split()]


@pytest.mark.release
@pytest.mark.parametrize(
    "extra", ["", "ir-measures", "pyterrier", "ranx", "frames", "cli", "study"]
)
def test_in_a_fresh_environment(extra, tmp_path):
    folder, package = tmp_path / "environment", f"{PROJECT}[{extra}]" if extra else str(PROJECT)
    python = folder / "bin" / "python"
    subprocess.run([*UV, "venv", "--quiet", "--python", sys.executable, folder], check=True)
    install = [*UV, "pip", "install", "--quiet", "--python", python, package]
    subprocess.run(install, check=True)
    explored = subprocess.run(
        [python, "-I", "-c", EXPLORE], capture_output=True, text=True, check=False
    )
    assert explored.returncode == 0, explored.stderr
    if extra == "study":
        assert explored.stdout == ""
