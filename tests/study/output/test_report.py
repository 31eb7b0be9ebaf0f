"""The files of a report: complete tables, and a page that shows what can be read."""

import json
from functools import partial

import pytest
from made_studies import a_robustness, a_sweep, compared

from pres_plugin.output.tables import Table, as_p_value
from pres_plugin.study.output.page import in_notebook
from pres_plugin.study.output.parts import Picture, Section, made
from pres_plugin.study.output.report import Report
from pres_plugin.study.output.style import new_figure
from pres_plugin.study.result import report


def numbered(n_rows):
    return Table({"n": range(n_rows)})


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
    assert page.count(" not shown.") == 2
    for i, n in enumerate(sizes):
        assert len((tmp_path / "out" / f"t{i}.tsv").read_text().splitlines()) == n + 1
        assert len(results["tables"][f"t{i}"]) == n


def test_people_read_views_and_files_contain_the_numbers(tmp_path):
    values = {"n_max": [10, 20], "p_value": [0.5, 0.00001]}
    table = Table(values, {"n_max": "Nmax", "p_value": "p-value"}, p_value=as_p_value)
    views = [("One", table.rows(slice(1))), ("Two", partial(numbered, 1))]
    section = Section("t", "T", table, "Note.", views=views)
    unseen = Picture("unseen", "P", partial(new_figure, 1), "A caption.", on_page=False)
    said = Report("title", "intro", [section], "command", ["In short. " + "word " * 20])
    assert "".join(said.texts()) == (
        "- In short. word word word word word word word word word word word word word word word "
        "word word\n  word word word\n\n"
        "One\n\n  Nmax    p-value\n------  ---------\n    10     0.5000\n"
        "\nTwo\n\n  n\n---\n  0\nNote.\n"
    )
    page, results = written([section, unseen], tmp_path, paper="{} {}".format)
    assert [page.count(each) for each in ("<h2>T</h2>", "<h3>One</h3>", "<h3>Two</h3>")] == [1] * 3
    assert "0.5000</td>" in page
    assert "n_max" not in page
    assert "unseen" not in page
    assert results["tables"]["t"][1] == {"n_max": 20, "p_value": 0.00001}
    assert results["command"] == "command '\udcff'"
    assert sorted(results["files"]) == sorted(path.name for path in (tmp_path / "out").iterdir())
    assert {"t.tsv", "unseen.png", "unseen.svg", "table.tex", "table.md"} < set(results["files"])
    assert (tmp_path / "out" / "table.tex").read_text() == "latex 4"


def test_a_notebook_shows_part_of_large_results():
    picture = Picture("picture", "Picture", partial(new_figure, 1), "A caption.")
    views = [(f"view {i}", numbered(100)) for i in range(2)]
    shown = in_notebook(["<b>\x1b"], [Section("t", "T", numbered(1), views=views), picture])
    assert "<li>&lt;b&gt;\\x1b</li>" in shown
    counts = {"<table>": 2, "<tr>": 62, "<svg": 1, "<script": 0, "70 more rows are not shown.": 2}
    assert {text: shown.count(text) for text in counts} == counts


MEASURES = ("PRES@9", "WSS(judged_only=True)@0.95", "AP(rel=2)", "AP")


@pytest.mark.parametrize(
    "found", [compared("ab", MEASURES), a_robustness(MEASURES), a_sweep("ab", MEASURES)]
)
def test_people_read_labels_of_measures_and_once_the_measures_in_full(found):
    shown = report(found)
    said = "".join(shown.texts())
    assert said.count("judged_only=True") == 1
    assert "WSS" in said.replace(MEASURES[1], "", 1)
    assert "judged_only=True" not in f"{shown.title}{shown.intro}"
    table = next(part for part in shown.parts if isinstance(part, Section)).table
    assert MEASURES[1] in str(made(table).pandas().to_dict())
