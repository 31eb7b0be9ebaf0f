"""A table for a paper, in LaTeX or Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from importlib import metadata
from math import nan
from types import MappingProxyType

import numpy as np
from tabulate import simple_separated_format, tabulate

from pres_plugin.escaping import in_latex, in_markdown
from pres_plugin.messages import listed
from pres_plugin.output.tables import NONE, Table
from pres_plugin.output.words import DECIMALS, count, in_full
from pres_plugin.scoring import direction, is_count

# Symbols in captions and marks that LaTeX prints only in math mode.
_SYMBOLS = str.maketrans({"α": r"$\alpha$", "↑": r"$\uparrow$", "↓": r"$\downarrow$"})

_LATEX = r"""% Add \usepackage{{booktabs}} to the preamble.
\begin{{table}}
\centering
\caption{{{caption}}}
\begin{{tabular}}{{{sides}}}
\toprule
 {head} \\
\midrule
{body}
\bottomrule
\end{{tabular}}
\end{{table}}
"""


def _in_latex(text: str) -> str:
    return in_latex(text).translate(_SYMBOLS)


# How a format writes names, bold numbers and marks.
_MARKUP = {
    "latex": (_in_latex, r"\textbf{%s}", r"\textsuperscript{%s}"),
    "markdown": (in_markdown, "**%s**", "<sup>%s</sup>"),
}


def paper(
    fmt: str,
    table: Table,
    measures: Sequence[str],
    caption: str,
    decimals: int = DECIMALS,
    marks: Mapping[tuple[str, str], str] = MappingProxyType({}),
) -> str:
    """Return a table for a paper, with the best value by each measure in bold.

    Values that look the same as the best are bold, too. A single value is not bold.

    Parameters
    ----------
    fmt : {'latex', 'markdown'}
        LaTeX, which needs the package booktabs, or GitHub's Markdown, with the caption below.
    table : Table
        The names in each row, with the `run` among them, followed by one column per measure. The
        rows of a run follow each other, and those of all runs have the same order. The first rows
        of all runs are compared, and so on.
    measures : sequence of str
        The measures.
    caption : str
        See :func:`caption`.
    decimals : int, default 4
        The number of decimals; -1 for full precision.
    marks : mapping of (str, str) to str, optional
        The mark above the value of a run by a measure.

    Examples
    --------
    >>> from pres_plugin.output.paper import paper
    >>> from pres_plugin.output.tables import Table
    >>> table = Table({"run": ["bm25", "dense", "both"], "AP": [0.5, 0.7, 0.7]})
    >>> print(paper("markdown", table, ["AP"], "Means.", decimals=1))
    | run   |      AP |
    |-------|---------|
    | bm25  |     0.5 |
    | dense | **0.7** |
    | both  | **0.7** |
    <BLANKLINE>
    Means.
    <BLANKLINE>
    """
    escape, bold, above = _MARKUP[fmt]
    names = table.without(*measures).frame
    n_runs = names["run"].n_unique()
    columns = [[escape(str(name)) for name in column] for column in names]
    sides = ["left"] * len(columns)
    for measure, texts in zip(measures, table.texts(decimals)[-len(measures) :], strict=True):
        # One run has no better value than others, and a measure without a direction has none.
        sign = direction(measure)
        directed = n_runs > 1 and sign != 0
        numbers = np.array(list(map(_number, texts))).reshape(n_runs, -1) * sign
        is_best = (numbers == np.fmax.reduce(numbers)).ravel()
        cells = []
        for run, text, best in zip(names["run"], texts, is_best, strict=True):
            number, *interval = text.partition(" ")
            if directed and best:
                number = bold % number
            if mark := marks.get((run, measure)):
                number += above % escape(mark)
            cells.append(number + "".join(interval))
        columns.append(cells)
        # Values are aligned to the right. If marks follow some of them, scores are aligned to the
        # left, so that their digits line up with and without a mark: all have the same number of
        # digits. Ranks and counts differ in length, so they stay on the right.
        sides.append("left" if marks and sign > 0 else "right")
    rows = [tuple(map(escape, table.headings)), *zip(*columns, strict=True)]
    show = partial(tabulate, rows, disable_numparse=True)  # keep names and decimals as formatted
    caption = escape(caption)
    if fmt == "markdown":
        return f"{show(headers='firstrow', tablefmt='github', colalign=sides)}\n\n{caption}\n"
    head, *body = show(tablefmt=simple_separated_format(" & ")).splitlines()
    return _LATEX.format(
        caption=caption,
        sides="".join(side[0] for side in sides),
        head=head,
        body="\n".join(rf" {line} \\" for line in body),
    )


def _number(text: str) -> float:
    """Return a value as a number; NaN if it is missing."""
    return nan if text == NONE else float(text.partition(" ")[0])


def caption(
    measures: Sequence[str],
    n_topics: int,
    n_runs: int,
    packages: Iterable[str],
    *about_marks: str,
    by_topic: bool = False,
) -> str:
    """Return how the values were computed, and what bold type means if any value is bold.

    The values of `n_runs` are compared, and `packages` computed them.
    """
    sums = list(filter(is_count, measures))
    are_sums = f"; {listed(sums)}: sums" if sums else ""
    said = [f"Means over {count(n_topics, 'topic')}{are_sums}."]
    others = [measure for measure in measures if not direction(measure)]
    if n_runs > 1 and len(others) < len(measures):
        per = "measure and topic" if by_topic else "measure"
        if others:
            per += f" (none for {listed(others)}: neither high nor low values are better)"
        said.append(f"Bold: best value per {per}.")
    return " ".join([*said, *about_marks, software(packages), *in_full(measures)])


def software(packages: Iterable[str]) -> str:
    """Return the names and versions of packages, as a sentence."""
    names = {"numpy": "NumPy", "scipy": "SciPy"}
    versions = [f"{names.get(each, each)} {metadata.version(each)}" for each in packages]
    return f"Computed with {listed(versions)}."
