"""A table for a paper, in LaTeX or Markdown.

This module needs neither pandas nor scipy, so that ``pres-eval score`` works without them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import metadata

from tabulate import simple_separated_format, tabulate

from pres_plugin.escaping import in_latex, in_markdown
from pres_plugin.remedy import listed
from pres_plugin.study.output.tables import numbers
from pres_plugin.study.output.words import count, in_full, labels
from pres_plugin.study.scoring import has_direction, is_count

# Symbols in captions and marks that LaTeX prints only in math mode.
_SYMBOLS = str.maketrans({"α": r"$\alpha$", "↑": r"$\uparrow$", "↓": r"$\downarrow$"})


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
        See :func:`caption`.
    """

    names: Sequence[str]
    measures: Sequence[str]
    rows: Sequence[tuple[Sequence[str], Sequence[Cell]]]
    caption: str

    def to_latex(self) -> str:
        """Return a LaTeX table, which needs the package booktabs."""
        rows = self._texts(_in_latex, r"\textbf{%s}", r"\textsuperscript{%s}")
        separated = tabulate(rows, tablefmt=simple_separated_format(" & "), disable_numparse=True)
        head, *body = (rf" {line} \\" for line in separated.splitlines())
        lines = [
            r"% Add \usepackage{booktabs} to the preamble.",
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{_in_latex(self.caption)}}}",
            rf"\begin{{tabular}}{{{''.join(side[0] for side in self._alignment())}}}",
            r"\toprule",
            head,
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
        return "\n".join(lines) + "\n"

    def to_markdown(self) -> str:
        """Return a table in GitHub's Markdown, with the caption below it."""
        table = tabulate(
            self._texts(in_markdown, "**%s**", "<sup>%s</sup>"),
            headers="firstrow",
            tablefmt="github",
            disable_numparse=True,  # keep names and decimals as formatted
            colalign=self._alignment(),
        )
        return f"{table}\n\n{in_markdown(self.caption)}\n"

    def _texts(self, escape: Callable[[str], str], bold: str, above: str) -> list[list[str]]:
        """Return the headings and rows in a format, with ``%s`` in its commands."""
        rows = [[escape(heading) for heading in (*self.names, *labels(self.measures).values())]]
        for names, cells in self.rows:
            row = [escape(name) for name in names]
            for cell in cells:
                text = bold % cell.text if cell.bold else cell.text
                marks = above % escape(cell.marks) if cell.marks else ""
                row.append(text + marks + cell.after)
            rows.append(row)
        return rows

    def _alignment(self) -> list[str]:
        """Return how each column is aligned.

        Values are aligned to the right. If marks follow some of them, scores are aligned to the
        left, so that their digits line up with and without a mark: all have the same number of
        digits. Ranks and counts differ in length, so they stay on the right.
        """
        marked = any(cell.marks for _, cells in self.rows for cell in cells)
        of_measures = ["left" if marked and has_direction(m) else "right" for m in self.measures]
        return ["left"] * len(self.names) + of_measures


def cells_of(measure: str, values: Sequence[float], decimals: int) -> list[Cell]:
    """Return values of a measure that are compared with each other, with the best ones bold.

    Values that look the same as the highest are bold, too. A single value is not bold. NaN becomes
    a dash.

    >>> from pres_plugin.study.output.paper import cells_of
    >>> [cell.bold for cell in cells_of("AP", [0.5, 0.71, 0.72], 1)]
    [False, True, True]
    """
    texts = numbers(measure, values, decimals)
    known = [(value, text) for value, text in zip(values, texts, strict=True) if value == value]
    best = max(known)[1] if len(texts) > 1 and known and has_direction(measure) else None
    return [Cell(text, text == best) for text in texts]


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
    directed = [measure for measure in measures if has_direction(measure)]
    if n_runs > 1 and directed:
        but = ""
        if others := [measure for measure in measures if measure not in directed]:
            but = f" (none for {listed(others)}: neither high nor low values are better)"
        said.append(f"Bold: best value per measure{' and topic' if by_topic else ''}{but}.")
    return " ".join([*said, *about_marks, software(packages), *in_full(measures)])


def software(packages: Iterable[str]) -> str:
    """Return the names and versions of packages, as a sentence."""
    names = {"numpy": "NumPy", "scipy": "SciPy"}
    versions = [f"{names.get(each, each)} {metadata.version(each)}" for each in packages]
    return f"Computed with {listed(versions)}."


def _in_latex(text: str) -> str:
    return in_latex(text).translate(_SYMBOLS)
