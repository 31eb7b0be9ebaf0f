"""The harness that all benchmarks share: compare two calls or commands, and print tables.

- `compare` calls two functions in turn, and `compare_processes` runs two commands in turn,
  so that the ratio does not depend on what else the machine does.
- `seconds` times one call, and `used` measures one command.
- `in_own_process` runs one case of a script in a process that does nothing else, where
  `peak_bytes` reads the memory that the process used.
- `print_table` prints comparisons, and `table` returns any other table.

All that scripts print is Markdown. ``everything.py`` writes it into ``results`` as it is, and
``docs/benchmark_picture.py`` finds its numbers there by the beginning of a row and by the
heads "ours, s", "other, s" and "ratio".
"""

from __future__ import annotations

import gc
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple


class Comparison(NamedTuple):
    """What ours and theirs took, how the ratio varies between pairs, and what was counted."""

    ours: float
    theirs: float
    ratio: float
    #: The quartiles of the ratio: half of the pairs lie between them.
    middle_half: tuple[float, float]
    unit: str = "s"

    @classmethod
    def of(cls, pairs: Sequence[tuple[float, float]], unit: str = "s") -> Comparison:
        """Return the medians over pairs of (ours, theirs)."""
        ours, theirs = zip(*pairs, strict=True)
        ratios = [a / b for a, b in pairs]
        # Quartiles need two values. A single pair has no spread.
        some = ratios if pairs[1:] else 2 * ratios
        low, median, high = statistics.quantiles(some, n=4, method="inclusive")
        return cls(statistics.median(ours), statistics.median(theirs), median, (low, high), unit)


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
    taken = [zip(used(ours, cwd), used(theirs, cwd), strict=True) for _ in range(pairs)]
    units = ("s", "CPU s", "MiB")
    return Processes(*map(Comparison.of, zip(*taken, strict=True), units))


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


def in_own_process(script: str, case: dict[str, Any]) -> Any:
    """Run a script with ``--case JSON``, and return what its last line says in JSON."""
    words = [sys.executable, "-W", "ignore", script, "--case", json.dumps(case)]
    printed = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
    print(f"{case}: {printed}", file=sys.stderr, flush=True)
    return json.loads(printed.splitlines()[-1])


def peak_bytes(pid: int | str = "self") -> int:
    """Return the peak memory of a process, from Linux's /proc; 0 if the process has ended."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    found = re.search(r"VmHWM:\s+(\d+)", status)
    return 1024 * int(found[1]) if found else 0


def print_table(rows: Sequence[Row]) -> None:
    """Print one row per comparison, all in the unit of the first. Missed aims are in bold."""
    unit = rows[0][1].unit if rows else "s"
    heads = ["comparison", f"ours, {unit}", f"other, {unit}", "ratio", "middle half", "aim"]
    lines = []
    for what, found, aim in rows:
        missed = aim is not None and found.ratio > aim
        ratio = f"**{found.ratio:.3f}**" if missed else f"{found.ratio:.3f}"
        middle = "{:.3f}–{:.3f}".format(*found.middle_half)
        amounts = [_number(found.ours), _number(found.theirs)]
        lines.append([what, *amounts, ratio, middle, f"≤ {aim:.2f}" if aim else "–"])
    print(table(heads, lines, text=["comparison"]), flush=True)


def table(heads: list[str], rows: Iterable[list[str]], text: Collection[str]) -> str:
    """Return a Markdown table. Columns whose heads are in `text` align left, others right."""
    columns = [list(column) for column in zip(heads, *rows, strict=True)]
    for column in columns:
        is_text, width = column[0] in text, max(map(len, column))
        column[:] = [cell.ljust(width) if is_text else cell.rjust(width) for cell in column]
        column.insert(1, "-" * width if is_text else "-" * (width - 1) + ":")
    return "\n".join("| " + " | ".join(row) + " |" for row in zip(*columns, strict=True))


def _number(amount: float) -> str:
    """Return an amount with at least three digits."""
    return f"{amount:,.3f}" if amount < 20 else f"{amount:,.0f}"
