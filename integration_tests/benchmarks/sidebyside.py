"""The harness that all benchmarks share: compare two calls or commands, and print tables.

- `compare` calls two functions in turn, and `compare_processes` runs two commands in turn,
  so that the ratio does not depend on what else the machine does.
- `seconds` times one call, `used` measures one command, and `in_a_process` runs one case
  of a script.
- `print_table` prints comparisons, and `table` returns any other table.

All that scripts print is Markdown. ``everything.py`` writes it into ``results`` as it is, and
``docs/benchmark_picture.py`` finds its numbers there by the beginning of a row and by the
heads "ours, s", "other, s" and "ratio".
"""

from __future__ import annotations

import gc
import json
import os
import statistics
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

#: The folder of commands, and ours.
SCRIPTS = Path(sysconfig.get_path("scripts"))
PRES_EVAL = str(SCRIPTS / "pres-eval")


class Comparison(NamedTuple):
    """What ours and theirs took, and how the ratio varies between pairs."""

    ours: float
    theirs: float
    ratio: float
    #: The quartiles of the ratio: half of the pairs lie between them.
    middle_half: tuple[float, float]

    @classmethod
    def of(cls, pairs: Iterable[tuple[float, float]]) -> Comparison:
        """Return the medians over pairs of (ours, theirs)."""
        ours, theirs = zip(*pairs, strict=True)
        ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
        # Quartiles need two values. A single pair has no spread.
        low, median, high = statistics.quantiles(2 * ratios, n=4, method="inclusive")
        return cls(statistics.median(ours), statistics.median(theirs), median, (low, high))


class Used(NamedTuple):
    """What a process took: elapsed time, CPU time and peak memory."""

    elapsed: float
    processor: float
    mebibytes: float


#: The text of a row, its comparison, and the highest ratio aimed at, if there is an aim.
Row = tuple[str, Comparison, float | None]


def compare(ours: Callable[[], object], theirs: Callable[[], object], pairs: int = 7) -> Comparison:
    """Call both alternately, after a call of each to warm up."""
    ours(), theirs()
    return Comparison.of((seconds(ours), seconds(theirs)) for _ in range(pairs))


def seconds(call: Callable[[], object]) -> float:
    """Return the elapsed time of a call, without collecting the garbage of earlier calls."""
    gc.collect()
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def compare_processes(
    ours: Sequence[str], theirs: Sequence[str], pairs: int = 7, cwd: str | None = None
) -> list[Comparison]:
    """Run two commands alternately, and compare what they used, after a run of each to warm up."""
    used(ours, cwd), used(theirs, cwd)
    taken = [zip(used(ours, cwd), used(theirs, cwd), strict=True) for _ in range(pairs)]
    return [Comparison.of(pairs_of_one) for pairs_of_one in zip(*taken, strict=True)]


def used(words: Sequence[str], cwd: str | None = None) -> Used:
    """Run a command to its end, with its output thrown away.

    Linux counts the memory of the process that starts another as part of the other's peak.
    So a script that compares memory must not import numpy itself.
    """
    # Installed packages are compiled, so a process must find compiled code, or write it once.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    process = subprocess.Popen(words, cwd=cwd, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, words)
    return Used(elapsed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def in_a_process(*words: object, **environment: str) -> Any:
    """Run Python with these words, and return what the last line that it prints contains.

    The words are a script or ``-c`` and code, and arguments; `environment` adds variables.
    """
    command = [sys.executable, "-W", "ignore", *map(str, words)]
    printed = subprocess.check_output(command, text=True, env={**os.environ, **environment})
    return json.loads(printed.splitlines()[-1])


def print_table(rows: Iterable[Row], unit: str = "s") -> None:
    """Print one row per comparison. Missed aims are in bold."""
    heads = ["comparison", f"ours, {unit}", f"other, {unit}", "ratio", "middle half", "aim"]
    lines = []
    for what, (ours, theirs, ratio, middle), aim in rows:
        bold = "**" if aim and ratio > aim else ""
        cells = [f"{each:,.3f}" if each < 20 else f"{each:,.0f}" for each in (ours, theirs)]
        cells += [f"{bold}{ratio:.3f}{bold}", "{:.3f}–{:.3f}".format(*middle)]
        lines.append([what, *cells, f"≤ {aim:.2f}" if aim else "–"])
    print(table(heads, lines, text=["comparison"]), flush=True)


def table(heads: list[str], rows: Iterable[list[str]], text: Collection[str]) -> str:
    """Return a Markdown table. Columns whose heads are in `text` align left, others right."""
    dashes = ["---" if head in text else "---:" for head in heads]
    return "\n".join("| " + " | ".join(row) + " |" for row in (heads, dashes, *rows))
