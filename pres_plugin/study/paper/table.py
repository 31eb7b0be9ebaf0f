"""A table for a paper, in LaTeX or Markdown.

This module needs neither pandas nor scipy, so that ``pres-eval score`` works without them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import metadata

from tabulate import tabulate

from pres_plugin.escaping import in_latex, in_markdown
from pres_plugin.study.directions import has_direction

# Symbols in captions and marks that LaTeX prints only in math mode.
_SYMBOLS = {"α": r"$\alpha$", "↑": r"$\uparrow$", "↓": r"$\downarrow$"}


@dataclass(frozen=True)
class Cell:
    """A value: its text, whether it is bold, the marks above it, and what follows it."""

    text: str
    bold: bool = False
    marks: str = ""
    after: str = ""


@dataclass(frozen=True)
class PaperTable:
    """A table with names on the left, values on the right, and a caption.

    Attributes
    ----------
    names, measures : sequence of str
        The headings of the columns with names, and of those with values.
    rows : sequence of (sequence of str, sequence of Cell)
        The names and values of each row.
    caption : str
        How the values were computed, and what bold type and marks mean.
    """

    names: Sequence[str]
    measures: Sequence[str]
    rows: Sequence[tuple[Sequence[str], Sequence[Cell]]]
    caption: str

    def to_latex(self) -> str:
        """Return a LaTeX table, which needs the package booktabs."""
        heads = list(map(in_latex, (*self.names, *self.measures)))
        body = [[*map(in_latex, names), *map(_latex_cell, cells)] for names, cells in self.rows]
        widths = [max(map(len, column)) for column in zip(heads, *body, strict=True)]
        head, *lines = (
            " & ".join(text.ljust(width) for text, width in zip(row, widths, strict=True))
            for row in (heads, *body)
        )
        return "".join(
            f"{line}\n"
            for line in (
                r"% Add \usepackage{booktabs} to the preamble.",
                r"\begin{table}",
                r"\centering",
                rf"\caption{{{_symbols(in_latex(self.caption))}}}",
                rf"\begin{{tabular}}{{{''.join(name[0] for name in self._alignment())}}}",
                r"\toprule",
                rf" {head} \\",
                r"\midrule",
                *(rf" {line} \\" for line in lines),
                r"\bottomrule",
                r"\end{tabular}",
                r"\end{table}",
            )
        )

    def to_markdown(self) -> str:
        """Return a table in GitHub's Markdown, with the caption below it."""
        table = tabulate(
            [[*map(in_markdown, names), *map(_markdown_cell, cells)] for names, cells in self.rows],
            headers=list(map(in_markdown, (*self.names, *self.measures))),
            tablefmt="github",
            disable_numparse=True,  # keep names and decimals as formatted
            colalign=self._alignment(),
        )
        return f"{table}\n\n{in_markdown(self.caption)}\n"

    def _alignment(self) -> list[str]:
        """Return how each column is aligned.

        Values are aligned to the right. If marks follow some of them, scores are aligned to the
        left, so that their digits line up with and without a mark: all have the same number of
        digits. Ranks and counts differ in length, so they stay on the right.
        """
        marked = any(cell.marks for _, cells in self.rows for cell in cells)
        of_measures = ["left" if marked and has_direction(m) else "right" for m in self.measures]
        return ["left"] * len(self.names) + of_measures


def with_best_bold(texts: Sequence[str], values: Sequence[float]) -> list[bool]:
    """Return which values to print in bold: the highest, and all that look the same.

    A single value is not bold. NaN is never bold.

    >>> from pres_plugin.study.paper.table import with_best_bold
    >>> with_best_bold(["0.5", "0.7", "0.7"], [0.5, 0.71, 0.72])
    [False, True, True]
    """
    numbers = [(value, text) for value, text in zip(values, texts, strict=True) if value == value]
    if len(texts) < 2 or not numbers:
        return [False] * len(texts)
    _, best = max(numbers)
    return [text == best for text in texts]


def software(packages: Iterable[str]) -> str:
    """Return the names and versions of packages, as a sentence."""
    names = {"numpy": "NumPy", "scipy": "SciPy"}
    versions = [f"{names.get(each, each)} {metadata.version(each)}" for each in packages]
    return f"Computed with {', '.join(versions[:-1])} and {versions[-1]}."


def _latex_cell(cell: Cell) -> str:
    text = in_latex(cell.text)
    if cell.bold:
        text = rf"\textbf{{{text}}}"
    if cell.marks:
        text += rf"\textsuperscript{{{_symbols(cell.marks)}}}"
    return text + cell.after


def _markdown_cell(cell: Cell) -> str:
    text = f"**{cell.text}**" if cell.bold else cell.text
    if cell.marks:
        text += f"<sup>{cell.marks}</sup>"
    return text + cell.after


def _symbols(text: str) -> str:
    for symbol, mathematics in _SYMBOLS.items():
        text = text.replace(symbol, mathematics)
    return text
