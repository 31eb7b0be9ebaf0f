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
import json
import math
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from peak_memory import peak_bytes
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
        try:
            main()
        except SystemExit as end:
            if end.code:  # a failed command must not count as a fast one
                raise

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
    peak = peak_bytes()
    times: list[float] = []
    while len(times) < MOST_CALLS and sum(times) < ENOUGH:
        times.append(seconds(call))
    return Point(times, peak / 2**20)


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

Step = tuple[Size, Size]


def print_points(points: Points) -> None:
    """Print the picture's caption, the last tenfold steps, and all points."""
    measured_sizes = next(iter(points.values()))
    steps = {
        what: (sizes[-2], sizes[-1])
        for what, sizes in (("topics", TOPICS), ("documents per topic", DOCS))
        if sizes[-1] in measured_sizes
    }
    for what, step in steps.items():
        print(caption(points, what, step))
    print(
        "\n| interface | what grows "
        "| slope of time | µs per document | slope of memory | B per document |"
    )
    print("|---|---|---:|---:|---:|---:|")
    for what, step in steps.items():
        for interface, found in points.items():
            print(f"| {' | '.join([interface, what, *last_step(step, found)])} |")
    print(
        "\n| topics | documents per topic | interface "
        "| time, s | lowest–highest, s | peak memory, MiB |"
    )
    print("|---:|---:|---|---:|---:|---:|")
    for size in measured_sizes:
        for interface, found in points.items():
            point = found[size]
            times = f"{min(point.times):.4f}–{max(point.times):.4f}"
            cells = [*(f"{n:,}" for n in size), interface, f"{seconds_of(point):.4f}", times]
            print(f"| {' | '.join(cells)} | {point.mebibytes:,.0f} |")


def caption(points: Points, what: str, step: Step) -> str:
    """State the slopes of time and of memory."""

    def slopes(value: Callable[[Point], float]) -> str:
        each = [
            f"{slope(step, found, value):.2f} for {interface.partition(',')[0]}"
            for interface, found in points.items()
        ]
        return ", ".join(each[:-1]) + " and " + each[-1]

    low, high = map(max, step)
    return (
        f"From {low:,} to {high:,} {what}, the slope of time is {slopes(seconds_of)}. "
        f"The slope of peak memory is {slopes(memory_of)}."
    )


def last_step(step: Step, found: dict[Size, Point]) -> list[str]:
    """Return the cells of the table: both slopes, and the time and memory per document."""
    before, after = (found[size] for size in step)
    n_before, n_after = map(math.prod, step)
    added = 2**20 * (after.mebibytes - before.mebibytes) / (n_after - n_before)
    return [
        f"{slope(step, found, seconds_of):.2f}",
        f"{1e6 * seconds_of(after) / n_after:.2f}",
        f"{slope(step, found, memory_of):.2f}",
        f"{added:.0f}",
    ]


def seconds_of(point: Point) -> float:
    return statistics.median(point.times)


def memory_of(point: Point) -> float:
    return point.mebibytes


def slope(step: Step, found: dict[Size, Point], value: Callable[[Point], float]) -> float:
    """Return the slope between two sizes on log axes."""
    before, after = step
    times_as_much = value(found[after]) / value(found[before])
    times_as_large = math.prod(after) / math.prod(before)
    return math.log(times_as_much) / math.log(times_as_large)


# The picture.

Lines = dict[str, list[tuple[float, float]]]

#: A label is this part of a panel's height below the one above it.
LINE_HEIGHT = 0.08


def draw(points: Points) -> Any:
    """Return the figure: time above, memory below; by topics, by documents per topic."""
    from pres_plugin.study.output import style

    columns = {
        f"topics, with {FEW} documents each": TOPICS,
        f"documents per topic, for {FEW} topics": DOCS,
    }
    rows = {"time, s": seconds_of, "peak memory, MiB": memory_of}

    @style.styled
    def drawn(*, width: float) -> Any:
        figure = style.new_figure(height=4.4, width=width)
        panels = figure.subplots(2, 2, sharex="col", sharey="row")
        for row, (y_label, value) in zip(panels, rows.items(), strict=True):
            values = [value(point) for found in points.values() for point in found.values()]
            row[0].set(ylabel=y_label, yscale="log", ylim=(min(values) / 4, max(values) * 3))
            for axes, sizes in zip(row, columns.values(), strict=True):
                lines = {
                    interface.partition(",")[0]: [
                        (float(max(size)), value(found[size])) for size in sizes if size in found
                    ]
                    for interface, found in points.items()
                }
                draw_lines(axes, lines)
        for axes, x_label in zip(panels[1], columns, strict=True):
            axes.set_xlabel(x_label)
        return figure

    return drawn(width=5.0)


def draw_lines(axes: Any, lines: Lines) -> None:
    """Draw a line per interface with its name at the end, and a grey line of slope 1."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

    from pres_plugin.study.output import style

    xs = [x for x, _ in next(iter(lines.values()))]
    low, high = xs[0], xs[-1]
    # The names are to the right of the last point.
    axes.set(xscale="log", xlim=(low / 1.5, high * (high / low) ** 0.6))
    axes.xaxis.set_major_locator(FixedLocator(xs))
    axes.xaxis.set_minor_locator(NullLocator())
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: power(value)))
        axis.set_minor_formatter(NullFormatter())

    below = min(line[-1][1] for line in lines.values()) / 3
    axes.plot([low, high], [below * low / high, below], color=style.GREY, linewidth=1, zorder=1)
    ends = [(below, "slope 1", "#666666")]
    for i, (name, line) in enumerate(lines.items()):
        axes.plot(*zip(*line, strict=True), color=style.COLOURS[i], marker=style.MARKERS[i])
        ends.append((line[-1][1], name, style.COLOURS[i]))
    bottom, top = axes.get_ylim()
    ends.sort(reverse=True)
    heights = apart([y for y, *_ in ends], (top / bottom) ** LINE_HEIGHT)
    for (_, name, colour), y in zip(ends, heights, strict=True):
        axes.annotate(
            name,
            (high, y),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            color=colour,
            fontsize=style.small(),
        )


def power(value: float) -> str:
    """Return a power of ten as text."""
    exponent = str(round(math.log10(value)))
    return "10" + exponent.translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def apart(heights: Sequence[float], factor: float) -> list[float]:
    """Return falling heights, each moved down to at most 1 / `factor` of the one above."""
    moved: list[float] = []
    for height in heights:
        moved.append(min(height, moved[-1] / factor) if moved else height)
    return moved


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
            from pres_plugin.study.output import style

            PICTURE.parent.mkdir(exist_ok=True)
            style.save(draw(points), PICTURE)


if __name__ == "__main__":
    main()
