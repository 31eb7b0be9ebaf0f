"""The commands that study runs, as their users run them."""

import html
import json
import re
import shutil
import subprocess
import sys
from functools import partial

import command
import pytest
from command import EXAMPLES
from interpreter import run_python

pytestmark = pytest.mark.xdist_group("studies")

pres_eval = partial(command.pres_eval, cwd=EXAMPLES)
refused = partial(command.refused, cwd=EXAMPLES)

RUNS = [f"system-{i}.run" for i in range(1, 5)]
INPUT = ["qrels.txt", *RUNS]
EXPLAIN = ["explain", *INPUT[:3], "--query", "PAT-1", "--n-max", "100"]


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The folder of a report."""
    out = tmp_path_factory.mktemp("studies") / "out"
    result = pres_eval(*EXPLAIN, "--out", out)
    assert result[:2] == (0, "")
    assert result.stderr.endswith(f"pres-eval: written: {out}/report.html\n")
    return out


def test_a_folder_contains_the_printed_summary_pictures_numbers_and_a_page(report):
    files = {path.name for path in report.iterdir()}
    results = json.loads((report / "results.json").read_text())
    assert files == set(results["files"])
    assert re.match(r"pres-eval explain qrels.txt .*--out", results["command"])
    assert {"report.html", "areas.png", "areas.svg"} <= files
    printed, *_ = pres_eval(*EXPLAIN).stdout.split("\n\n")
    assert printed.replace("\n  ", " ").split("\n") == [f"- {said}" for said in results["summary"]]
    assert {f"{name}.tsv" for name in results["tables"]} == {f for f in files if f[-3:] == "tsv"}


def test_a_page_loads_nothing(report):
    page = html.unescape((report / "report.html").read_text())
    assert "content=\"default-src 'none'; " in page
    assert not re.search(r"<(iframe|object|img)\b|@import|(src|href)=.(?!#|data:)", page)


@pytest.mark.ci
def test_force_replaces_reports_and_nothing_else(report, tmp_path):
    shutil.copytree(report, tmp_path / "out")
    arguments = (*EXPLAIN, "--out", tmp_path / "out")
    assert "--force" in refused(*arguments)
    assert pres_eval(*arguments, "--force").returncode == 0
    (tmp_path / "out" / "thesis.md").write_text("mine")
    refused(*arguments, "--force")
    assert (tmp_path / "out" / "thesis.md").exists()
    line = refused("compare", *INPUT, *arguments[-2:], "-f", "markdown")
    assert "markdown prints the result" in line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("explain", *INPUT, "--query", "none"), "topic 'none'"),
        (("compare", *INPUT, "-m", "Foo"), "measure 'Foo' is unknown"),
        (("compare", *INPUT, "--alpha", "nan"), "alpha must be above 0 and below 1, got nan"),
        (("sweep", *INPUT, "-m", "PRES@10"), "measure 'PRES@10': a sweep sets the cutoff itself"),
        (("robustness", *INPUT, "--fractions", "a,b"), "these are not numbers"),
        *(
            (("sweep", *INPUT, "--n-max", text), "cannot be read; write 10:100:10, 10,20,50 or")
            for text in ("0,5", "9:1", "10:100:0", "10:20:log1", "50=0.5,100", "50=1,50=2")
        ),
        (("sweep", *INPUT, "--n-max", "1:9:log99999"), "at most 10000 cutoffs"),
        (("sweep", *INPUT, "--n-max", "50=0,60=1"), "weight of Nmax = 50 must be above 0"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(arguments, said):
    line = refused(*arguments)
    assert re.search(said, line), line


@pytest.mark.ci
@pytest.mark.parametrize(
    ("package", "problem", "extra"),
    [
        ("matplotlib", "matplotlib is not installed", "study"),
        ("polars", "files are read with polars, which is not installed", "cli"),
    ],
)
def test_a_study_says_which_package_is_missing(package, problem, extra):
    code = (
        f"import sys; sys.modules['{package}'] = None;"
        "sys.argv = ['pres-eval', 'compare', 'qrels', 'run'];"
        "from pres_plugin.cli import main; main()"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (
        2,
        f"pres-eval: {problem}; in a clone of pres-plugin, run: pip install '.[{extra}]'\n",
    )


@pytest.mark.ci
@pytest.mark.parametrize(
    ("arguments", "modules"),
    [
        (["score", *INPUT], {"ir_measures", "jinja2", "matplotlib", "narwhals", "scipy"}),
        (
            ["robustness", *INPUT, "-m", "PRES@100 AP@100 R@100"],
            {"jinja2", "matplotlib", "pandas", "scipy"},
        ),
    ],
    ids=lambda value: " ".join(value[:1]) if isinstance(value, list) else "",
)
def test_a_command_imports_nothing_that_it_does_not_need(arguments, modules):
    code = (
        "import sys; from pres_plugin.cli import run;"
        f"sys.argv = {['pres-eval', *arguments]}; run();"
        f"print(sorted({modules} & sys.modules.keys()))"
    )
    assert run_python(code, cwd=EXAMPLES).splitlines()[-1] == "[]"
