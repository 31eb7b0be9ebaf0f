"""``pres-eval doctor`` says what works, what is missing and what does not work."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import ir_measures
import pytest

import pres_plugin
from pres_plugin import doctor

COMMAND = str(Path(sysconfig.get_path("scripts")) / "pres-eval")
EXTRAS = {
    "cli": ["click", "packaging", "tabulate"],
    "frames": ["narwhals"],
    "ir-measures": ["ir-measures"],
    "pyterrier": ["pyterrier"],
    "ranx": ["ranx"],
    "study": ["matplotlib", "pandas", "scipy"],
}


def run_doctor(*options, **environment):
    return subprocess.run(
        [COMMAND, "doctor", *options],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.fixture(scope="module")
def diagnosis():
    result = run_doctor("--json")
    assert (result.returncode, result.stderr) == (0, "")
    return json.loads(result.stdout)


def test_it_says_what_it_runs_on(diagnosis):
    assert diagnosis["version"] == pres_plugin.__version__
    assert re.fullmatch(r"\w+ 3\.\d+\.\S+", diagnosis["python"])
    assert diagnosis["works"] is True


@pytest.mark.parametrize("extra", EXTRAS)
def test_each_extra_works_or_is_missing_with_the_command_that_installs_it(diagnosis, extra):
    (part,) = (part for part in diagnosis["parts"] if part["name"] == extra)
    packages = {package["name"]: package for package in part["packages"]}
    installed = all(find_spec(name.replace("-", "_")) for name in EXTRAS[extra])
    assert part["state"] == ("works" if installed else "missing")
    if not installed:
        assert part["remedy"] == f"pip install 'pres-plugin[{extra}]'"
        return
    assert part["remedy"] is None
    assert {name: packages[name]["version"] for name in EXTRAS[extra]} == {
        name: version(name) for name in EXTRAS[extra]
    }


def test_what_developers_install_is_no_part(diagnosis):
    parts = [part["name"] for part in diagnosis["parts"]]
    assert parts[0] == "kernel"
    assert not {"all", "test", "lint", "release"} & set(parts)


def test_a_score_that_is_not_the_published_one_is_named(monkeypatch):
    monkeypatch.setattr(doctor, "_PUBLISHED", 0.39)  # by Table 3, that of other ranks
    assert doctor._kernel().state == "fails"
    assert doctor._kernel().found == (
        "PRES of relevant documents at ranks 1, 98, 99, 100 is 0.28, not 0.39"
    )


def test_frames_are_scored_in_each_library_that_is_there(diagnosis):
    (part,) = (part for part in diagnosis["parts"] if part["name"] == "frames")
    libraries = [name for name in ("pandas", "polars") if find_spec(name)]
    assert part["found"].startswith("scores PRES@100, ")
    assert part["found"].endswith(f" right in {', '.join(libraries)}")


def test_a_score_of_a_frame_that_is_not_right_is_named(monkeypatch):
    monkeypatch.setattr(doctor, "_PUBLISHED", 0.39)
    (_, part) = doctor.diagnose(["frames"]).parts
    assert part.state == "fails"
    assert part.found.startswith("PRES@100 of relevant documents at ranks 1, 98, 99, 100 is 0.28")


@pytest.mark.skipif(find_spec("pyspark") is None, reason="pyspark is not installed")
@pytest.mark.parametrize("home", [True, False], ids=["JAVA_HOME", "PATH"])
def test_spark_without_java_is_missing_with_where_java_was_looked_for(tmp_path, home):
    result = run_doctor("spark", JAVA_HOME=str(tmp_path) if home else "", PATH=str(tmp_path))
    assert (result.returncode, result.stderr) == (0, "")
    about = lines_about(result, "spark")
    where = f"in JAVA_HOME, {tmp_path}" if home else "by JAVA_HOME or on the PATH"
    assert about.startswith(f"missing spark not found: Java, {where}, ")
    assert f"pyspark {version('pyspark')} (supported: " in about
    assert "to install it: Java 17" in about


@pytest.fixture
def only_version(tmp_path, monkeypatch):
    """A Java that says its version, and can do nothing else."""
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text(
        '#!/bin/sh\n[ "$*" = -version ] || exit 1\necho \'openjdk version "17.0.1"\' >&2\n'
    )
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    return java.parent


@pytest.mark.skipif(os.name == "nt", reason="needs a shell script for a Java")
def test_spark_is_not_started_unless_it_is_asked_for_by_name(only_version):
    assert doctor._check("spark", by_name=False)() == (
        f"Java 17.0.1 in {only_version}; pres-eval doctor spark starts it and scores"
    )
    assert doctor._check("spark", by_name=True) is doctor._spark_started


@pytest.fixture
def old_ir_measures(tmp_path):
    """A folder with an ir-measures that calls itself older than those supported."""
    shutil.copytree(Path(ir_measures.__file__).parent, tmp_path / "ir_measures")
    about = tmp_path / "ir_measures-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: ir-measures\nVersion: 0.1.0\n")
    return tmp_path


def lines_about(result, extra):
    """The paragraph of an extra, as one line."""
    (paragraph,) = (p for p in result.stdout.split("\n\n") if re.match(rf"\w+ +{extra} ", p))
    return " ".join(paragraph.split())


def test_a_framework_that_lacks_something_is_named_with_what_it_lacks(old_ir_measures):
    for source in old_ir_measures.glob("ir_measures/**/*.py"):
        source.write_text(source.read_text().replace("predict_type", "guess_type"))
    result = run_doctor("ir-measures", PYTHONPATH=str(old_ir_measures))
    assert result.returncode == 1
    about = lines_about(result, "ir-measures")
    assert about.startswith("fails ")
    assert "ir-measures 0.1.0 is not among the versions supported (>=0.3.5)" in about
    assert "it has no ir_measures.util.QrelsConverter.predict_type" in about
    assert about.endswith("pip install --upgrade 'pres-plugin[ir-measures]'")


def test_an_old_framework_that_works_all_the_same_is_named_too(old_ir_measures):
    result = run_doctor("ir-measures", PYTHONPATH=str(old_ir_measures))
    assert result.returncode == 0
    about = lines_about(result, "ir-measures")
    assert about.startswith("works ")
    assert "ir-measures 0.1.0 is not among the versions supported" in about
    assert "yet scores PRES@100" in about


def test_only_the_extras_asked_for_are_checked_and_others_refused():
    result = run_doctor("cli", "--json")
    assert [part["name"] for part in json.loads(result.stdout)["parts"]] == ["kernel", "cli"]
    result = run_doctor("lucene")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("pres-eval: no extra 'lucene'; there are ")


def test_a_failure_that_no_upgrade_mends_offers_none(monkeypatch):
    monkeypatch.setattr(doctor, "_PUBLISHED", 0.39)
    (_, part) = doctor.diagnose(["frames"]).parts
    assert (part.state, part.remedy) == ("fails", None)
    assert "please report this with what pres-eval doctor prints" in part.found


@pytest.mark.parametrize(
    ("extra", "python", "named"),
    [
        ("ranx", (3, 15), ["lz4", "fastparquet", "C compiler"]),
        ("pyterrier", (3, 15), ["lz4", "C compiler"]),
        ("ranx", (3, 14), []),
        ("study", (3, 15), []),
    ],
)
def test_what_pip_has_to_build_on_a_new_python_is_named(extra, python, named):
    said = doctor._needs_compiler(extra, python)
    assert bool(said) == bool(named)
    assert all(word in said for word in named)


def test_what_is_repaired_in_a_framework_is_reported(diagnosis):
    (part,) = (part for part in diagnosis["parts"] if part["name"] == "ir-measures")
    (status,) = (s for s in pres_plugin.status() if s.framework == "ir-measures")
    # ast.Num, with which ir-measures 0.4.3 reads measure strings, is gone from Python 3.14 on.
    uses_it = "ast.Num" in Path(ir_measures.util.__file__).read_text()
    expected = sys.version_info >= (3, 14) and uses_it
    assert ("repaired: ir_measures.util._ast_to_value" in part["found"]) == expected
    assert bool(status.repairs) == expected
