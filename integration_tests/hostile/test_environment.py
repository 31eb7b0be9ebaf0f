"""Environments in which something is missing, full, forbidden or broken."""

import gzip
import json
import re
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


def test_a_package_is_too_old(tmp_path):
    environment = hidden(tmp_path, "sitecustomize", "import narwhals; narwhals.__version__ = '2.0'")
    ended = bounded("doctor", "frames", environment=environment)
    assert (ended.returncode, ended.stderr) == (1, "")
    problem = "needs narwhals 2.27.1 or newer, but 2.0 is installed; to upgrade, in a clone"
    assert problem in " ".join(ended.stdout.split())


@pytest.mark.parametrize("module", ["ranx", "matplotlib"])
def test_a_package_that_scoring_does_not_need(module, tmp_path):
    environment = hidden(tmp_path, module, DAMAGED)
    ended = bounded("score", "-m", "AP", QRELS, RUN, environment=environment)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_doctor_reports_what_is_damaged(tmp_path):
    ended = bounded("doctor", "frames", environment=hidden(tmp_path, "narwhals", DAMAGED))
    assert (ended.returncode, ended.stderr) == (1, "")
    assert re.search("^fails +frames +OSError: libfoo.so: ", ended.stdout, re.MULTILINE)


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


@pytest.mark.parametrize("topic", ["tö", b"t\xff"])
def test_texts_are_utf_8_in_every_locale(topic, tmp_path):
    """What names a topic, a run, a column or a measure is read as ids in files are."""
    name = topic if isinstance(topic, str) else "t\\xff"
    (tmp_path / "qrels").write_text(f"{name} 0 a 1\n", encoding="utf-8")
    table = f"run,{name},docno,score\n{name},{name},a,1\n"
    (tmp_path / "all.csv").write_text(table, encoding="utf-8")
    column = b"query_id=" + (topic.encode() if isinstance(topic, str) else topic)
    ended = bounded(
        *("explain", "qrels", "all.csv", "--n-max", "1", "--out", "out"),
        *("--query", topic, "--run-name", topic, "--columns", column),
        cwd=tmp_path,
        environment=VARIABLES["locale C"],
    )
    assert (ended.returncode, ended.stdout) == (0, "")
    found = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    assert name in json.dumps(found, ensure_ascii=False).replace("\\\\", "\\")


def test_our_warnings_are_no_errors(tmp_path):
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    (tmp_path / "run").write_text("q Q0 a 1 2 t\nq Q0 b 2 1 t\n")
    (tmp_path / "families.csv").write_text("doc_id,family\na,A\n")
    ended = bounded(
        *("score", "-m", "AP", "qrels", "run", "--families", "families.csv"),
        cwd=tmp_path,
        environment={"PYTHONWARNINGS": "error"},
    )
    assert (ended.returncode, ended.stdout.split()[-2:]) == (0, ["run", "1.0000"])
    assert ended.stderr == (
        "pres-eval: warning: run: 1 of 2 documents have no family, so each of them counts as a "
        "family of its own\n"
    )


# Memory


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_AS"), reason="there is no such limit")
def test_an_address_space_too_small_for_a_report(tmp_path):
    ended = bounded(
        *(*STUDY, "--out", tmp_path / "out"),
        before=lambda: resource.setrlimit(resource.RLIMIT_AS, (800 * 10**6, 800 * 10**6)),
    )
    check_refused(ended, "the address space is limited to 800 MB (ulimit -v), and a report")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_AS"), reason="there is no such limit")
def test_a_file_of_one_line_exceeds_the_memory(tmp_path):
    """A gzip file of a few megabytes contains one line of 2 GiB."""
    path = tmp_path / "big.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(128):
            file.write(b"a" * 2**24)
    ended = bounded(
        *("score", QRELS, path),
        mib=3000,
        before=lambda: resource.setrlimit(resource.RLIMIT_AS, (3 * 10**9, 3 * 10**9)),
    )
    check_refused(ended, "the memory does not suffice")


# Unexpected errors


def test_an_unexpected_error_prints_its_traceback(tmp_path):
    """Make tabulate raise an error that it never raises in practice."""
    code = "def tabulate(*_, **__):\n    raise ValueError('surprise')"
    ended = bounded("score", QRELS, RUN, environment=hidden(tmp_path, "tabulate", code))
    assert (ended.returncode, ended.stdout) == (1, "")
    assert str(Path(tmp_path, "tabulate.py")) in ended.stderr
    assert ended.stderr.endswith("ValueError: surprise\n")
