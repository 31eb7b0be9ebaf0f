"""Measure how time and memory grow with the number of topics and of documents per topic.

Run it as ``python integration_tests/benchmarks/growth.py``: it scores runs of
1,000 to a million topics with ten documents each, and of ten topics with ten to
a million documents each. It takes four minutes, 2 GB of disk and up to 4 GB of
memory, and prints a table. ``--write`` also draws docs/benchmarks/growth.svg;
``--largest 10000`` leaves out what is larger. Linux only: it reads memory
from /proc.

Each point is a process of its own. The first call is not timed, since it imports
and reads what later calls have at hand. Memory is the peak of the whole process
during that call, with Python, the libraries and the input.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sidebyside import seconds

PICTURE = Path(__file__).parents[2] / "docs" / "benchmarks" / "growth.svg"
FEW = 10
TOPICS = [(n, FEW) for n in (10**3, 10**4, 10**5, 10**6)]
DOCS = [(FEW, n) for n in (10, 10**2, 10**3, 10**4, 10**5, 10**6)]
N_JUDGED = 10

#: The largest number of timed calls, and the seconds after which no other begins.
MOST_CALLS, ENOUGH = 5, 2.0

Size = tuple[int, int]


class Point(NamedTuple):
    """The seconds of each call, and the process's peak memory, for one interface and size."""

    times: list[float]
    mebibytes: float

    @property
    def seconds(self) -> float:
        return statistics.median(self.times)


Points = dict[str, dict[Size, Point]]


# The data: half of the judged documents are retrieved, and every second one is relevant.


def write_collection(folder: Path, n_topics: int, n_docs: int) -> None:
    """Write a run and its judgements, as Parquet and in TREC's format."""
    import numpy as np
    import polars as pl

    def ids(index: Any, size: int) -> Any:
        topic, doc = np.divmod(np.arange(n_topics * size), size)
        numbers = pl.DataFrame(
            {"topic": topic, "doc": (1009 * topic + 7919 * (doc + index)) % 10**7}
        )
        return numbers.select(query_id=pl.format("q{}", "topic"), doc_id=pl.format("EP{}", "doc"))

    scores = np.random.default_rng(0).random(n_topics * n_docs, dtype=np.float32)
    run = ids(0, n_docs).with_columns(score=scores)
    relevance = np.arange(n_topics * N_JUDGED) % 2
    qrels = ids(n_docs - N_JUDGED // 2, N_JUDGED).with_columns(relevance=relevance)
    run.write_parquet(folder / "run.parquet")
    qrels.write_parquet(folder / "qrels.parquet")
    as_text = {"separator": " ", "include_header": False, "quote_style": "never"}
    run.select(
        "query_id", Q0=pl.lit("Q0"), doc_id="doc_id", rank=1, score="score", tag=pl.lit("tag")
    ).write_csv(folder / "run", **as_text)
    qrels.select("query_id", iteration=0, doc_id="doc_id", relevance="relevance").write_csv(
        folder / "qrels", **as_text
    )


# The interfaces: each returns a call that scores the collection in a folder by a measure.


def with_frames(folder: Path, measure: str) -> Callable[[], object]:
    import polars as pl

    from pres_plugin.frames import score

    run, qrels = (pl.read_parquet(folder / f"{name}.parquet") for name in ("run", "qrels"))
    return lambda: score(run, qrels, measure)


def with_pres_eval(folder: Path, measure: str) -> Callable[[], object]:
    from pres_plugin.cli import main

    def call() -> None:
        sys.argv = ["pres-eval", "score", str(folder / "qrels"), str(folder / "run"), "-m", measure]
        with contextlib.suppress(SystemExit):
            main()

    return call


def with_ir_measures(folder: Path, measure: str) -> Callable[[], object]:
    import pres_plugin  # noqa: F401 (adds PRES to ir_measures)

    import ir_measures  # isort: skip

    run: dict[str, dict[str, float]] = {}
    qrels: dict[str, dict[str, int]] = {}
    with (folder / "run").open() as lines:
        for topic, _, doc, _, score, _ in map(str.split, lines):
            run.setdefault(topic, {})[doc] = float(score)
    with (folder / "qrels").open() as lines:
        for topic, _, doc, relevance in map(str.split, lines):
            qrels.setdefault(topic, {})[doc] = int(relevance)
    parsed = ir_measures.parse_measure(measure)
    return lambda: parsed.calc_aggregate(qrels, run)


INTERFACES = {
    "frames.score, polars": with_frames,
    "pres-eval score, TREC's format": with_pres_eval,
    "ir-measures, dict of dicts": with_ir_measures,
}


def measured(interface: str, folder: Path, measure: str) -> Point:
    """Score the collection in this process, which does nothing else."""
    call = INTERFACES[interface](folder, measure)
    call()
    peak = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text(encoding="utf-8"))
    if peak is None:
        raise RuntimeError("/proc/self/status does not contain VmHWM")
    times: list[float] = []
    while len(times) < MOST_CALLS and sum(times) < ENOUGH:
        times.append(seconds(call))
    return Point(times, int(peak[1]) / 1024)


def in_process_of_its_own(*words: object) -> str:
    """Return the last line that this script prints if called with these words."""
    command = [sys.executable, __file__, *map(str, words)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.rpartition("\n")[2]


def measure_all(largest: int) -> Points:
    points: Points = {interface: {} for interface in INTERFACES}
    for size in [size for size in (*TOPICS, *DOCS) if max(size) <= largest]:
        with tempfile.TemporaryDirectory() as folder:
            in_process_of_its_own("--collection", folder, *size)
            for interface, found in points.items():
                measure = f"PRES@{min(size[1], 1000)}"
                printed = in_process_of_its_own("--measure", interface, folder, measure)
                found[size] = Point(*json.loads(printed))
    return points


# What is printed.


def print_points(points: Points) -> None:
    """Print the slopes in words, and a row for each size and interface."""
    for interface, found in points.items():
        steps = [step for step in (TOPICS[-2:], DOCS[-2:]) if all(size in found for size in step)]
        for smaller, larger in steps:
            print(last_step(interface, smaller, larger, found))
    print("\n| topics | documents per topic | with | s | lowest–highest, s | peak memory, MiB |")
    print("|---:|---:|---|---:|---:|---:|")
    for size in dict.fromkeys(size for found in points.values() for size in found):
        for interface, found in points.items():
            point = found[size]
            times = f"{min(point.times):.4f}–{max(point.times):.4f}"
            cells = [*(f"{n:,}" for n in size), interface, f"{point.seconds:.4f}", times]
            print(f"| {' | '.join(cells)} | {point.mebibytes:,.0f} |")


def last_step(interface: str, smaller: Size, larger: Size, found: dict[Size, Point]) -> str:
    """Describe how much more time and memory a tenfold run takes."""
    before, after = found[smaller], found[larger]
    rows = [math.prod(size) for size in (smaller, larger)]
    added = 2**20 * (after.mebibytes - before.mebibytes) / (rows[1] - rows[0])
    what = "topics" if smaller[1] == larger[1] else "documents per topic"
    counts = [max(size) for size in (smaller, larger)]
    return (
        f"{interface}, from {counts[0]:,} to {counts[1]:,} {what}: time has slope "
        f"{slope(rows, [before.seconds, after.seconds]):.2f}, and is "
        f"{1e6 * after.seconds / rows[1]:.2f} µs per document in the end; memory has slope "
        f"{slope(rows, [before.mebibytes, after.mebibytes]):.2f}, and grows by "
        f"{added:.0f} bytes per document"
    )


def slope(x: Sequence[float], y: Sequence[float]) -> float:
    """Return the slope of a line through two points on log axes."""
    return math.log(y[1] / y[0]) / math.log(x[1] / x[0])


# The picture.


def draw(points: Points) -> Any:
    """Return the figure: time above, memory below; by topics, by documents per topic."""
    from pres_plugin.study.pictures import style

    @style.styled
    def drawn(*, width: float) -> Any:
        figure = style.new_figure(height=4.4, width=width)
        panels = figure.subplots(2, 2, sharex="col", sharey="row")
        columns = (
            (TOPICS, f"topics, with {FEW} documents each"),
            (DOCS, f"documents per topic, for {FEW} topics"),
        )
        rows = ("time, s", "peak memory of the process, MiB")
        for row, y_label in enumerate(rows):
            for column, (sizes, x_label) in enumerate(columns):
                lines = {
                    interface: [
                        (max(size), (found[size].seconds, found[size].mebibytes)[row])
                        for size in sizes
                        if size in found
                    ]
                    for interface, found in points.items()
                }
                panel(panels[row][column], {k: line for k, line in lines.items() if line})
                if column == 0:
                    panels[row][column].set_ylabel(y_label)
                if row == 1:
                    panels[row][column].set_xlabel(x_label)
        return figure

    return drawn(width=6.0)


def panel(axes: Any, lines: dict[str, list[tuple[float, float]]]) -> None:
    """Draw a line per interface with its name at the end, and a grey line of slope 1."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    from pres_plugin.study.pictures import style

    axes.set(xscale="log", yscale="log")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: power(value)))
        axis.set_minor_formatter(NullFormatter())
    xs = [x for line in lines.values() for x, _ in line]
    low, high = min(xs), max(xs)
    lowest = min(line[-1][1] for line in lines.values())
    # A decade below the lowest line at the right.
    axes.plot(
        [low, high], [lowest / 5 * low / high, lowest / 5], color=style.GREY, zorder=1, linewidth=1
    )
    ends = []
    for (interface, line), colour, marker in zip(
        lines.items(), style.COLOURS, style.MARKERS, strict=False
    ):
        axes.plot(*zip(*line, strict=True), color=colour, marker=marker)
        ends.append((line[-1][1], interface.partition(",")[0], colour))
    axes.set_xlim(low / 1.5, high * (high / low) ** 0.45)
    for (y, name, colour), at in zip(sorted(ends), apart(sorted(ends)), strict=True):
        axes.annotate(
            name,
            (high, y),
            xytext=(high * 1.4, at),
            color=colour,
            va="center",
            fontsize=style.small(),
        )
    axes.annotate("slope 1", (high * 1.4, lowest / 5), color="#666666", va="center",
                  fontsize=style.small())  # fmt: skip


def power(value: float) -> str:
    """Return a power of ten as text.

    Other values have no label.
    """
    exponent = round(math.log10(value))
    digits = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10{digits}"


def apart(ends: Sequence[tuple[float, str, str]]) -> list[float]:
    """Return heights of labels, of which each is at least 1.7 times as high as the one below."""
    heights: list[float] = []
    for y, *_ in ends:
        heights.append(max(y, 1.7 * heights[-1]) if heights else y)
    return heights


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--largest", type=int, default=10**6, help="topics or documents per topic")
    parser.add_argument("--write", action="store_true", help=f"draw {PICTURE.name} too")
    parser.add_argument("--collection", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.collection:
        folder, *size = options.collection
        write_collection(Path(folder), *map(int, size))
    elif options.measure:
        interface, folder, measure = options.measure
        print(json.dumps(measured(interface, Path(folder), measure)), end="")
    else:
        points = measure_all(options.largest)
        print_points(points)
        if options.write:
            from pres_plugin.study.pictures import style

            PICTURE.parent.mkdir(exist_ok=True)
            with PICTURE.open("wb") as file:
                style.save(draw(points), file, "svg")


if __name__ == "__main__":
    main()
