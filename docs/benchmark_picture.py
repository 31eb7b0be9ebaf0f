"""Draw the picture and fill in the table of benchmarks.md.

Run it as ``python docs/benchmark_picture.py``. It reads the tables in the folder
``integration_tests/benchmarks/results``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from markdown_tables import rows_of, table
from marked_parts import with_parts

from pres_plugin.study.output import style

DOCS = Path(__file__).parent
PAGE = DOCS / "benchmarks.md"
PICTURES = DOCS / "benchmarks"
RESULTS = DOCS.parent / "integration_tests" / "benchmarks" / "results"

FILES = "pres-eval / "
TREC_EVAL = "PRES@1000 / trec_eval -m map, 1,000 topics × "
IR_MEASURES = "PRES@1000 / ir_measures AP, 1,000 topics × "
IN_PYTHON = "ir-measures: PRES / AP, "
#: What the picture and the page call a comparison, its file, and the beginning of its row there.
COMPARED = [
    (f"{FILES}trec_eval, 10⁶ lines", "files_speed", f"{TREC_EVAL}1,000 lines"),
    (f"{FILES}trec_eval, 7·10⁶ lines", "files_speed", f"{TREC_EVAL}7,000 lines"),
    (f"{FILES}ir_measures, 10⁶ lines", "files_speed", f"{IR_MEASURES}1,000 lines"),
    (f"{FILES}ir_measures, 7·10⁶ lines", "files_speed", f"{IR_MEASURES}7,000 lines"),
    (f"{IN_PYTHON}dicts", "ir_measures_speed", "PRES@1000 / AP, dict of dicts, scores in random"),
    (f"{IN_PYTHON}DataFrames", "ir_measures_speed", "PRES@1000 / AP, DataFrames, scores in random"),
    (f"{IN_PYTHON}generators", "ir_measures_speed", "PRES@1000 / AP, generators, scores in random"),
    ("PyTerrier: PRES / AP", "pyterrier_speed", "pt.Experiment: PRES@1000 / AP"),
    ("ranx: PRES / MAP", "ranx_speed", "evaluate(), 1000 topics"),
    ("pandas: frames.score / ir-measures", "frames_speed", "score by PRES@1000, pandas / AP by"),
    ("polars: frames.score / ir-measures", "frames_speed", "score by PRES@1000, polars / AP by"),
    ("Spark: frames.score / applyInPandas", "spark_speed", "applyInPandas, dicts"),
]  # fmt: skip
#: The rows of the page's table.
SHOWN = [0, 4, 7, 8, 9]


def found(name: str, begin: str) -> dict[str, str]:
    """Return the first row about elapsed time whose comparison, or way, begins like this."""
    rows = rows_of((RESULTS / f"{name}.md").read_text(encoding="utf-8"))
    return next(row for row in rows if row.get("comparison", row.get("way", "")).startswith(begin))


def ratio(name: str, begin: str) -> float:
    """Return our elapsed time as a part of that of the other tool."""
    row = found(name, begin)
    return float((row.get("ratio") or row["elapsed ratio"]).strip("*"))


def compared() -> str:
    """Return the table of the page."""
    heads = ["ours / other", "ours, s", "other, s", "ratio"]
    rows = []
    for label, name, begin in (COMPARED[i] for i in SHOWN):
        row = found(name, begin)
        rows.append([label, row["ours, s"], row["other, s"], f"{ratio(name, begin):.2f}"])
    return table(heads, rows, right=heads[1:])


@style.styled
def ratios() -> Any:
    """Plot each ratio as a dot, on a logarithmic axis."""
    figure = style.new_figure(height=2.5)
    axes = figure.subplots()
    places = range(len(COMPARED))
    values = [ratio(name, begin) for _, name, begin in COMPARED]
    axes.hlines(places, values, 1, color=style.COLOURS[5])
    axes.plot(values, places, "o", color=style.COLOURS[0])
    for place, value in zip(places, values, strict=True):
        axes.annotate(
            f"{value:.2f} ", (value, place), ha="right", va="center", xytext=(-3, 0),
            textcoords="offset points",
        )  # fmt: skip
    axes.axvline(1, color="#000000", linewidth=0.8)
    axes.set_yticks(places, [label for label, _, _ in COMPARED])
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlim(0.025, 1.2)
    axes.set_xticks([0.05, 0.1, 0.2, 0.5, 1], ["0.05", "0.1", "0.2", "0.5", "1"])
    axes.minorticks_off()
    axes.set_xlabel("elapsed time, ours / other")
    return figure


def pictures() -> Iterator[tuple[str, Any]]:
    """Yield the name and the figure of the picture."""
    yield "ratios", ratios()


def main() -> None:
    """Draw the picture, and fill in the table."""
    PICTURES.mkdir(exist_ok=True)
    for name, figure in pictures():
        style.save(figure, PICTURES / f"{name}.png")
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_parts(page, {"compared": compared()}), encoding="utf-8")


if __name__ == "__main__":
    main()
