"""Draw the picture of each measure's page in reference/measures.

Run it as ``python docs/measure_pictures.py``. All pictures but that of PRES_est show the
example of the pages: four relevant documents at ranks 3, 10, 22 and 40 of 100 documents.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from measure_tables import expected_wss

from pres_plugin import average_precision, last_rel, pres, pres_est, recall, rnorm, tnr, wss
from pres_plugin.study.explain import explain
from pres_plugin.study.explain.picture import areas
from pres_plugin.study.output.style import COLOURS, DASHES, new_figure, save, styled

PICTURES = Path(__file__).parent / "reference" / "measures"

#: The example: the ranks of the relevant documents, their number, and the size of the collection.
RANKS, N, N_DOCS = (3, 10, 22, 40), 4, 100
#: Nmax in the example, and the target recall.
N_MAX, RECALL = 25, 0.95

BLUE, RED = COLOURS[:2]
GREY = "#555555"
LIGHT_BLUE, LIGHT_RED = "#a9cfe6", "#f3c7a5"


def _recall_at(ranks: Any, upto: Any) -> Any:
    """Return the recall at each of the ranks in `upto`."""
    return np.searchsorted(np.asarray(ranks), upto, side="right") / N


def _axes(x_label: str, y_label: str = "recall", height: float = 2.4) -> Any:
    axes = new_figure(height).subplots()
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.set_ylim(0, 1.05)
    return axes


def _finish(axes: Any, title: str) -> Any:
    axes.set_title(title, loc="left")
    if axes.get_legend_handles_labels()[0]:
        axes.figure.legend(loc="outside upper center", ncols=3)
    return axes.figure


def _arrow(axes: Any, y: float, start: float, end: float, text: str) -> None:
    """Draw a double arrow with a text above it."""
    arrow = {"arrowstyle": "<->", "color": RED, "linewidth": 1, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", (end, y), (start, y), arrowprops=arrow)
    axes.text((start + end) / 2, y - 0.03, text, ha="center", va="top", color=RED)


@styled
def pres_picture() -> Any:
    """PRES as a ratio of areas, with one relevant document after Nmax."""
    run = {f"document {rank}": float(-rank) for rank in range(1, N_DOCS + 1)}
    qrels = {"topic": {f"document {rank}": 1 for rank in RANKS}}
    return areas(explain(qrels, {"ranks 3, 10, 22 and 40": {"topic": run}}, "topic", N_MAX))


@styled
def pres_est_picture() -> Any:
    """PRES and PRES_est of five relevant documents found, by the number of relevant documents."""
    ranks, n_max = (2, 4, 6, 8, 10), 10
    numbers = list(range(5, 41))
    axes = _axes("relevant documents n", "score")
    drawn = (("PRES_est", pres_est, RED, DASHES[1]), ("PRES", pres, BLUE, DASHES[0]))
    for label, score, colour, dash in drawn:
        values = [score(ranks, n, n_max) for n in numbers]
        axes.plot(numbers, values, color=colour, linestyle=dash, label=label)
    axes.set_xlim(0, max(numbers))
    axes.axvline(n_max, color=GREY, linewidth=0.8)
    axes.annotate("n = Nmax = 10", (n_max, 0.95), xytext=(3, 0), textcoords="offset points",
                  va="top")  # fmt: skip
    return _finish(axes, "Relevant documents found at ranks 2, 4, 6, 8 and 10")


@styled
def rnorm_picture() -> Any:
    """Rnorm as a ratio of areas over the whole collection."""
    axes = _axes("rank (documents checked)")
    upto = np.arange(N_DOCS + 1)
    best, worst = range(1, N + 1), range(N_DOCS - N + 1, N_DOCS + 1)
    curves = [_recall_at(ranks, upto) for ranks in (best, RANKS, worst)]
    between: dict[str, Any] = {"step": "post", "linewidth": 0}
    axes.fill_between(upto, curves[1], curves[0], color=LIGHT_RED, label="A1", **between)
    axes.fill_between(upto, curves[2], curves[1], color=LIGHT_BLUE, label="A2", **between)
    axes.step(upto, curves[0], color="black", ls=":", where="post", label="best case")
    axes.step(upto, curves[1], color=BLUE, where="post", label="this ranking")
    axes.step(upto, curves[2], color="black", ls="--", where="post", label="worst case")
    axes.text(8, 0.85, "A1")
    axes.text(60, 0.5, "A2")
    axes.set_xlim(0, N_DOCS)
    return _finish(axes, f"Rnorm = A2 / (A1 + A2) = {rnorm(RANKS, N, N_DOCS):.4f}")


@styled
def wss_picture() -> Any:
    """WSS as the distance between the ranking and random samples, at the target recall."""
    axes = _axes("fraction of the collection checked")
    checked = np.arange(N_DOCS + 1) / N_DOCS
    axes.plot([0, 1], [0, 1], color=GREY, ls="--", label="random samples")
    axes.step(checked, _recall_at(RANKS, np.arange(N_DOCS + 1)), color=BLUE, where="post",
              label="this ranking")  # fmt: skip
    score = wss(RANKS, N, N_DOCS, RECALL)
    end = max(RANKS) / N_DOCS
    axes.axhline(RECALL, color=GREY, linewidth=0.6, ls=":")
    _arrow(axes, RECALL, end, RECALL, f"WSS = {score:.2f}")
    axes.axvline(end, ymax=RECALL / 1.05, color=BLUE, linewidth=0.6, ls=":")
    axes.annotate("K/N = 0.40", (end, 0.02), xytext=(3, 0), textcoords="offset points")
    at_random = RECALL - float(expected_wss(N, N_DOCS, RECALL))
    axes.plot([at_random], [RECALL], "o", color="black")
    axes.annotate(f"random order:\n{at_random:.2f} expected", (at_random, RECALL),
                  xytext=(at_random, 0.4), ha="center", va="top",
                  arrowprops={"arrowstyle": "-", "linewidth": 0.6})  # fmt: skip
    axes.set_xlim(0, 1)
    return _finish(axes, f"WSS@0.95 = R − K/N = {RECALL} − {end:.2f} = {score:.2f}")


@styled
def tnr_picture() -> Any:
    """TNR as the fraction of non-relevant documents that are left at the target recall."""
    axes = _axes("fraction of the non-relevant documents checked")
    upto = np.arange(N_DOCS + 1)
    found = np.searchsorted(RANKS, upto, side="right")
    others = (upto - found) / (N_DOCS - N)
    axes.plot(others, found / N, color=BLUE, label="this ranking")
    score = tnr(RANKS, N, N_DOCS, RECALL)
    _arrow(axes, RECALL, 1 - score, 1, f"TNR = {score:.3f}")
    axes.axvline(1 - score, ymax=1 / 1.05, color=BLUE, linewidth=0.6, ls=":")
    axes.annotate("36 / 96", (1 - score, 0.02), xytext=(3, 0), textcoords="offset points")
    axes.set_xlim(0, 1)
    return _finish(axes, f"TNR@0.95 = 1 − 36/96 = {score:.3f}")


@styled
def last_rel_picture() -> Any:
    """LastRel of the example, and of a ranking that finds less."""
    axes = _axes("rank (documents checked)")
    upto = np.arange(N_DOCS + 1)
    rankings = {"finds all four": RANKS, "finds only one": RANKS[:1]}
    for (label, ranks), colour, dash in zip(rankings.items(), (BLUE, RED), DASHES, strict=False):
        axes.step(upto, _recall_at(ranks, upto), color=colour, ls=dash, where="post", label=label)
        last = last_rel(ranks, N)
        height = len(ranks) / N
        axes.plot([last], [height], "o", color=colour, clip_on=False)
        axes.annotate(f"LastRel = {last:.0f}", (last, height), xytext=(5, -10),
                      textcoords="offset points", color=colour)  # fmt: skip
    axes.set_xlim(0, N_DOCS)
    return _finish(axes, "The smaller LastRel belongs to the worse ranking")


@styled
def ap_and_recall_picture() -> Any:
    """AP as the mean height of bars, and recall at each cutoff."""
    figure = new_figure(2.4)
    left, right = figure.subplots(1, 2)
    _draw_ap(left)
    _draw_recall(right)
    return figure


def _draw_ap(axes: Any) -> None:
    for i, rank in enumerate(RANKS, start=1):
        axes.bar((i - 0.5) / N, i / rank, width=1 / N, color=LIGHT_BLUE, edgecolor=BLUE)
        axes.annotate(f"{i}/{rank}", ((i - 0.5) / N, i / rank), xytext=(0, 3),
                      textcoords="offset points", ha="center")  # fmt: skip
    score = average_precision(RANKS, N)
    axes.axhline(score, color=RED, ls="--")
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 0.5)
    axes.set_xticks([i / N for i in range(N + 1)])
    axes.set_xlabel("recall")
    axes.set_ylabel("precision")
    axes.set_title(f"AP = {score:.4f}", loc="left")


def _draw_recall(axes: Any) -> None:
    upto = np.arange(N_DOCS + 1)
    axes.step(upto, _recall_at(RANKS, upto), color=BLUE, where="post")
    score = recall(RANKS, N, N_MAX)
    axes.plot([N_MAX], [score], "o", color=RED)
    axes.vlines(N_MAX, 0, score, color=RED, linewidth=0.8, linestyle=":")
    axes.set_xlim(0, N_DOCS)
    axes.set_ylim(0, 1.05)
    axes.set_xlabel("cutoff k")
    axes.set_ylabel("recall")
    axes.set_title(f"R@{N_MAX} = {score}", loc="left")


DRAWN: dict[str, Callable[[], Any]] = {
    "pres": pres_picture,
    "pres-est": pres_est_picture,
    "rnorm": rnorm_picture,
    "wss": wss_picture,
    "tnr": tnr_picture,
    "last-rel": last_rel_picture,
    "ap-and-recall": ap_and_recall_picture,
}


if __name__ == "__main__":
    for name, draw in DRAWN.items():
        save(draw(), PICTURES / f"{name}.png")
