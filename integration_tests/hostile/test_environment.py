"""Environments in which something is missing, full, forbidden or broken."""

import resource
from pathlib import Path

import pytest
from bounded import bounded, check_refused
from command import EXAMPLES
from interpreter import python_path

pytestmark = pytest.mark.release

QRELS, RUN = EXAMPLES / "qrels.txt", EXAMPLES / "system-1.run"
STUDY = ["compare", QRELS, RUN]


# Temporary files


def largest_file(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_the_copy_of_standard_input_may_not_be_so_large(tmp_path):
    with QRELS.open("rb") as qrels:
        ended = bounded(
            *("score", "-", RUN),
            before=largest_file(16),
            stdin=qrels,
            environment={"TMPDIR": str(tmp_path)},
        )
    check_refused(ended, "standard input: cannot be copied", "File too large", "set TMPDIR")
    assert list(tmp_path.iterdir()) == []


def test_no_folder_for_temporary_files(tmp_path):
    """Python finds no folder that it can write to if the limit on file sizes is 0."""
    with QRELS.open("rb") as qrels:
        ended = bounded("score", "-", RUN, before=largest_file(0), stdin=qrels, cwd=tmp_path)
    check_refused(ended, "standard input: cannot be copied", "set TMPDIR")


# Packages. Each is hidden by one of the same name that comes first on the path.

MISSING = "raise ModuleNotFoundError('No module named {0}', name={0!r})"
DAMAGED = "raise OSError('libfoo.so: cannot open')"


def hidden(folder, module, code):
    (folder / f"{module}.py").write_text(code.format(module))
    return {"PYTHONPATH": python_path(folder)}


@pytest.mark.parametrize("module", ["click", "jinja2", "ir_measures"])
def test_a_package_is_missing(module, tmp_path):
    environment = hidden(tmp_path, module, MISSING)
    ended = bounded(*STUDY, "--out", tmp_path / "out", environment=environment)
    check_refused(
        ended, f"{module} is not installed; in a clone of pres-plugin, run: pip install '.["
    )
    assert not (tmp_path / "out").exists()


def test_a_package_is_damaged(tmp_path):
    """Python prints the traceback; nothing is printed on standard output, and no folder is left."""
    environment = hidden(tmp_path, "jinja2", DAMAGED)
    ended = bounded(*STUDY, "--out", tmp_path / "out", environment=environment)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.endswith("OSError: libfoo.so: cannot open\n")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("module", ["ranx", "matplotlib"])
def test_a_package_that_scoring_does_not_need(module, tmp_path):
    environment = hidden(tmp_path, module, DAMAGED)
    ended = bounded("score", "-m", "AP", QRELS, RUN, environment=environment)
    assert (ended.returncode, ended.stderr) == (0, "")


# Environment variables


VARIABLES = {
    "locale C": {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "no home": {"HOME": "/nonexistent", "XDG_CONFIG_HOME": "", "XDG_CACHE_HOME": ""},
    "narrow": {"COLUMNS": "1", "LINES": "-1", "TERM": ""},
    "optimised": {"PYTHONOPTIMIZE": "2", "PYTHONDONTWRITEBYTECODE": "1"},
}


@pytest.mark.parametrize("variables", VARIABLES.values(), ids=VARIABLES)
def test_variables_that_do_no_harm(variables, tmp_path):
    ended = bounded(*STUDY, "-m", "AP", "--out", tmp_path / "out", environment=variables)
    assert (ended.returncode, ended.stdout) == (0, "")
    assert ended.stderr == f"pres-eval: written: {tmp_path}/out/report.html\n"


# Unexpected errors


def test_an_unexpected_error_prints_its_traceback(tmp_path):
    """Make tabulate raise an error that it never raises in practice."""
    code = "def tabulate(*_, **__):\n    raise ValueError('surprise')"
    ended = bounded("score", QRELS, RUN, environment=hidden(tmp_path, "tabulate", code))
    assert (ended.returncode, ended.stdout) == (1, "")
    assert str(Path(tmp_path, "tabulate.py")) in ended.stderr
    assert ended.stderr.endswith("ValueError: surprise\n")
