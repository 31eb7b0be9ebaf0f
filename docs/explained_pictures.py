"""Draw the pictures of PRES explained, reproduction.md and the README.

``python docs/explained_pictures.py`` writes pictures into the folder ``explained``. They show the
systems in ``examples``, the systems that a code block in explained/choosing-nmax.md defines, and
the theory in the papers.

With Table 4 of the paper, ``python docs/explained_pictures.py table4-clef-ip-2009.tsv`` also writes
pictures of the 48 runs into the folder ``reproduction``. The columns of the file are ``run``,
``map``, ``recall`` and ``pres``.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pres_plugin import pres, recall, rnorm
from pres_plugin.files import read_qrels, read_run
from pres_plugin.study.compare.analysis import Comparison, compared
from pres_plugin.study.compare.picture import rank_changes, sorted_scores
from pres_plugin.study.explain import Explanation, explain
from pres_plugin.study.explain.picture import areas
from pres_plugin.study.output import style
from pres_plugin.study.scoring import Scores
from pres_plugin.study.statistics.method import Method
from pres_plugin.study.sweep import sweep
from pres_plugin.study.sweep.picture import curves

DOCS = Path(__file__).parent
EXAMPLES = DOCS / "examples"
PICTURES = DOCS / "explained"
PICTURES_OF_TABLE_4 = DOCS / "reproduction"

CUTOFFS = range(10, 501, 10)
#: The number of relevant documents in the paper's figures.
N = 10


@dataclass
class Chart:
    """A chart like those in the papers: one curve of scores per label, plotted against `x`."""

    x_label: str
    y_label: str
    x: Sequence[float]
    curves: dict[str, list[float]]
    marker: str = ""

    @style.styled
    def draw(self) -> Any:
        """Return the chart as a matplotlib figure."""
        figure = style.new_figure(height=2.7)
        axes = figure.subplots()
        for i, (label, y) in enumerate(self.curves.items()):
            axes.plot(
                self.x,
                y,
                color=style.COLOURS[i],
                linestyle=style.DASHES[i],
                marker=self.marker,
                markersize=2.5,
                label=label,
            )
        axes.set_xlabel(self.x_label)
        axes.set_ylabel(self.y_label)
        axes.set_xlim(left=0)
        axes.set_ylim(0, 1.02)
        figure.legend(loc="outside upper center", ncols=3 if len(self.curves) == 3 else 2)
        return figure


def pres_and_recall(n_max: int = 100) -> Chart:
    """Plot PRES against recall for the best, middle and worst ranking (SIGIR 2010, Fig. 4a)."""
    counts = range(N + 1)
    first_ranks = {
        "found first": [1 for _ in counts],
        "found in the middle": [(n_max - n_found) // 2 + 1 for n_found in counts],
        "found last": [n_max - n_found + 1 for n_found in counts],
    }
    curves = {
        label: [
            pres(range(first, first + n_found), N, n_max)
            for n_found, first in zip(counts, firsts, strict=True)
        ]
        for label, firsts in first_ranks.items()
    }
    recalls = [recall(range(1, n_found + 1), N) for n_found in counts]
    return Chart("recall", f"PRES@{n_max}", recalls, curves, "o")


def pres_and_reciprocal_rank(n_max: int = 100) -> Chart:
    """Plot PRES and AP for one relevant document, by its rank (SIGIR 2010, Fig. 4b)."""
    ranks = range(1, n_max + 1)
    curves = {
        f"PRES@{n_max}": [pres([rank], 1, n_max) for rank in ranks],
        "AP (reciprocal rank)": [1 / rank for rank in ranks],
    }
    return Chart("rank of the only relevant document", "score", ranks, curves)


def rnorm_and_recall(
    n_max: int = 1000, sizes: Sequence[int] = (2_000, 10_000, 100_000, 1_000_000)
) -> Chart:
    """Plot Rnorm against recall for several collection sizes (about SIGIR 2010, Fig. 2).

    The relevant documents that are found are the last ones retrieved.
    """
    rankings = [range(n_max - n_found + 1, n_max + 1) for n_found in range(N + 1)]
    curves = {f"N = {size:,}": [rnorm(ranks, N, size) for ranks in rankings] for size in sizes}
    x = [recall(ranks, N) for ranks in rankings]
    return Chart("recall", "Rnorm (relevant documents found last)", x, curves)


@style.styled
def best_case_beyond_n_max(n: int = 15, n_max: int = 10) -> Any:
    """Draw the areas of a ranking for n > Nmax (SIGIR 2010, Fig. 9)."""
    found = (1, 3, 4, 7, 8, 10)
    at = np.array([*found, *[0] * (n - len(found))])
    title = f"{n} relevant documents, Nmax = {n_max}"
    figure = areas([Explanation(title, "topic", n_max, [f"d{i}" for i in range(n)], at)])
    # The paper's figure does not show where a recall of 0.95 is reached.
    (axes,), (legend,) = figure.axes, figure.legends
    axes.lines[-1].remove()
    legend.remove()
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return figure


def theory() -> Iterator[tuple[str, Any]]:
    """Yield the name and figure of each chart of the theory."""
    yield "best-case-beyond-n-max", best_case_beyond_n_max()
    figure = rnorm_and_recall().draw()
    (axes,) = figure.axes
    axes.plot([0, 1], [0, 1], color="#777777", linewidth=0.7, linestyle=":", zorder=1)
    axes.annotate("Rnorm = recall", (0.3, 0.33), fontsize=6.5, color="#555555", ha="right")
    yield "rnorm-and-recall", figure
    yield "pres-and-recall", pres_and_recall().draw()
    yield "pres-and-reciprocal-rank", pres_and_reciprocal_rank().draw()


def made_on_the_page(picture: str) -> dict[str, Any]:
    """Return the names that the code block marked for a picture in choosing-nmax.md defines."""
    page = (DOCS / "explained" / "choosing-nmax.md").read_text(encoding="utf-8")
    marked = rf"<!-- picture: {picture} -->\n\n```python\n(.*?)```"
    names: dict[str, Any] = {}
    exec(re.findall(marked, page, flags=re.DOTALL)[0], names)
    return names


def pictures() -> Iterator[tuple[str, Any]]:
    """Yield the name and figure of each picture."""
    qrels = read_qrels(str(EXAMPLES / "qrels.txt"))
    runs = {f"system {i}": read_run(str(EXAMPLES / f"system-{i}.run")) for i in range(1, 5)}
    explained = explain(qrels, runs, "PAT-1", 100)
    yield "one-score", areas(explained[1:2])
    yield "four-systems", areas(explained)
    made = made_on_the_page("sweep")
    swept = sweep(made["qrels"], made["runs"], ["PRES", "AP", "R"], CUTOFFS)
    yield "sweep", curves(swept)
    yield from theory()


def table_4(file: Path, measures: Sequence[str]) -> Comparison:
    """Compare the runs of Table 4 by MAP, recall and PRES, in the order of `measures`.

    Only means are printed. Each is the score of a single topic here, so nothing can be tested.
    """
    columns = {"AP@1000": "map", "R@1000": "recall", "PRES@1000": "pres"}
    with file.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    means = np.array([[float(row[columns[measure]]) for measure in measures] for row in rows])
    runs = tuple(row["run"] for row in rows)
    scores = Scores(runs, ("all",), tuple(measures), means[:, np.newaxis], means)
    return compared(scores, (), Method(), None)


def pictures_of_table_4(file: Path) -> Iterator[tuple[str, Any]]:
    """Yield the name and figure of each picture of Table 4 (SIGIR 2010, Fig. 5 and 6)."""
    figure = sorted_scores(table_4(file, ["PRES@1000", "R@1000", "AP@1000"]))
    figure.axes[0].set_xlabel("score, mean of 400 topics")
    yield "sorted-by-pres", figure
    yield "positions", rank_changes(table_4(file, ["AP@1000", "PRES@1000", "R@1000"]))


def main() -> None:
    """Draw the pictures into their folders."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table_4", nargs="?", type=Path, help="Table 4 of the paper")
    file = parser.parse_args().table_4
    PICTURES.mkdir(exist_ok=True)
    for name, figure in pictures():
        style.save(figure, PICTURES / f"{name}.png")
    if file is not None:
        PICTURES_OF_TABLE_4.mkdir(exist_ok=True)
        for name, figure in pictures_of_table_4(file):
            figure.savefig(PICTURES_OF_TABLE_4 / f"{name}.png", dpi=150)  # they are long


if __name__ == "__main__":
    main()
