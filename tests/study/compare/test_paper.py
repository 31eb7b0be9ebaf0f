"""Tables for papers show the numbers of a comparison, in LaTeX and in Markdown."""

import shutil
import subprocess

import numpy as np
import pytest
from odd_names import ODD_NAMES
from random_scores import comparison, random_scores, scores_of

from pres_plugin.output.paper import software


def made(values, runs=(), measures=("PRES@100",), **options):
    return comparison(scores_of(values, measures, runs), **options)


def rows_of(found, decimals=4):
    """Return the cells of the Markdown table, without its heading."""
    lines = found.to_markdown(decimals).split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


TOPICS = np.arange(8) / 100
VALUES = np.stack([TOPICS, TOPICS + 0.25, TOPICS + 0.5])[:, :, None]


def test_superscripts_name_the_runs_that_are_significantly_worse():
    found = made(VALUES, ("a_1", "b", "c"))
    assert found.to_markdown(2) == (
        "|    | run   | PRES@100              |\n"
        "|----|-------|-----------------------|\n"
        "| a  | c     | **0.54**<sup>bc</sup> |\n"
        "| b  | b     | 0.29<sup>c</sup>      |\n"
        "| c  | a_1   | 0.04                  |\n\n"
        "Means over 8 topics. Bold: best value per measure. Superscripts name the runs that are "
        "significantly worse (Student's paired t test at α = 0.05, with Holm's correction for "
        f"3 pairs). {software(['pres-plugin', 'numpy', 'scipy'])}\n"
    )
    latex = found.to_latex(2)
    assert r" a & c    & \textbf{0.54}\textsuperscript{bc} " in latex
    assert r" c & a\_1 &" in latex
    assert r"test at $\alpha$ = 0.05" in latex


BASELINES = {
    ("run1",): [["run2", "↑"], ["run1", ""], ["run0", "↓"]],
    # A pair of two baselines is compared once, with the one named first as the baseline.
    ("run0", "run2"): [["b", "run2", "a↑"], ["", "run1", "a↑b↓"], ["a", "run0", ""]],
}


@pytest.mark.parametrize("baselines", BASELINES)
def test_arrows_mark_differences_from_baselines(baselines):
    rows = rows_of(made(VALUES, baselines=baselines))
    marks = [[*names, cell.partition("<sup>")[2][: -len("</sup>")]] for *names, cell in rows]
    assert marks == BASELINES[baselines]


def test_means_are_followed_by_their_intervals():
    scores = random_scores(n_runs=4, n_topics=12)
    found = comparison(scores, confidence=0.95, resamples=999)
    bounds = found.intervals.set_index(["run", "measure"])
    for _, run, *cells in rows_of(found, 3):
        for measure, cell in zip(scores.measures, cells, strict=True):
            row = bounds.loc[(run, measure)]
            assert cell.endswith(f" [{row.low:.3f}, {row.high:.3f}]")
            assert cell.removeprefix("**").startswith(f"{row['mean']:.3f}")


def test_many_runs_have_numbers_in_place_of_letters():
    # Runs 1 to 10 differ from runs 11 to 30, but not from each other.
    values = np.random.default_rng(0).random((30, 20, 1)) * 0.01
    values[:10] += 0.5
    rows = rows_of(made(values, alpha=1e-5))
    assert [row[0] for row in rows] == [str(i) for i in range(1, 31)]
    assert rows[0][-1].endswith(f"<sup>{','.join(map(str, range(11, 31)))}</sup>")


@pytest.mark.release
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
def test_latex_accepts_tables_and_names(tmp_path):
    runs = tuple(name for name in ODD_NAMES if name.isascii() and len(name) < 100)
    values = np.random.default_rng(0).random((len(runs), 20, 2))
    found = made(values, runs, ("PRES@100", "AP"), baselines=runs[:3], confidence=0.95)
    head = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{booktabs}\begin{document}"
    (tmp_path / "t.tex").write_text("\n".join([head, found.to_latex(), r"\end{document}"]))
    options = ["-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    ended = subprocess.run(["pdflatex", *options], cwd=tmp_path, capture_output=True)
    if b"booktabs.sty' not found" in ended.stdout:
        pytest.skip("LaTeX's package booktabs is not installed")
    assert ended.returncode == 0, ended.stdout
