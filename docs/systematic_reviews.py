"""Makes the tables and pictures of systematic-reviews.md again.

Run it as ``python docs/systematic_reviews.py FOLDER``, with the folder
that holds ``clef-tar-2017`` and ``papers``. Tables go into the page between
their markers, pictures into the folder ``systematic-reviews`` beside it; the
words around them are written by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from marked_parts import with_parts
from tabulate import tabulate

from pres_plugin.formats import read_qrels, read_run
from pres_plugin.study.compare import Comparison, compare
from pres_plugin.study.explain import explain
from pres_plugin.study.pictures import compare as compare_pictures
from pres_plugin.study.pictures import explain as explain_pictures
from pres_plugin.study.pictures import robustness as robustness_pictures
from pres_plugin.study.pictures import style
from pres_plugin.study.pictures import sweep as sweep_pictures
from pres_plugin.study.robustness import Robustness, robustness
from pres_plugin.study.sweep import sweep

DOCS = Path(__file__).parent
PAGE = DOCS / "systematic-reviews.md"
PICTURES = DOCS / "systematic-reviews"

DEPTHS = (100, 1000)
NAMES = ("PRES", "AP", "R")
MANY = 100
TOPIC, EXPLAINED = "CD008081", ("waterloo.B-rank-normal", "uos.sis.AL30Q_BM25")

Runs = dict[str, dict[str, dict[str, float]]]


class Study:
    """All that the page shows, computed from the data."""

    def __init__(self, data: Path) -> None:
        folder = data / "clef-tar-2017"
        self.papers = data / "papers"
        self.qrels = read_qrels(str(folder / "qrels.abstract.txt.gz"))
        paths = sorted((folder / "runs").iterdir())
        # One run holds documents twice.
        self.runs: Runs = {p.name.removesuffix(".gz"): read_run(str(p), "first") for p in paths}
        self.compared = {k: self._compare(k) for k in DEPTHS}
        cutoffs = sorted({round(10 ** (1 + i / 15)) for i in range(31)})
        self.swept = sweep(self.qrels, self.runs, NAMES, cutoffs)
        self.sampled = {k: self._sample(k, samples=3) for k in DEPTHS}
        self.sampled_often = {k: self._sample(k, samples=MANY) for k in DEPTHS}

    def _compare(self, depth: int) -> Comparison:
        return compare(self.qrels, self.runs, [f"{name}@{depth}" for name in NAMES])

    def _sample(self, depth: int, samples: int) -> Robustness:
        measures = [f"{name}@{depth}" for name in NAMES]
        return robustness(self.qrels, self.runs, measures, samples=samples)

    def tables(self) -> dict[str, str]:
        """The tables of the page by name, as Markdown."""
        means = pd.concat([self.compared[k].scores.table() for k in DEPTHS], axis=1)
        return {
            "scores": _markdown(means.reset_index(), 3),
            "correlations": _markdown(self._correlations(), 2),
            "between": _markdown(self._between(), 2),
            "verdicts": _markdown(self._verdicts()),
            "agreement": _markdown(self._agreement()),
            "changes": _markdown(self._changes()),
            "robustness": _markdown(self._robustness(), 2),
            "lowest": _markdown(self._lowest(), 2),
            "often": _markdown(self._often(), 2),
        }

    def _correlations(self) -> pd.DataFrame:
        papers = pd.read_csv(self.papers / "table4-clef-ip-2009.tsv", sep="\t")
        columns = {"PRES": "pres", "AP": "map", "R": "recall"}
        rows = []
        for a, b in (("AP", "R"), ("PRES", "R"), ("PRES", "AP")):
            row: list[Any] = [f"{a}–{b}"]
            row.append(papers[columns[a]].corr(papers[columns[b]], method="kendall"))
            for depth in DEPTHS:
                table = self.compared[depth].correlations
                pair = {f"{a}@{depth}", f"{b}@{depth}"}
                of_pair = table[table["first"].isin(pair) & table["second"].isin(pair)]
                row += of_pair[["kendall_tau", "tau_ap"]].iloc[0].tolist()
            rows.append(row)
        heads = ["measures", "papers, τ", "τ at 100", "τ_AP at 100", "τ at 1000", "τ_AP at 1000"]
        return pd.DataFrame(rows, columns=heads)

    def _between(self) -> pd.DataFrame:
        rows = []
        for depth in DEPTHS:
            scores = self.compared[depth].scores
            for what, values in (
                ("means of runs", scores.means),
                ("runs and topics", scores.values.reshape(-1, 3)),
            ):
                pres, ap, recall = values.T
                inside = (ap <= pres + 1e-9) & (pres <= recall + 1e-9)
                apart = recall - ap > 1e-9
                share = ((pres - ap)[apart] / (recall - ap)[apart]).mean()
                rows.append((depth, what, len(values), int(inside.sum()), share))
        heads = ["Nmax", "scores", "number", "AP ≤ PRES ≤ R", "mean (PRES - AP) / (R - AP)"]
        return pd.DataFrame(rows, columns=heads)

    def _verdicts(self) -> pd.DataFrame:
        both = pd.concat([self.compared[k].verdicts for k in DEPTHS])
        return both.reset_index()

    def _agreement(self) -> pd.DataFrame:
        return pd.concat([self.compared[k].agreement for k in DEPTHS])

    def _changes(self) -> pd.DataFrame:
        changes = self.swept.changes()
        rows = []
        for name in NAMES:
            at = changes["n_max"][changes["measure"] == name]
            parts = [(at < 100), (at >= 100) & (at < 300), (at >= 300)]
            rows.append((name, *(int(part.sum()) for part in parts)))
        return pd.DataFrame(rows, columns=["measure", "10 to 100", "100 to 300", "300 to 1,000"])

    def _robustness(self) -> pd.DataFrame:
        """Our samples beside the papers', depth by depth."""
        papers = self._papers()
        rows = []
        for fraction in (0.2, 0.4, 0.6, 0.8):
            for number in (1, 2, 3):
                row: list[Any] = [f"{fraction:g}", number]
                for depth in DEPTHS:
                    row += papers.loc[(fraction, number, depth), ["pres", "map", "recall"]].tolist()
                    row += self._taus(self.sampled[depth], fraction, number)
                rows.append(row)
        heads = ["part", "sample"]
        for depth in DEPTHS:
            heads += [f"papers {name}@{depth}" for name in NAMES]
            heads += [f"here {name}@{depth}" for name in NAMES]
        averages = np.array([row[2:] for row in rows], dtype=float).mean(axis=0).tolist()
        return pd.DataFrame([*rows, ["all", "mean", *averages]], columns=heads)

    def _lowest(self) -> pd.DataFrame:
        papers = self._papers()
        rows = []
        for fraction in (0.2, 0.4, 0.6, 0.8):
            row: list[Any] = [f"{fraction:g}"]
            for depth in DEPTHS:
                of_papers = papers.loc[(fraction, slice(None), depth), ["pres", "map", "recall"]]
                row += of_papers.min().tolist()
                row += self.sampled[depth].lowest().loc[fraction].tolist()
            rows.append(row)
        heads = ["part"]
        for depth in DEPTHS:
            heads += [f"papers {name}@{depth}" for name in NAMES]
            heads += [f"here {name}@{depth}" for name in NAMES]
        return pd.DataFrame(rows, columns=heads)

    def _often(self) -> pd.DataFrame:
        rows = []
        for fraction in (0.2, 0.4, 0.6, 0.8):
            row: list[Any] = [f"{fraction:g}"]
            for depth in DEPTHS:
                taus = self.sampled_often[depth].taus
                of_fraction = taus[taus["fraction"] == fraction].groupby("measure")["kendall_tau"]
                for name in NAMES:
                    values = of_fraction.get_group(f"{name}@{depth}")
                    row.append(f"{values.mean():.2f} ({values.min():.2f}–{values.max():.2f})")
            rows.append(row)
        heads = ["part", *(f"{name}@{depth}" for depth in DEPTHS for name in NAMES)]
        return pd.DataFrame(rows, columns=heads)

    def _papers(self) -> pd.DataFrame:
        table = pd.read_csv(self.papers / "incomplete-judgements-table1.tsv", sep="\t")
        return table.set_index(["fraction", "sample", "cutoff"]).sort_index()

    def _taus(self, found: Robustness, fraction: float, number: int) -> list[float]:
        taus = found.taus.set_index(["fraction", "sample", "measure"])["kendall_tau"]
        return [float(taus[fraction, number, measure]) for measure in found.measures]

    def pictures(self) -> Iterator[tuple[str, Any]]:
        """The pictures of the page by name."""
        explained = {run: self.runs[run] for run in EXPLAINED}
        yield "explain", explain_pictures.areas(explain(self.qrels, explained, TOPIC, 1000))
        for depth, compared in self.compared.items():
            yield f"scores-{depth}", compare_pictures.sorted_scores(compared.scores)
            yield f"places-{depth}", compare_pictures.rank_changes(compared.scores)
            yield f"agreement-{depth}", compare_pictures.agreement(compared)
            yield f"robustness-{depth}", robustness_pictures.lowest_tau(self.sampled[depth])
        yield "sweep", sweep_pictures.curves(self.swept)


def _markdown(table: pd.DataFrame, places: int = 0) -> str:
    def cell(value: Any) -> str:
        return f"{value:.{places}f}" if isinstance(value, float) else str(value)

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
    """Make tables and pictures."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: python {sys.argv[0]} DATA")
    study = Study(Path(sys.argv[1]))
    PICTURES.mkdir(exist_ok=True)
    for name, figure in study.pictures():
        with (PICTURES / f"{name}.png").open("wb") as file:
            style.save(figure, file, "png")
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_parts(page, "table", study.tables()), encoding="utf-8")


if __name__ == "__main__":
    main()
