"""What notebooks show: sentences, tables and a picture, in any theme and without a script."""

import re
from functools import partial
from html.parser import HTMLParser

import pandas as pd
import pytest

from pres_plugin.study.cells import written
from pres_plugin.study.compare import compare
from pres_plugin.study.explain import explain
from pres_plugin.study.html.notebook import in_notebook
from pres_plugin.study.pictures.style import new_figure
from pres_plugin.study.report import Picture, Table, View
from pres_plugin.study.robustness import robustness
from pres_plugin.study.scoring import score
from pres_plugin.study.sweep import sweep

QRELS = {f"q{i}": dict.fromkeys("abcd", 1) for i in range(6)}


def run(first):
    """A run that finds the documents in another order in each topic, from rank `first` on."""
    ids = [*(f"x{i}" for i in range(first)), *"abcd"]
    return {
        topic: {doc_id: float(-((7 * i + t) % 11)) for i, doc_id in enumerate(ids)}
        for t, topic in enumerate(QRELS)
    }


ODD = "<b>'&\"\x1b"
RUNS = {"one": run(0), ODD: run(3), "three": run(6)}

RESULTS = {
    "score": lambda: score(QRELS, RUNS, ["PRES@10", "AP@10"]),
    "compare": lambda: compare(QRELS, RUNS, ["PRES@10", "AP@10"], confidence=0.9, resamples=999),
    "sweep": lambda: sweep(QRELS, RUNS, ["PRES", "R"], [2, 5, 10]),
    "robustness": lambda: robustness(QRELS, RUNS, ["PRES@10"], [0.5]),
    "explain": lambda: explain(QRELS, RUNS, "q0", 10),
    "explain one": lambda: explain(QRELS, RUNS, "q1", 10)[1],
}


class Shown(HTMLParser):
    """The elements of a cell's output, and the texts of its cells."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.cells = [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.open.append(tag)
        if tag in {"th", "td", "li"}:
            self.cells.append("")

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in {"th", "td", "li"}:
            self.cells[-1] += data


@pytest.fixture(scope="module", params=RESULTS)
def result(request):
    """The name of a result, the result, and what a notebook shows of it."""
    found = RESULTS[request.param]()
    return request.param, found, found._repr_html_()


def test_a_notebook_shows_sentences_tables_and_a_picture(result):
    name, found, text = result
    shown = Shown(text)
    tags = [tag for tag, _ in shown.tags]
    assert tags.count("svg") == 1
    assert tags.count("table") == (2 if name == "sweep" else 1)
    sentences = [] if name == "score" else found.sentences()
    assert tags.count("li") == len(sentences)
    assert {sentence.replace("\x1b", r"\x1b") for sentence in sentences} <= set(shown.cells)


def test_the_output_needs_no_script_and_nothing_else(result):
    text = result[2]
    for tag, attributes in Shown(text).tags:
        assert tag not in {"script", "link", "img", "iframe", "b"}
        assert not any(name.startswith("on") for name in attributes)
    assert text.count("url(") == text.count("url(#")
    assert "\x1b" not in text
    # The style applies to this output only.
    (style,) = re.findall(r"<style>(.*?)</style>", text, flags=re.DOTALL)
    selectors = [part for rule in style.split("}")[:-1] for part in rule.split("{")[0].split(",")]
    assert all(selector.strip().startswith(".pres-plugin") for selector in selectors)


NUMBERS = {
    "score": lambda found: [found.table()],
    "compare": lambda found: [],
    "sweep": lambda found: [found.by_run(measure) for measure in found.measures],
    "robustness": lambda found: [found.by_fraction()[["lowest_tau", "mean_tau", "highest_tau"]]],
    "explain": lambda found: [pd.DataFrame({"pres": [one.pres for one in found]})],
    "explain one": lambda found: [found.documents[["counted_rank", "ideal_rank", "cost"]]],
}


def test_the_output_contains_the_numbers(result):
    name, found, text = result
    cells = Shown(text).cells
    for frame in NUMBERS[name](found):
        columns = [written(frame.iloc[:, i]) for i in range(frame.shape[1])]
        for texts in map(list, zip(*columns, strict=True)):
            assert any(cells[i : i + len(texts)] == texts for i in range(len(cells)))
    if name == "compare":
        for _, _, mean, low, high in found.intervals.itertuples(index=False):
            assert f"{mean:.4f} [{low:.4f}, {high:.4f}]" in cells


def test_large_results_are_cut():
    frame = pd.DataFrame({"run": [f"run-{i}" for i in range(100)]})
    views = [View(f"view {i}", frame) for i in range(10)]
    picture = Picture("picture", "Picture", partial(new_figure, 1), "A caption.")
    text = in_notebook([], [Table("t", "T", frame, views=views), picture])
    assert text.count("<table>") == 8
    assert text.count("<tr>") == 8 * 31
    assert text.count("These are the first 30 of 100 rows.") == 8
    assert "These are the first 8 of 10 tables." in text
