"""A table for a paper, in LaTeX or Markdown.

This module needs neither pandas nor scipy, so that ``pres-eval score`` works without them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from functools import partial
from importlib import metadata
from itertools import repeat
from math import inf
from typing import NamedTuple

from tabulate import simple_separated_format, tabulate

from pres_plugin.escaping import in_latex, in_markdown
from pres_plugin.messages import listed
from pres_plugin.output.tables import NONE
from pres_plugin.output.words import count, in_full, labels
from pres_plugin.scoring import has_direction, is_count

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


class Row(NamedTuple):
    """A row: its names, its values as text, and the marks above each value.

    A value may be followed by its interval. It is compared with those of the same `group`.
    """

    names: Sequence[str]
    texts: Sequence[str]
    marks: Sequence[str] = ()
    group: Hashable = None


def paper(
    fmt: str, headings: Sequence[str], measures: Sequence[str], rows: Sequence[Row], caption: str
) -> str:
    """Return a table for a paper, with the best value by each measure in bold.

    Values that look the same as the highest are bold, too. A single value is not bold.

    Parameters
    ----------
    fmt : {'latex', 'markdown'}
        LaTeX, which needs the package booktabs, or GitHub's Markdown, with the caption below.
    headings : sequence of str
        The headings of the names.
    measures : sequence of str
        The measures of the values.
    rows : sequence of Row
        The rows.
    caption : str
        See :func:`caption`.

    Examples
    --------
    >>> from pres_plugin.output.paper import Row, paper
    >>> rows = [Row(["bm25"], ["0.5"]), Row(["dense"], ["0.7"]), Row(["both"], ["0.7"])]
    >>> print(paper("markdown", ["run"], ["AP"], rows, "Means."))
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
    values = defaultdict(list)
    for row in rows:
        for measure, text in zip(measures, row.texts, strict=True):
            values[row.group, measure].append(_number(text))
    # A single value is not compared, and neither are those of which none is better.
    best = {
        key: max(of_group)
        for key, of_group in values.items()
        if len(of_group) > 1 and has_direction(key[1])
    }
    texts = [[escape(each) for each in (*headings, *labels(measures).values())]]
    for row in rows:
        cells = [escape(name) for name in row.names]
        marked = zip(measures, row.texts, row.marks or repeat(""), strict=False)
        for measure, text, marks in marked:
            number, *interval = text.partition(" ")
            if text != NONE and _number(text) == best.get((row.group, measure)):
                number = bold % number
            if marks:
                number += above % escape(marks)
            cells.append(number + "".join(interval))
        texts.append(cells)
    # Values are aligned to the right. If marks follow some of them, scores are aligned to the left,
    # so that their digits line up with and without a mark: all have the same number of digits.
    # Ranks and counts differ in length, so they stay on the right.
    any_marks = any(mark for row in rows for mark in row.marks)
    sides = ["left"] * len(headings)
    sides += ["left" if any_marks and has_direction(m) else "right" for m in measures]
    show = partial(tabulate, texts, disable_numparse=True)  # keep names and decimals as formatted
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
    """Return a value as a number, which is low if it is missing."""
    return -inf if text == NONE else float(text.partition(" ")[0])


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
    others = [measure for measure in measures if not has_direction(measure)]
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
