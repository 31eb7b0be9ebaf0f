"""The files of a report: complete tables, and a page that shows what can be read."""

import json
from functools import partial
from importlib import import_module

import pytest
from command import EXAMPLES, pres_eval_process
from made_studies import a_robustness, a_sweep, compared

from pres_plugin.study.output.page import in_notebook
from pres_plugin.study.output.parts import Picture, Section
from pres_plugin.study.output.report import Report
from pres_plugin.study.output.style import new_figure
from pres_plugin.study.output.tables import Table, count, p_value, text


def numbered(n_rows):
    return Table({"n": count(range(n_rows))})


def written(parts, folder, **options):
    """Write a report and return its page and its results."""
    Report("title", "intro", parts, "command '\udcff'", **options).write(folder / "out")
    results = json.loads((folder / "out" / "results.json").read_text(encoding="utf-8"))
    return (folder / "out" / "report.html").read_text(encoding="utf-8"), results


def test_long_tables_are_cut_in_the_page_only(tmp_path):
    sizes = [30, 200, 201, 15_000]
    sections = [Section(f"t{i}", "T", partial(numbered, n)) for i, n in enumerate(sizes)]
    page, results = written(sections, tmp_path)
    shown = [section.count("<tr>") - 1 for section in page.split("<section")[1:]]
    assert shown == [30, 200, 200, 200]
    assert "14,800 more rows are not shown. All rows are in t3.tsv." in page
    assert "1 more row is not shown. All rows are in t2.tsv." in page
    assert page.count(" not shown.") == 2
    for i, n in enumerate(sizes):
        assert len((tmp_path / "out" / f"t{i}.tsv").read_text().splitlines()) == n + 1
        assert len(results["tables"][f"t{i}"]) == n


@pytest.mark.release
def test_only_the_packages_that_were_needed_are_named(tmp_path):
    # Another process, because the tests of this one have imported SciPy.
    arguments = ("sweep", "qrels.txt", "system-1.run", "--out", tmp_path / "out")
    assert pres_eval_process(*arguments, cwd=EXAMPLES).returncode == 0
    results = json.loads((tmp_path / "out" / "results.json").read_text())
    assert "matplotlib" in results["versions"]
    assert "scipy" not in results["versions"]


def test_people_read_views_and_files_contain_the_numbers(tmp_path):
    table = Table({"n_max": count([10, 20], "Nmax"), "p_value": p_value([0.5, 0.00001], "p-value")})
    views = [("One", table.rows(slice(1))), ("Two", partial(Table, {"run": text(["r"])}))]
    section = Section("t", "T", table, "Note.", views=views)
    report = Report("title", "intro", [section], "command", ["In short. " + "word " * 20])
    assert "".join(report.texts()) == (
        "- In short. word word word word word word word word word word word word word word word "
        "word word\n  word word word\n\n"
        "One\n\n  Nmax    p-value\n------  ---------\n    10     0.5000\n"
        "\nTwo\n\nrun\n-----\nr\nNote.\n"
    )
    page, results = written([section], tmp_path, papers={"latex": "{}".format})
    assert [page.count(each) for each in ("<h2>T</h2>", "<h3>One</h3>", "<h3>Two</h3>")] == [1] * 3
    assert "0.5000</td>" in page
    assert "n_max" not in page
    assert results["tables"]["t"][1] == {"n_max": 20, "p_value": 0.00001}
    assert results["command"] == "command '\udcff'"
    assert results["files"] == ["t.tsv", "table.tex", "results.json", "report.html"]
    assert sorted(results["files"]) == sorted(path.name for path in (tmp_path / "out").iterdir())
    assert (tmp_path / "out" / "table.tex").read_text() == "4"


def test_numbers_stay_on_the_line_of_their_unit_or_symbol(tmp_path):
    """In sentences on pages and terminals; commands can be copied, and tables sorted."""
    said = "By 38 % at α = 0.05, p < 0.001."
    section = Section("t", "T", Table({"run": text(["a = b", "5 %"])}), said)
    picture = Picture("p", "P", partial(new_figure, 1), said)
    report = Report("title", said, [section, picture], "pres-eval 'a = b'", [f"{'x' * 91} {said}"])
    report.write(tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert page.count("By 38\xa0% at α\xa0=\xa00.05, p\xa0&lt;\xa00.001.") == 4
    for kept in ('<pre tabindex="0" aria-label="Command">pres-eval &#39;a = b&#39;', ">5 %<"):
        assert kept in page
    assert page.count(">a = b<") == 1
    printed = "".join(report.texts())
    assert "\xa0" not in printed
    assert "By\n  38 % at α = 0.05" in printed


def test_a_picture_can_be_left_out_of_the_page(tmp_path):
    parts = [
        Picture(name, "P", partial(new_figure, 1), "A caption.", on_page=name == "seen")
        for name in ("seen", "unseen")
    ]
    page, _ = written(parts, tmp_path)
    assert [page.count(f'<section id="{part.name}"') for part in parts] == [1, 0]
    assert (tmp_path / "out" / "unseen.png").exists()


def test_a_notebook_shows_part_of_large_results():
    picture = Picture("picture", "Picture", partial(new_figure, 1), "A caption.")
    views = [(f"view {i}", numbered(100)) for i in range(10)]
    shown = in_notebook(["<b>\x1b"], [Section("t", "T", numbered(1), views=views), picture])
    assert "<li>&lt;b&gt;\\x1b</li>" in shown
    assert [shown.count(tag) for tag in ("<table>", "<tr>", "<svg", "<script")] == [
        10,
        10 * 31,
        1,
        0,
    ]
    assert shown.count("70 more rows are not shown.") == 10


def test_people_read_labels_of_measures_and_once_the_measures_in_full():
    measures = ("PRES@9", "WSS(judged_only=True)@0.95", "AP(rel=2)", "AP")
    for made in (compared("ab", measures), a_robustness(measures), a_sweep("ab", measures)):
        report = import_module(f"{type(made).__module__.rpartition('.')[0]}.report")
        report = report.report(made, "command")
        said = "".join(report.texts())
        assert said.count("judged_only=True") == 1
        assert "WSS" in said.replace("WSS(judged_only=True)@0.95", "", 1)
        assert "AP(rel=2)" in said
        assert "judged_only=True" not in f"{report.title}{report.intro}"
        table = next(part for part in report.parts if isinstance(part, Section)).table
        written = "".join((table if isinstance(table, Table) else table()).tsv())
        assert "WSS(judged_only=True)@0.95" in written
