"""The files of a report: complete tables, and a page that shows what can be read."""

import json
import math
from functools import partial

import numpy as np
import pandas as pd

from pres_plugin.study.explain import Explanation
from pres_plugin.study.pictures.style import new_figure
from pres_plugin.study.report import Picture, Report, Table, View


def test_long_tables_are_cut_in_the_page_only(tmp_path):
    def documents(n):
        return Explanation("r", "q", 10, [f"d{i}" for i in range(n)], np.zeros(n, int)).documents

    sizes = [30, 5_000, *[2_000] * 10, 11]
    tables = [Table(f"t{i}", "T", documents(n)) for i, n in enumerate(sizes)]
    Report("title", "intro", tables, "command").write(tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text()
    shown = [section.count("<tr>") - 1 for section in page.split("<section")[1:]]
    assert shown == [30, 2_000, *[2_000] * 8, 1_970, 10, 10]
    assert "These are the first 2000 of 5000 rows. All rows are in\nt1.tsv." in page
    assert page.count("These are the first") == 4
    results = json.loads((tmp_path / "out" / "results.json").read_text())["tables"]
    for i, n in enumerate(sizes):
        assert len((tmp_path / "out" / f"t{i}.tsv").read_text().splitlines()) == n + 1
        assert len(results[f"t{i}"]) == n


def test_people_read_views_and_files_contain_the_numbers(tmp_path):
    frame = pd.DataFrame({"n_max": [10, 20], "p_value": [0.5, 0.00001]})
    views = [View("One", frame[:1]), View("Two", partial(pd.DataFrame, {"run": ["r"]}))]
    report = Report("title", "intro", [Table("t", "T", frame, "Note.", views=views)], "command")
    assert report.text() == (
        "One\n\n  Nmax    p-value\n------  ---------\n    10     0.5000\n"
        "\nTwo\n\nrun\n-----\nr\nNote.\n"
    )
    report.write(tmp_path / "out")
    assert (tmp_path / "out" / "t.tsv").read_text().splitlines()[0] == "n_max\tp_value"
    page = (tmp_path / "out" / "report.html").read_text()
    assert [page.count(text) for text in ("<h2>T</h2>", "<h3>One</h3>", "<h3>Two</h3>")] == [1] * 3
    assert "0.5000</td>" in page
    assert "n_max" not in page


def test_a_picture_can_be_left_out_of_the_page(tmp_path):
    parts = [
        Picture(name, "P", partial(new_figure, 1), "A caption.", on_page=name == "seen")
        for name in ("seen", "unseen")
    ]
    Report("title", "intro", parts, "command").write(tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text()
    assert [page.count(f'<section id="{part.name}"') for part in parts] == [1, 0]
    assert (tmp_path / "out" / "unseen.png").exists()


def test_json_contains_each_value_as_it_is(tmp_path):
    frame = pd.DataFrame({
        "%s": ['"', "a\nb", "\u2028", "{}"],
        "float": [0.1, math.nan, math.inf, 1e-300],
        "int": [2**62, -1, 0, 1],
        "mixed": pd.Series([None, 1, 0.5, np.int64(3)], dtype=object),
    })  # fmt: skip
    tables = [Table("t", "T", frame), Table("none", "N", frame[:0])]
    Report("title", "intro", tables, "command '\udcff'").write(tmp_path / "out")
    text = (tmp_path / "out" / "results.json").read_text(encoding="utf-8")
    results = json.loads(text)
    assert results["tables"]["t"] == [
        {"%s": '"', "float": 0.1, "int": 2**62, "mixed": None},
        {"%s": "a\nb", "float": None, "int": -1, "mixed": 1},
        {"%s": "\u2028", "float": None, "int": 0, "mixed": 0.5},
        {"%s": "{}", "float": 1e-300, "int": 1, "mixed": 3},
    ]
    assert results["tables"]["none"] == []
    assert results["command"] == "command '\udcff'"
    assert {"t.tsv", "none.tsv", "report.html", "results.json"} == set(results["files"])
