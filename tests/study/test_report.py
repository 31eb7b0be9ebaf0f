"""The files of a report: complete tables, and a page that shows what can be read."""

import json

import numpy as np
import pandas as pd

from pres_plugin.study.explain import Explanation
from pres_plugin.study.report import Report, Table


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


def test_a_page_shows_control_characters_as_text(tmp_path):
    table = Table("t", "T\x1b", pd.DataFrame({"run": ["\0\u202ea"]}), "note\x08")
    Report("title\x07", "intro", [table], "command '\udcff'").write(tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text()
    assert not set("\0\x1b\x07\x08\u202e") & set(page)
    for text in (r"\x00\u202ea", r"title\x07", r"T\x1b", r"note\x08", r"\xff"):
        assert text in page
    command = json.loads((tmp_path / "out" / "results.json").read_text())["command"]
    assert command == "command '\udcff'"
