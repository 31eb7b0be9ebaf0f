"""``pres-eval doctor`` reports what works, what is missing and what fails."""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import metadata, version
from importlib.util import find_spec
from pathlib import Path

import ir_measures
import pytest
from command import COMMAND, pres_eval

import pres_plugin
from pres_plugin.cli import diagnosis as module

# Doctor gives ranx ids as long as those in our tests of it, which have compiled it for them.
pytestmark = pytest.mark.xdist_group("ranx")

EXTRAS = {
    "asreview": ["asreview"],
    "cli": ["click", "packaging", "polars", "tabulate"],
    "frames": ["narwhals"],
    "ir-measures": ["ir-measures"],
    "pyterrier": ["pyterrier"],
    "ranx": ["ranx"],
    "study": ["jinja2", "matplotlib", "pandas", "scipy"],
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
    """What the command reports about everything that is installed."""
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


def test_the_kernel_and_every_extra_for_users_are_checked(diagnosis):
    extras = set(metadata("pres-plugin").get_all("Provides-Extra"))
    parts = [part["name"] for part in diagnosis["parts"]]
    assert parts[0] == "kernel"
    assert set(parts[1:]) == extras - {"all", "docs", "lint", "release", "test"}


def check(extra):
    """The state of one extra, checked in this process."""
    (_, part) = module.diagnosis([extra])
    return part


def test_a_score_that_is_not_the_published_one_is_named(monkeypatch):
    monkeypatch.setattr(module, "_PUBLISHED", 0.39)  # in Table 3, the score of other ranks
    for part in module.diagnosis(["ir-measures", "frames", "cli", "study"]):
        assert (part.state, part.remedy) == ("fails", None)
        assert re.match(
            r"ValueError: PRES(@100)? of relevant documents at ranks 1, 98, 99, 100 is 0\.28\d*, "
            r"not 0\.39; ",
            part.found,
        )
        assert part.found.endswith("please report what pres-eval doctor prints")


def test_frames_are_scored_in_each_library_that_is_there(diagnosis):
    (part,) = (part for part in diagnosis["parts"] if part["name"] == "frames")
    libraries = [name for name in ("pandas", "polars") if find_spec(name)]
    assert part["found"].startswith("scores PRES@100, ")
    assert part["found"].endswith(f" correctly in {', '.join(libraries)}")


@pytest.fixture
def java_home(tmp_path, monkeypatch):
    """A folder for Java, which JAVA_HOME names."""
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    return tmp_path


def install_java(folder, version):
    """Create a Java that prints its version, and can do nothing else."""
    java = folder / "bin" / "java"
    java.parent.mkdir()
    java.write_text(
        f'#!/bin/sh\n[ "$*" = -version ] || exit 1\necho \'openjdk version "{version}"\' >&2\n'
    )
    java.chmod(0o755)


@pytest.mark.skipif(find_spec("pyspark") is None, reason="pyspark is not installed")
@pytest.mark.parametrize("home", [True, False], ids=["JAVA_HOME", "PATH"])
def test_spark_without_java_is_missing(java_home, monkeypatch, home):
    if not home:
        monkeypatch.delenv("JAVA_HOME")
        monkeypatch.setenv("PATH", str(java_home))
    part = check("spark")
    assert (part.state, part.found) == ("missing", "not installed: Java")
    assert part.remedy.startswith("pip install 'pres-plugin[spark]'; Java 17 or later (")
    assert part.packages[-1] == module.Package("Java", None, ">=17")


@pytest.mark.skipif(os.name == "nt", reason="needs a shell script for a Java")
@pytest.mark.skipif(find_spec("pyspark") is None, reason="pyspark is not installed")
@pytest.mark.parametrize(
    ("version", "found"), [("17.0.1", "17.0.1"), ("21-ea", "21"), ("1.8.0_392", "1.8.0")]
)
def test_the_version_of_java_is_reported(java_home, version, found):
    install_java(java_home, version)
    part = module._part("spark", module.CHECKS["spark"])
    assert part.packages[-1] == module.Package("Java", found, ">=17")
    old = f"Java {found} is not a supported version (>=17); "
    assert part.found.startswith(old) == (found == "1.8.0")
    # Spark has not been started, which this Java could not do.
    assert part.state == "works"
    assert part.found.endswith("pres-eval doctor spark starts it and scores the example")


@pytest.mark.skipif(os.name == "nt", reason="needs a shell script for a Java")
@pytest.mark.skipif(find_spec("pyspark") is None, reason="pyspark is not installed")
def test_spark_is_started_if_it_is_requested(java_home):
    install_java(java_home, "17.0.1")
    result = run_doctor("spark")
    assert result.returncode == 1
    assert lines_about(result, "spark").startswith("fails spark PySparkRuntimeError: ")


@pytest.fixture
def old_ir_measures(tmp_path):
    """A folder that contains an ir-measures whose version is too old to be supported."""
    shutil.copytree(Path(ir_measures.__file__).parent, tmp_path / "ir_measures")
    about = tmp_path / "ir_measures-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: ir-measures\nVersion: 0.1.0\n")
    return tmp_path


def lines_about(result, extra):
    """The paragraph about an extra, as one line."""
    (paragraph,) = (p for p in result.stdout.split("\n\n") if re.match(rf"\w+ +{extra} ", p))
    return " ".join(paragraph.split())


def test_a_framework_that_lacks_something_is_named_with_what_it_lacks(old_ir_measures):
    for source in old_ir_measures.glob("ir_measures/**/*.py"):
        source.write_text(source.read_text().replace("predict_type", "guess_type"))
    result = run_doctor("ir-measures", PYTHONPATH=str(old_ir_measures))
    assert result.returncode == 1
    about = lines_about(result, "ir-measures")
    assert about.startswith("fails ")
    assert "ir-measures 0.1.0 is not a supported version (>=0.3.5); " in about
    assert "it has no ir_measures.util.QrelsConverter.predict_type" in about
    assert about.endswith("pip install --upgrade 'pres-plugin[ir-measures]'")


def test_an_old_framework_that_works_all_the_same_is_named_too(old_ir_measures):
    result = run_doctor("ir-measures", PYTHONPATH=str(old_ir_measures))
    assert result.returncode == 0
    about = lines_about(result, "ir-measures")
    assert about.startswith("works ")
    assert "ir-measures 0.1.0 is not a supported version (>=0.3.5); scores PRES@100" in about


def test_only_the_extras_asked_for_are_checked_and_others_refused():
    result = pres_eval("doctor", "cli", "--json")
    assert [part["name"] for part in json.loads(result.stdout)["parts"]] == ["kernel", "cli"]
    result = pres_eval("doctor", "lucene")
    assert (result.returncode, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert "'lucene' is not one of 'kernel', 'ir-measures', " in line


@pytest.mark.parametrize(
    ("extra", "python", "named"),
    [
        ("ranx", (3, 15), ["lz4", "fastparquet", "C compiler"]),
        ("pyterrier", (3, 15), ["lz4", "C compiler"]),
        ("ranx", (3, 14), []),
        ("study", (3, 15), []),
    ],
)
def test_packages_without_wheels_for_a_new_python_are_named(extra, python, named):
    hint = module._needs_compiler(extra, python)
    assert bool(hint) == bool(named)
    assert all(word in hint for word in named)


def test_what_is_repaired_in_a_framework_is_reported(diagnosis):
    (part,) = (part for part in diagnosis["parts"] if part["name"] == "ir-measures")
    (status,) = (s for s in pres_plugin.status() if s.framework == "ir-measures")
    # ast.Num, with which ir-measures 0.4.3 reads measure strings, is gone from Python 3.14 on.
    uses_it = "ast.Num" in Path(ir_measures.util.__file__).read_text()
    expected = sys.version_info >= (3, 14) and uses_it
    assert ("repaired: ir_measures.util._ast_to_value" in part["found"]) == expected
    assert bool(status.repairs) == expected
