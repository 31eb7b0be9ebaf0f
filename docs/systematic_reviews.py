"""Write the tables and pictures of systematic-reviews.md.

Run it as ``python docs/systematic_reviews.py FOLDER``, with the folder that
``docs/clef_tar.py`` writes. The tables replace those between the markers of the page.
The pictures go into the folder ``systematic-reviews`` beside the page. The text around them is
written by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from make_vectors import ranking
from marked_parts import with_parts
from tabulate import tabulate

from pres_plugin.files import read_qrels, read_run
from pres_plugin.study.compare import Comparison, compare
from pres_plugin.study.output import style
from pres_plugin.study.robustness import Robustness, robustness
from pres_plugin.study.robustness.picture import lowest_tau
from pres_plugin.study.sweep import sweep
from pres_plugin.study.sweep.picture import curves

DOCS = Path(__file__).parent
PAGE = DOCS / "systematic-reviews.md"
PICTURES = DOCS / "systematic-reviews"

CUTOFFS = (100, 1000)
NAMES = ("PRES", "AP", "R")
FRACTIONS = (0.2, 0.4, 0.6, 0.8)
MANY_SAMPLES = 100
#: Of runs with the same first results on at least so many of the 30 topics, one is kept.
FIRST, SAME_ON = 100, 29

#: Kendall's τ between two measures, over the 48 runs of SIGIR 2010, Table 4.
PAPER_CORRELATIONS = {("AP", "R"): 0.56, ("PRES", "R"): 0.88, ("PRES", "AP"): 0.67}

#: CLEF 2010, Table 1: Kendall's τ of PRES, AP and R between the orders of 48 runs by a sample of
#: the relevant documents and by all of them. For each cutoff and fraction: the printed averages.
PAPER_TAUS = {
    (100, 0.2): (0.92, 0.60, 0.90),
    (100, 0.4): (0.93, 0.79, 0.92),
    (100, 0.6): (0.97, 0.66, 0.95),
    (100, 0.8): (0.98, 0.83, 0.97),
    (1000, 0.2): (0.91, 0.65, 0.92),
    (1000, 0.4): (0.94, 0.82, 0.95),
    (1000, 0.6): (0.97, 0.85, 0.98),
    (1000, 0.8): (0.98, 0.91, 0.98),
}

Runs = dict[str, dict[str, dict[str, float]]]


class Study:
    """The results that the page shows, computed from a folder of judgements and runs."""

    def __init__(self, folder: Path) -> None:
        self.qrels = read_qrels(str(folder / "qrels.abstract.txt.gz"))
        paths = sorted((folder / "runs").iterdir())
        # One run contains repeated documents.
        every: Runs = {p.name.removesuffix(".gz"): read_run(str(p), "first") for p in paths}
        self.same_topics = self._same_topics(every)
        self.left_out = {second for (_, second), n in self.same_topics.items() if n >= SAME_ON}
        self.runs = {name: run for name, run in every.items() if name not in self.left_out}
        self.compared = {k: self._compare(k) for k in CUTOFFS}
        self.swept = sweep(
            self.qrels, self.runs, NAMES, sorted({round(10 ** (1 + i / 15)) for i in range(31)})
        )
        self.sampled = {k: self._sample(k, samples=3) for k in CUTOFFS}
        self.sampled_often = {k: self._sample(k, samples=MANY_SAMPLES) for k in CUTOFFS}

    def _same_topics(self, runs: Runs) -> dict[tuple[str, str], int]:
        """Return the number of topics on which two runs have the same first results."""
        first = {
            name: [ranking(run.get(topic, {}).items(), "none")[:FIRST] for topic in self.qrels]
            for name, run in runs.items()
        }
        return {
            (a, b): sum(x == y for x, y in zip(first[a], first[b], strict=True))
            for a, b in combinations(runs, 2)
        }

    def _compare(self, cutoff: int) -> Comparison:
        measures = [f"{name}@{cutoff}" for name in NAMES]
        return compare(self.qrels, self.runs, measures, test="t", correction="holm")

    def _sample(self, cutoff: int, samples: int) -> Robustness:
        measures = [f"{name}@{cutoff}" for name in NAMES]
        return robustness(self.qrels, self.runs, measures, samples=samples)

    def tables(self) -> dict[str, str]:
        """Return the tables of the page by name, as Markdown."""
        means = pd.concat([self.compared[k].scores.table() for k in CUTOFFS], axis=1)
        return {
            "scores": _markdown(means.reset_index(), 3),
            "correlations": _markdown(self._correlations(), 2),
            "agreement": _markdown(self._agreement()),
            "changes": _markdown(self._changes()),
            "stability": _markdown(self._stability(), 2),
        }

    def _correlations(self) -> pd.DataFrame:
        rows = []
        for (a, b), in_paper in PAPER_CORRELATIONS.items():
            row: list[Any] = [f"{a} and {b}", in_paper]
            for cutoff in CUTOFFS:
                table = self.compared[cutoff].correlations
                pair = {f"{a}@{cutoff}", f"{b}@{cutoff}"}
                of_pair = table[table["first"].isin(pair) & table["second"].isin(pair)]
                row.append(of_pair["kendall_tau"].iloc[0])
            rows.append(row)
        heads = ["measures", "τ, from its Table 4", *(f"τ, Nmax = {_number(k)}" for k in CUTOFFS)]
        return pd.DataFrame(rows, columns=heads)

    def _agreement(self) -> pd.DataFrame:
        """Return the number of pairs of runs about which two measures agree."""
        at = {k: self.compared[k].agreement for k in CUTOFFS}
        names = pd.DataFrame(combinations(NAMES, 2))
        found: dict[str, Any] = {"measures": names[0] + " and " + names[1]}
        for k, pairs in at.items():
            same = pairs["same run better"] + pairs["not significant by either"]
            found[f"same result, Nmax = {_number(k)}"] = same
        found["opposite results"] = sum(pairs["opposite runs better"] for pairs in at.values())
        return pd.DataFrame(found)

    def _changes(self) -> pd.DataFrame:
        rows = []
        for name in NAMES:
            overtaken = [0, 0, 0]
            for one, other in combinations(self.swept.by_run(name).to_numpy(), 2):
                ahead = np.sign(np.round(one - other, 12))
                # Runs that tie and then separate in the same order have not overtaken each other.
                at = np.flatnonzero(ahead)
                for after in at[1:][np.diff(ahead[at]) != 0]:
                    overtaken[np.searchsorted([100, 300], self.swept.cutoffs[after])] += 1
            rows.append((name, *overtaken))
        heads = ["measure", "Nmax 10 to 100", "100 to 300", "300 to 1,000"]
        return pd.DataFrame(rows, columns=heads)

    def _stability(self) -> pd.DataFrame:
        """Return the mean τ of the samples, in the paper and here."""
        rows = []
        for cutoff in CUTOFFS:
            taus = self.sampled_often[cutoff].taus
            means = taus.groupby(["fraction", "measure"])["kendall_tau"].mean()
            for fraction in FRACTIONS:
                row: list[Any] = [_number(cutoff), _percent(fraction)]
                for name, tau in zip(NAMES, PAPER_TAUS[cutoff, fraction], strict=True):
                    row += [tau, float(means[fraction, f"{name}@{cutoff}"])]
                rows.append(row)
        heads = [f"{name}, {where}" for name in NAMES for where in ("paper", "here")]
        return pd.DataFrame(rows, columns=["Nmax", "kept", *heads])

    def pictures(self) -> Iterator[tuple[str, Any]]:
        """Yield the pictures of the page with their names."""
        yield "sweep", curves(self.swept)
        for cutoff, sampled in self.sampled.items():
            yield f"robustness-{cutoff}", lowest_tau(sampled)


def _number(value: int) -> str:
    return f"{value:,}"


def _percent(fraction: float) -> str:
    return f"{fraction:.0%}".replace("%", " %")


def _markdown(table: pd.DataFrame, decimals: int = 0) -> str:
    def cell(value: Any) -> str:
        return f"{value:.{decimals}f}" if isinstance(value, float) else str(value)

    rows = [[cell(value) for value in row] for row in table.itertuples(index=False)]
    text = [pd.api.types.is_string_dtype(table[column]) for column in table.columns]
    return tabulate(
        rows,
        headers=list(table.columns),
        tablefmt="pipe",
        disable_numparse=True,
        colalign=["left" if is_text else "right" for is_text in text],
    )


def main() -> None:
    """Write tables and pictures."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: python {sys.argv[0]} FOLDER")
    study = Study(Path(sys.argv[1]))
    PICTURES.mkdir(exist_ok=True)
    for name, figure in study.pictures():
        style.save(figure, PICTURES / f"{name}.png")
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_parts(page, study.tables()), encoding="utf-8")


if __name__ == "__main__":
    main()
