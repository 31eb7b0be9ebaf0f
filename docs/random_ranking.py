"""Draw the picture on which-measure.md, and fill in the page's table of published systems.

``python docs/random_ranking.py`` draws PRES of a random ranking into the folder
``which-measure``. With a folder of data, ``python docs/random_ranking.py FOLDER`` also
fills in the table. The folder contains ``papers/table4-clef-ip-2009.tsv`` and
``clef-tar-2017/qrels.abstract.txt.gz``.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

from markdown_tables import rows_of, table
from marked_parts import with_parts

from pres_plugin.files import read_qrels
from pres_plugin.study.output import style

DOCS = Path(__file__).parent
PAGE = DOCS / "which-measure.md"
PICTURES = DOCS / "which-measure"

#: The number of relevant documents of the picture.
N_RELEVANT = 10


def random_pres(n: int, n_docs: int, n_max: int) -> float:
    """Return the expected PRES@n_max of a random ranking of n_docs documents, n relevant ones."""
    checked = min(n_max, n_docs)
    loss = (checked - 1) * (n_docs - n) / (2 * n_max * max(n_docs - 1, 1))
    return checked / n_docs * (1 - loss)


@style.styled
def by_n_max() -> Any:
    """Draw the expected PRES by Nmax, for collections of several sizes."""
    figure = style.new_figure(height=2.7)
    axes = figure.subplots()
    for i, n_docs in enumerate((1_000, 10_000, 100_000, 1_000_000)):
        cutoffs = [k for k in _spread(10, 10_000) if k <= n_docs]
        axes.plot(
            cutoffs,
            [random_pres(N_RELEVANT, n_docs, k) for k in cutoffs],
            color=style.COLOURS[i],
            linestyle=style.DASHES[i],
            label=f"N = {n_docs:,}",
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks([10, 100, 1000, 10_000], ["10", "100", "1,000", "10,000"])
    axes.set_yticks([10**-5, 10**-4, 0.001, 0.01, 0.1, 1],
                    ["0.00001", "0.0001", "0.001", "0.01", "0.1", "1"])  # fmt: skip
    axes.set_ylim(top=1)
    axes.set_xlabel("Nmax")
    axes.set_ylabel("PRES of a random ranking")
    figure.legend(loc="outside upper center", ncols=2)
    return figure


def _spread(first: int, last: int, steps: int = 120) -> list[int]:
    """Return whole numbers that are spread evenly on a logarithmic scale."""
    ratio = last / first
    return sorted({round(first * ratio ** (i / steps)) for i in range(steps + 1)})


@dataclass(frozen=True)
class Published:
    """The mean PRES of each run of a task, and what a random ranking would score."""

    task: str
    n_max: int
    means: Sequence[float]
    #: As many as the means are printed with, or fewer, so that no median is rounded twice.
    decimals: int
    #: None if the size of the collection is not known.
    random: float | None = None

    def cells(self) -> list[str]:
        """Return the row of the table."""
        spread = (self.random, min(self.means), median(self.means), max(self.means))
        shown = ["–" if value is None else f"{value:.{self.decimals}f}" for value in spread]
        return [self.task, f"{self.n_max:,}", str(len(self.means)), *shown]


def published(folder: Path) -> list[Published]:
    """Return the published systems of the page."""
    with (folder / "papers" / "table4-clef-ip-2009.tsv").open(encoding="utf-8") as lines:
        patents = [float(row["pres"]) for row in csv.DictReader(lines, delimiter="\t")]
    reviews = read_qrels(str(folder / "clef-tar-2017" / "qrels.abstract.txt.gz"))
    found = [Published("patents", 1000, patents, 2)]
    for n_max, means in reviews_by_n_max().items():
        found.append(Published("reviews", n_max, means, 3, random_of_judged(reviews, n_max)))
    return found


def reviews_by_n_max() -> dict[int, list[float]]:
    """Return the mean PRES of each run on systematic-reviews.md, by Nmax."""
    page = (DOCS / "systematic-reviews.md").read_text(encoding="utf-8")
    runs = [row for row in rows_of(page) if "PRES@100" in row]
    heads = [head for head in runs[0] if head.startswith("PRES@")]
    return {int(head.removeprefix("PRES@")): [float(run[head]) for run in runs] for head in heads}


def random_of_judged(qrels: Mapping[str, Mapping[str, int]], n_max: int) -> float:
    """Return the expected mean PRES if the judged documents of each topic are shuffled."""
    return fmean(
        random_pres(sum(rel > 0 for rel in judged.values()), len(judged), n_max)
        for judged in qrels.values()
    )


def published_table(folder: Path) -> str:
    """Return the table of published systems."""
    heads = ["task", "Nmax", "runs", "random order", "lowest", "median", "highest"]
    return table(heads, (task.cells() for task in published(folder)), right=heads[1:])


def pictures() -> Iterator[tuple[str, Any]]:
    """Yield the name and the figure of each picture."""
    yield "random-by-n-max", by_n_max()


def main() -> None:
    """Draw the picture and, with data, fill in the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="the folder with the data")
    folder = parser.parse_args().folder
    PICTURES.mkdir(exist_ok=True)
    for name, figure in pictures():
        style.save(figure, PICTURES / f"{name}.png")
    if folder is not None:
        page = PAGE.read_text(encoding="utf-8")
        filled = with_parts(page, {"published": published_table(folder)})
        PAGE.write_text(filled, encoding="utf-8")


if __name__ == "__main__":
    main()
