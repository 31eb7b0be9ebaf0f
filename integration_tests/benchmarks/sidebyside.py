"""Compare two calls or commands, alternately, so that the ratio does not depend on the hour."""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple


class Comparison(NamedTuple):
    """What ours and theirs took, how the ratio varies between pairs, and what was counted."""

    ours: float
    theirs: float
    ratio: float
    #: The quartiles of the ratio: half of the pairs lie between them.
    middle_half: tuple[float, float] | None = None
    unit: str = "s"

    @classmethod
    def of(cls, pairs: Sequence[tuple[float, float]], unit: str = "s") -> Comparison:
        """Return the medians over pairs of (ours, theirs)."""
        ours, theirs = zip(*pairs, strict=True)
        ratios = [a / b for a, b in pairs]
        # A single pair has no spread. Two points or more can be divided into quarters.
        quartiles = statistics.quantiles(ratios, n=4, method="inclusive") if pairs[1:] else None
        return cls(
            statistics.median(ours),
            statistics.median(theirs),
            statistics.median(ratios),
            (quartiles[0], quartiles[2]) if quartiles else None,
            unit,
        )


class Processes(NamedTuple):
    """Two commands compared by elapsed time, by CPU time and by peak memory."""

    elapsed: Comparison
    processor: Comparison
    memory: Comparison


class Used(NamedTuple):
    """What a process took."""

    elapsed: float
    processor: float
    mebibytes: float


#: The text of a row, its comparison, and the highest ratio aimed at, if there is an aim.
Row = tuple[str, Comparison, float | None]


def compare(ours: Callable[[], object], theirs: Callable[[], object], pairs: int = 7) -> Comparison:
    """Call both alternately, after a call of each to warm up."""
    ours(), theirs()
    return Comparison.of([(seconds(ours), seconds(theirs)) for _ in range(pairs)])


def seconds(call: Callable[[], object]) -> float:
    """Return the elapsed time of a call, without collecting the garbage of earlier calls."""
    gc.collect()
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def compare_processes(
    ours: Sequence[str], theirs: Sequence[str], pairs: int = 7, cwd: str | None = None
) -> Processes:
    """Run two commands alternately, after a run of each to read the files from disk."""
    used(ours, cwd), used(theirs, cwd)
    taken = [(used(ours, cwd), used(theirs, cwd)) for _ in range(pairs)]

    def by(field: int, unit: str) -> Comparison:
        return Comparison.of([(a[field], b[field]) for a, b in taken], unit)

    return Processes(by(0, "s"), by(1, "CPU s"), by(2, "MiB"))


def used(words: Sequence[str], cwd: str | None = None) -> Used:
    """Run a command to its end, with its output thrown away.

    Linux counts the memory of the process that starts another as part of the other's peak.
    So a script that compares memory must not import numpy itself.
    """
    # Installed packages are compiled, so a process must find compiled code, or write it once.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    with subprocess.Popen(
        words, cwd=cwd, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        elapsed = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        printed = process.stderr.read() if process.stderr else b""
    if process.returncode:
        raise RuntimeError(f"{words} ended with {process.returncode}: {printed.decode()}")
    return Used(elapsed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def print_table(rows: Sequence[Row]) -> None:
    """Print one row per comparison, all in the unit of the first. Missed aims are in bold."""
    unit = rows[0][1].unit if rows else "s"
    heads = [f"ours, {unit}", f"other, {unit}", "ratio", "middle half", "aim"]
    widths = [max(len(head), least) for head, least in zip(heads, (8, 8, 6, 13, 6), strict=True)]
    cells = " | ".join(f"{head:>{width}}" for head, width in zip(heads, widths, strict=True))
    print(f"| {'comparison':<62} | {cells} |")
    print(f"|{'-' * 64}|" + "".join(f"{'-' * (width + 1)}:|" for width in widths))
    for what, c, aim in rows:
        shown = [
            _number(c.ours),
            _number(c.theirs),
            f"{c.ratio:.3f}" if aim is None or c.ratio <= aim else f"**{c.ratio:.3f}**",
            "–" if c.middle_half is None else "{:.3f}–{:.3f}".format(*c.middle_half),
            "–" if aim is None else f"≤ {aim:4.2f}",
        ]
        cells = " | ".join(f"{cell:>{width}}" for cell, width in zip(shown, widths, strict=True))
        print(f"| {what:<62} | {cells} |")


def table(heads: list[str], rows: Iterable[list[str]], text: Collection[str]) -> str:
    """Return a Markdown table. Columns whose heads are in `text` align left, others right."""
    aligned = ["---" if head in text else "---:" for head in heads]
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, aligned, *rows])


def _number(amount: float) -> str:
    """Return an amount with at least three digits."""
    return (
        f"{amount:.3f}" if amount < 20 else f"{amount:,.1f}" if amount < 100 else f"{amount:,.0f}"
    )
