"""Tables for papers show the numbers of the tables they come from, in LaTeX and in Markdown."""

import math
import re
import shutil
import subprocess
from importlib import metadata
from itertools import pairwise

import numpy as np
import pytest
from command import EXAMPLES, pres_eval
from markdown_it import MarkdownIt
from odd_names import ODD_NAMES
from random_comparisons import random_comparison

from pres_plugin.study.compare import compare_scores
from pres_plugin.study.scoring import Scores

CELL = re.compile(
    r"(?P<bold>\*\*)?(?P<value>-?\d+(?:\.\d+)?)(?:\*\*)?(?:\^(?P<marks>[^ ]+))?"
    r"(?: \[(?P<low>-?[\d.]+), (?P<high>-?[\d.]+)\])?"
)
WORDS = {
    "wilcoxon": "Wilcoxon's signed-rank test",
    "t": "Student's paired t test",
    "randomization": "Fisher's randomization test",
    "none": "not corrected",
    "bonferroni": "Bonferroni",
    "holm": "Holm",
    "bh": "Benjamini and Hochberg",
}


def from_markdown(text):
    """Return the rows of a table, with bold values in asterisks, and the caption."""
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(text)
    rows, caption = [], ""
    for before, token in pairwise(tokens):
        if before.type == "tr_open":
            rows.append([])
        if token.type == "inline":
            written = ""
            for child in token.children:
                html = {"<sup>": "^", "</sup>": ""} if child.type == "html_inline" else {}
                bold = {"strong_open": "**", "strong_close": "**"}
                written += bold.get(child.type) or html.get(child.content, child.content)
            if before.type == "paragraph_open":
                caption = written
            else:
                rows[-1].append(written)
    return rows, caption


TEX = {
    **{rf"\{character}": character for character in "&%$#_{}"},
    r"\textasciicircum{}": "^",
    r"\textasciitilde{}": "~",
    r"\textbackslash{}": "\\",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\textasciigrave{}": "`",
    r"$\alpha$": "α",
    r"$\uparrow$": "↑",
    r"$\downarrow$": "↓",
    **{f"{{{character}}}": character for character in "[*-'"},
}


def plain(latex):
    commands = "|".join(map(re.escape, sorted(TEX, key=len, reverse=True)))
    return re.sub(commands, lambda found: TEX[found[0]], latex)


def from_latex(text):
    """Return the same as `from_markdown`."""
    head, body = text.split("\\midrule\n")
    lines = [head.splitlines()[-1], *body.split("\\bottomrule")[0].splitlines()]
    rows = []
    for line in lines:
        cells = re.split(r"(?<!\\)&", line.removesuffix(r"\\"))
        cells = [re.sub(r"\\textbf\{([\d.-]+)\}", r"**\1**", cell) for cell in cells]
        cells = [re.sub(r"\\textsuperscript\{(.*?)\}(?= |$)", r"^\1", cell) for cell in cells]
        rows.append([plain(cell.strip()) for cell in cells])
    (caption,) = re.findall(r"^\\caption\{(.*)\}$", text, re.MULTILINE)
    return rows, plain(caption)


READERS = {"latex": from_latex, "markdown": from_markdown}


def significantly_higher(study, measure):
    """The pairs (higher run, lower run) that differ significantly."""
    return {
        (row.first, row.second) if row.verdict.startswith("first") else (row.second, row.first)
        for row in study.pairs.itertuples()
        if row.measure == measure and row.verdict != "no difference"
    }


def expected_marks(study, labels, run, measure):
    higher = significantly_higher(study, measure)
    if not study.baselines:
        return "".join(sorted(labels[lower] for upper, lower in higher if upper == run))
    compared = {(row.first, row.second) for row in study.pairs.itertuples()}
    marks = []
    for baseline in study.baselines:
        label = labels.get(baseline, "")
        if (run, baseline) in compared:
            marks += [f"{label}↑"] * ((run, baseline) in higher)
            marks += [f"{label}↓"] * ((baseline, run) in higher)
    return "".join(sorted(marks))


@pytest.mark.parametrize("fmt", READERS)
def test_each_value_is_that_of_the_tables(fmt):
    seen = set()
    for seed in range(25):
        study = random_comparison(seed)
        n_runs, decimals = len(study.scores.runs), seed % 5
        rows, caption = READERS[fmt](getattr(study, f"to_{fmt}")(decimals))
        heads, *rows = rows
        measures = list(study.scores.measures)
        has_labels = heads[0] == ""
        assert heads == [""] * has_labels + ["run", *measures]
        assert has_labels == (n_runs > 1 and len(study.baselines) != 1)
        names = [row[has_labels] for row in rows]
        means = study.scores.table()
        shown = [run.replace("\n", r"\n") for run in means.index]
        assert names == shown
        labels = dict(zip(means.index, (row[0] for row in rows), strict=True)) if has_labels else {}
        for column, measure in enumerate(measures, start=1 + has_labels):
            cells = [CELL.fullmatch(row[column]) for row in rows]
            texts = [cell["value"] for cell in cells]
            bold = {text for cell, text in zip(cells, texts, strict=True) if cell["bold"]}
            best = {text for text in texts if float(text) == max(map(float, texts))}
            assert bold == (best if n_runs > 1 else set())
            assert sum(cell["bold"] is not None for cell in cells) == sum(map(texts.count, bold))
            for run, cell in zip(means.index, cells, strict=True):
                assert cell["value"] == f"{means[measure][run]:.{decimals}f}"
                assert (cell["marks"] or "") == expected_marks(study, labels, run, measure)
                check_interval(study, run, measure, cell, decimals)
                seen |= {key for key, found in cell.groupdict().items() if found}
        check_caption(study, caption)
    assert seen == {"bold", "value", "marks", "low", "high"}


def check_interval(study, run, measure, cell, places):
    if study.intervals is None:
        assert cell["low"] is None
        return
    table = study.intervals
    (row,) = table[(table["run"] == run) & (table["measure"] == measure)].itertuples()
    if math.isnan(row.low):
        assert cell["low"] is None
    else:
        bounds = float(cell["low"]), float(cell["high"])
        assert bounds == (float(f"{row.low:.{places}f}"), float(f"{row.high:.{places}f}"))


def check_caption(study, caption):
    how, n_runs = study.how, len(study.scores.runs)
    assert re.search(rf"Means over {len(study.scores.topics)} topics?[;.]", caption)
    for package in ("pres-plugin", "ir-measures", "scipy", "numpy"):
        assert f"{package} {metadata.version(package)}".lower() in caption.lower()
    assert ("Bold" in caption) == (n_runs > 1)
    tested = n_runs > 1
    assert (f"{WORDS[how.test]} at α = {how.alpha:g}" in caption) == tested
    if tested:
        assert WORDS[how.correction] in caption
        n_pairs = len(study.pairs) // len(study.scores.measures)
        assert (f"for {n_pairs} pair" in caption) == (how.correction != "none")
    # With a single topic, no interval is defined, so the caption names none.
    has_intervals = how.confidence is not None and len(study.scores.topics) > 1
    level = f"{how.confidence * 100:g} % confidence intervals" if has_intervals else ""
    assert ("confidence" in caption) == bool(level)
    assert level in caption
    assert ("BCa bootstrap over topics, adjusted for the number of topics" in caption) == bool(
        level
    )
    assert ("999 resamples, seed 0" in caption) == bool(
        level or (tested and how.test == "randomization")
    )
    for baseline in study.baselines:
        assert baseline[:40].replace("\n", "\\n").rstrip("'") in caption.replace("\\\\", "\\")


def test_many_runs_have_numbers_in_place_of_letters():
    # Runs 1 to 10 differ from runs 11 to 30, but not from each other.
    values = np.random.default_rng(0).random((30, 20, 1)) * 0.01
    values[:10] += 0.5
    scores = Scores(
        tuple(f"run{i}" for i in range(30)),
        tuple(map(str, range(20))),
        ("PRES@100",),
        values,
        values.mean(axis=1),
    )
    study = compare_scores(scores, alpha=1e-5)
    (_, *rows), _ = from_latex(study.to_latex())
    assert [row[0] for row in rows] == [str(i) for i in range(1, 31)]
    assert {row[2].partition("^")[2] for row in rows[:10]} == {"11–30"}
    assert {row[2].partition("^")[2] for row in rows[10:]} == {""}


def test_values_that_look_the_same_are_all_bold():
    values = np.array([0.12344, 0.12341, 0.1229]).reshape(3, 1, 1)
    scores = Scores(("a", "b", "c"), ("t",), ("PRES@100",), values, values[:, 0])
    (_, *rows), _ = from_latex(compare_scores(scores).to_latex())
    assert [row[-1] for row in rows] == ["**0.1234**", "**0.1234**", "0.1229"]
    (_, *rows), _ = from_latex(compare_scores(scores).to_latex(-1))
    assert [row[-1] for row in rows] == ["**0.12344**", "0.12341", "0.1229"]


RUNS = [f"system-{i}.run" for i in range(1, 5)]


@pytest.mark.parametrize("fmt", READERS)
@pytest.mark.parametrize("by_query", [False, True])
def test_score_prints_tables_for_papers(fmt, by_query):
    arguments = ["qrels.txt", *RUNS, "-m", "PRES@100 R@100 NumRet", *["-q"] * by_query]
    result = pres_eval("score", *arguments, "-f", fmt, "-p", "3", cwd=EXAMPLES)
    assert (result.returncode, result.stderr) == (0, "")
    (heads, *rows), caption = READERS[fmt](result.stdout)
    assert heads == ["run", *["topic"] * by_query, "PRES@100", "R@100", "NumRet"]
    # The values of the paper's four systems.
    values = [
        ["0.250", "0.250", "100"],
        ["0.505", "**1.000**", "100"],
        ["**1.000**", "**1.000**", "100"],
        ["0.280", "**1.000**", "100"],
    ]
    of_topics = [["PAT-1"], ["all"]] if by_query else [[]]
    assert rows == [[RUNS[i], *topic, *values[i]] for i in range(4) for topic in of_topics]
    assert caption == (
        "Means over 1 topic; NumRet: sums. Bold: the best value by each measure"
        f"{' on each topic' * by_query}. No value of NumRet is bold: neither higher nor lower "
        "values are better. "
        f"Computed with pres-plugin {metadata.version('pres-plugin')}, ir-measures "
        f"{metadata.version('ir-measures')} and NumPy {metadata.version('numpy')}."
    )


def test_compare_prints_and_writes_the_same_table(tmp_path):
    arguments = ["compare", "qrels.txt", *RUNS, "-m", "PRES@100 AP@100"]
    assert pres_eval(*arguments, "--out", tmp_path / "out", cwd=EXAMPLES).returncode == 0
    for fmt, name in {"latex": "table.tex", "markdown": "table.md"}.items():
        printed = pres_eval(*arguments, "-f", fmt, cwd=EXAMPLES).stdout
        assert (tmp_path / "out" / name).read_text(encoding="utf-8") == printed
        assert "system-3.run" in printed
    both = pres_eval(*arguments, "-f", "latex", "--out", tmp_path / "new", cwd=EXAMPLES)
    assert both.returncode == 2
    assert both.stderr.count("\n") == 1
    assert not (tmp_path / "new").exists()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_accepts_tables_and_names(tmp_path):
    names = [name for name in ODD_NAMES if name.isascii() and len(name) < 100]
    runs = tuple(names)
    values = np.random.default_rng(0).random((len(runs), 20, 2))
    scores = Scores(runs, tuple(map(str, range(20))), ("PRES@100", "AP"), values, values.mean(1))
    kinds = [{}, {"baselines": runs[:1]}, {"baselines": runs[:3], "confidence": 0.95}]
    tables = [compare_scores(scores, resamples=999, **kind).to_latex() for kind in kinds]
    text = [
        r"\documentclass{article}",
        r"\usepackage[T1]{fontenc}",
        r"\usepackage{booktabs}",
        r"\begin{document}",
        *tables,
        r"\end{document}",
    ]
    (tmp_path / "t.tex").write_text("\n".join(text), encoding="utf-8")
    options = ["-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    found = subprocess.run(["pdflatex", *options], cwd=tmp_path, capture_output=True, check=False)
    if b"booktabs.sty' not found" in found.stdout:
        pytest.skip("LaTeX's package booktabs is not installed")
    assert found.returncode == 0, found.stdout
