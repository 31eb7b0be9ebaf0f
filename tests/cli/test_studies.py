"""The commands that study runs, as their users run them."""

import base64
import csv
import hashlib
import json
import re
import subprocess
import sys
from functools import partial
from html.parser import HTMLParser
from xml.etree import ElementTree

import command
import polars as pl
import pytest
from command import EXAMPLES, on_a_terminal
from interpreter import run_python
from PIL import Image

from pres_plugin.formats.dicts import from_dicts
from pres_plugin.trec import read_qrels, read_run

pytestmark = pytest.mark.xdist_group("studies")

pres_eval = partial(command.pres_eval, cwd=EXAMPLES)
refused = partial(command.refused, cwd=EXAMPLES)

RUNS = [f"system-{i}.run" for i in range(1, 5)]
INPUT = ["qrels.txt", *RUNS]

STUDIES = {
    "explain": [*INPUT, "--query", "PAT-1", "--n-max", "100"],
    "compare": [*INPUT, "-m", "PRES@100 AP@100 R@100"],
    "sweep": [*INPUT, "-m", "PRES AP R", "--n-max", "10:100:10"],
    "robustness": [*INPUT, "-m", "PRES@100 AP@100 R@100", "--processes", "1"],
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A folder of results of each study."""
    root = tmp_path_factory.mktemp("studies")
    for study, arguments in STUDIES.items():
        result = pres_eval(study, *arguments, "--out", root / study)
        assert result.returncode == 0, result.stderr
    return root


class Page(HTMLParser):
    """What a page links to, which elements it has, and its text."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("study", STUDIES)
def test_a_folder_holds_pictures_numbers_and_a_page(folders, study):
    files = {path.name for path in (folders / study).iterdir()}
    pictures = {name.removesuffix(".png") for name in files if name.endswith(".png")}
    assert pictures
    assert pictures == {name.removesuffix(".svg") for name in files if name.endswith(".svg")}
    assert {"report.html", "results.json"} <= files
    for name in pictures:
        with Image.open(folders / study / f"{name}.png") as image:
            assert min(image.size) > 400
        root = ElementTree.parse(folders / study / f"{name}.svg").getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize("study", STUDIES)
def test_tables_and_json_hold_the_same_numbers(folders, study):
    results = json.loads((folders / study / "results.json").read_text())
    assert results["command"].startswith(f"pres-eval {study}")
    assert {"Python", "pres-plugin", "ir-measures", "scipy"} <= results["versions"].keys()
    tables = {path.stem for path in (folders / study).glob("*.tsv")}
    assert tables == results["tables"].keys()
    for name, records in results["tables"].items():
        with (folders / study / f"{name}.tsv").open(newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        assert rows == [
            {key: "" if value is None else str(value) for key, value in record.items()}
            for record in records
        ]


@pytest.mark.parametrize("study", STUDIES)
def test_a_page_needs_nothing_else(folders, study):
    text = (folders / study / "report.html").read_text()
    page = Page(text)
    for tag, attributes in page.elements:
        assert tag not in {"iframe", "object", "img"}
        for name in ("src", "href"):
            assert attributes.get(name, "#").startswith(("data:", "#"))
    assert text.count("url(") == text.count("url(#")
    assert "@import" not in text
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {a["href"] for tag, a in page.elements if tag == "a"}
    assert links <= {f"#{i}" for i in ids}


@pytest.mark.parametrize("study", STUDIES)
def test_a_page_runs_only_its_own_script_and_loads_nothing(folders, study):
    text = (folders / study / "report.html").read_text()
    (policy,) = (
        attributes["content"]
        for _, attributes in Page(text).elements
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    (script,) = re.findall(r"<script>(.*?)</script>", text, flags=re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy.split("; ") == [
        "default-src 'none'",
        "img-src data:",
        "style-src 'unsafe-inline'",
        f"script-src 'sha256-{digest}'",
    ]


@pytest.mark.parametrize("study", STUDIES)
def test_a_page_is_for_everybody(folders, study):
    text = (folders / study / "report.html").read_text()
    page = Page(text)
    tags = [tag for tag, _ in page.elements]
    assert [tags.count(tag) for tag in ("h1", "main", "nav")] == [1, 1, 1]
    assert ("html", {"lang": "en"}) in page.elements
    viewports = [a["content"] for tag, a in page.elements if a.get("name") == "viewport"]
    assert viewports == ["width=device-width, initial-scale=1"]
    images = [a for tag, a in page.elements if tag == "svg"]
    assert images
    assert all(a["role"] == "img" and len(a["aria-label"]) > 20 for a in images)
    # What scrolls can be reached and scrolled by keyboard, and says what it is.
    scrolling = [a for _, a in page.elements if "scroll" in a.get("class", "").split()]
    assert all(a["tabindex"] == "0" and a["aria-label"] for a in scrolling)
    assert all("scope" in a for tag, a in page.elements if tag == "th")
    assert "color-scheme: light dark" in text
    assert f"pres-eval {study}" in page.text
    assert "matplotlib 3" in page.text


@pytest.mark.parametrize("study", STUDIES)
def test_a_report_begins_with_its_sentences(folders, study):
    summary = json.loads((folders / study / "results.json").read_text())["summary"]
    assert 3 <= len(summary) <= 6
    page = " ".join(Page((folders / study / "report.html").read_text()).text.split())
    positions = [page.find(" ".join(sentence.split())) for sentence in summary]
    assert positions == sorted(positions)
    assert positions[0] > 0
    printed = pres_eval(study, *STUDIES[study]).stdout
    first, *_ = printed.split("\n\n")
    items = first.replace("\n  ", " ").split("\n")
    assert items == [f"- {sentence}" for sentence in summary]


def test_names_in_a_page_are_text_and_not_markup(tmp_path):
    (tmp_path / "<b>&.run").write_text((EXAMPLES / RUNS[0]).read_text())
    result = pres_eval(
        "explain", EXAMPLES / "qrels.txt", "<b>&.run", "--query", "PAT-1", "--out", "out",
        cwd=tmp_path,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    page = Page((tmp_path / "out" / "report.html").read_text())
    assert "b" not in {tag for tag, _ in page.elements}
    assert "<b>&.run" in page.text


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """The example as a folder of its runs, as one table of all, and its judgements as a table."""
    root = tmp_path_factory.mktemp("tables")
    (root / "runs").mkdir()
    for name in RUNS:
        (root / "runs" / name).write_text((EXAMPLES / name).read_text())
    runs = [(name, from_dicts(read_run(EXAMPLES / name), "score")) for name in RUNS]
    table = pl.concat(frame.with_columns(run=pl.lit(name)) for name, frame in runs)
    table.write_parquet(root / "all.parquet")
    judged = from_dicts(read_qrels(EXAMPLES / "qrels.txt"), "relevance")
    judged.write_parquet(root / "qrels.parquet")
    return root


@pytest.mark.parametrize("study", ["explain", "compare", "sweep", "robustness"])
def test_a_study_takes_folders_and_parquet_as_score_does(tables, study):
    options = STUDIES[study][len(INPUT) :]
    expected = pres_eval(study, *INPUT, *options).stdout
    assert expected
    for qrels, runs in [(EXAMPLES / "qrels.txt", "runs"), ("qrels.parquet", "all.parquet")]:
        result = pres_eval(study, qrels, runs, *options, cwd=tables)
        assert (result.stderr, result.stdout) == ("", expected)
    line = refused(study, "all.parquet", "runs", *options, cwd=tables)
    assert "all.parquet: there is no column relevance (or label, rel); the columns" in line
    line = refused(study, EXAMPLES / "qrels.txt", "all.parquet", "runs", *options, cwd=tables)
    assert line.startswith("two runs are called system-")
    line = refused(study, "qrels.parquet", "qrels.parquet", *options, cwd=tables)
    assert "qrels.parquet: there is no column score" in line


def test_compare_prints_its_tables():
    result = pres_eval("compare", *STUDIES["compare"], cwd=EXAMPLES)
    assert (result.returncode, result.stderr) == (0, "")
    rows = [line.split() for line in result.stdout.splitlines()]
    scores = rows.index(["run", "PRES@100", "AP@100", "R@100"])
    assert [row[0] for row in rows[scores + 2 : scores + 6]] == [RUNS[i] for i in (2, 1, 3, 0)]
    assert ["system-2.run", "0.5050", "0.0475", "1.0000"] in rows
    assert ["PRES@100", "0", "0", "6"] in rows  # one topic shows no difference


def test_explain_says_what_each_document_costs():
    out = pres_eval("explain", "qrels.txt", RUNS[0], "--query", "PAT-1", "--n-max", 100).stdout
    assert out.count("not retrieved, counts as rank 10") + out.count("beyond 100") == 3
    assert "as early as possible, costs nothing" in out
    assert "PRES is 1 minus all costs: 1 - 0.7500 = 0.2500." in out


def test_sweep_prints_scores_at_each_cutoff():
    out = pres_eval("sweep", "qrels.txt", RUNS[1], "-m", "R", "--n-max", "50,53", "-p", 2).stdout
    rows = [line.split() for line in out.splitlines()]
    assert ["run", "50", "53"] in rows
    assert [RUNS[1], "0.25", "0.75"] in rows


def test_robustness_prints_the_same_for_the_same_seed():
    first, again, other = (
        pres_eval("robustness", *STUDIES["robustness"], "--seed", seed).stdout for seed in (1, 1, 2)
    )
    assert first == again
    assert other != first
    headings = "relevant documents kept  measure      lowest τ    mean τ    highest τ"
    assert headings in first
    assert headings in other


@pytest.mark.slow
def test_robustness_shows_progress_on_a_terminal():
    code, shown = on_a_terminal("robustness", *STUDIES["robustness"], cwd=EXAMPLES)
    assert code == 0
    assert re.search(r"samples.*100%", shown, flags=re.DOTALL)


@pytest.mark.parametrize("force", [[], ["--force"]], ids=["", "force"])
def test_a_folder_of_another_tool_is_kept(tmp_path, force):
    """Even if that tool also writes a file ``results.json``, which lists the user's file."""
    (tmp_path / "thesis.md").write_text("mine")
    (tmp_path / "results.json").write_text('{"files": ["thesis.md", "results.json"]}')
    line = refused("compare", *STUDIES["compare"], "--out", tmp_path, *force)
    assert "does not belong to a report of pres-eval; choose another folder" in line
    assert sorted(path.name for path in tmp_path.iterdir()) == ["results.json", "thesis.md"]
    line = refused("compare", *INPUT, "--out", tmp_path / "thesis.md")
    assert "thesis.md: this is a file, not a folder" in line


def test_force_replaces_a_report(tmp_path):
    arguments = ("compare", *STUDIES["compare"], "--out", tmp_path / "out")
    assert pres_eval(*arguments).returncode == 0
    assert "the folder contains a report already; replace it with --force" in refused(*arguments)
    assert pres_eval(*arguments, "--force").returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("study", ["explain", "compare", "sweep", "robustness"])
def test_a_run_that_cannot_be_read_stops_everything(tmp_path, study):
    (tmp_path / "bad.run").write_text("PAT-1 Q0 EP1 1 high t\n")
    first, *options = STUDIES[study][0], *STUDIES[study][5:]
    line = refused(study, first, *RUNS, tmp_path / "bad.run", *options, "--out", tmp_path / "out")
    assert "bad.run, line 1: the score 'high' is not a number" in line
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("explain", *INPUT, "--query", "none"), "topic 'none' is not in the qrels"),
        (("compare", *INPUT, "-m", "Foo"), "measure 'Foo' is unknown"),
        (("compare", *INPUT, "-m", "Rnorm(N=5)"), r"system-1.run: Rnorm\(N=5\): topic 'PAT-1'"),
        (("compare", *INPUT, RUNS[0]), "two runs are called system-1.run"),
        (("sweep", *INPUT, "-m", "PRES@10"), "measure 'PRES@10': a sweep sets the cutoff itself"),
        (("sweep", *INPUT, "-m", "Bpref"), "measure 'Bpref"),
        (("sweep", *INPUT, "--n-max", "10:100:0"), "the step of '10:100:0' must be a positive"),
        (("sweep", *INPUT, "--n-max", "10:20:log1"), "needs at least 2 values"),
        (
            ("compare", *INPUT, "--alpha", "nan"),
            "'--alpha': 'nan' is not a number above 0 and below 1",
        ),
        (("robustness", *INPUT, "--fractions", "nan"), "a fraction must be above 0"),
        (("sweep", *INPUT, "--n-max", "ten"), "'ten' is neither a number nor a range"),
        (("sweep", *INPUT, "--n-max", "0,5"), "values of Nmax must be positive whole numbers"),
        (("sweep", *INPUT, "--n-max", "9:1"), "the range '9:1' ends before it begins"),
        (("robustness", *INPUT, "--fractions", "a,b"), "these are not numbers"),
        (("robustness", *INPUT, "--fractions", "0"), "a fraction must be above 0"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(arguments, said):
    line = refused(*arguments)
    assert re.search(said, line), line


def test_without_the_extra_a_study_says_what_to_install(tmp_path):
    # A Python that finds neither matplotlib nor what else the extra brings.
    code = (
        "import importlib.util as u, sys; found = u.find_spec;"
        "u.find_spec = lambda name, *a: None if name == 'matplotlib' else found(name, *a);"
        "sys.argv = ['pres-eval', 'compare', 'qrels', 'run'];"
        "from pres_plugin.cli import main; main()"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert result.returncode == 2
    assert result.stderr == (
        "pres-eval: matplotlib is not installed; to install what studies need: "
        "pip install 'pres-plugin[study]'\n"
    )


# What takes longer to import than a small study takes to compute.
OF_STUDIES = {"jinja2", "matplotlib", "pandas", "scipy"}


@pytest.mark.parametrize(
    ("arguments", "modules"),
    [
        (["score", *INPUT], {"matplotlib", "scipy", "pres_plugin.study"}),
        (["score", *INPUT, "-f", "latex"], {"matplotlib", "pandas", "scipy"}),
        (["compare", *STUDIES["compare"]], {*OF_STUDIES, "ir_measures"}),
        pytest.param(["sweep", *STUDIES["sweep"]], OF_STUDIES, marks=pytest.mark.slow),
        pytest.param(["robustness", *STUDIES["robustness"]], OF_STUDIES, marks=pytest.mark.slow),
        (["--help"], {f"pres_plugin.cli.commands.{name}" for name in ("score", *STUDIES)}),
    ],
    ids=["score", "table for a paper", "compare", "sweep", "robustness", "help"],
)
def test_a_command_imports_nothing_that_it_does_not_need(arguments, modules):
    code = (
        "import sys; from pres_plugin.cli.app import run;"
        f"sys.argv = {['pres-eval', *arguments]}; run();"
        f"print(sorted({modules} & sys.modules.keys()))"
    )
    assert run_python(code, cwd=EXAMPLES).splitlines()[-1] == "[]"


def test_help_lists_the_studies():
    out = pres_eval("--help").stdout
    assert all(re.search(rf"^  {study} ", out, flags=re.MULTILINE) for study in STUDIES)
