"""Timing two calls in turn, so that a ratio holds while the machine's speed drifts."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple


class Comparison(NamedTuple):
    """Seconds of each, and how many times as long the first took, pair by pair."""

    ours: float
    theirs: float
    ratio: float


def compare(ours: Callable[[], object], theirs: Callable[[], object], pairs: int = 7) -> Comparison:
    """Medians over `pairs` pairs of calls, after one of each to warm up."""
    ours(), theirs()
    times = [(seconds(ours), seconds(theirs)) for _ in range(pairs)]
    return Comparison(
        statistics.median(a for a, _ in times),
        statistics.median(b for _, b in times),
        statistics.median(a / b for a, b in times),
    )


def seconds(call: Callable[[], object]) -> float:
    """How long a call takes, with what earlier ones left behind cleared away."""
    gc.collect()
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def print_table(rows: list[tuple[str, Comparison, float]]) -> None:
    """One row a comparison, with the ratio aimed at."""
    print(f"| {'what':<62} | {'ours, s':>8} | {'other, s':>8} | {'ratio':>6} | {'aim':>6} |")
    print(f"|{'-' * 64}|{'-' * 9}:|{'-' * 9}:|{'-' * 7}:|{'-' * 7}:|")
    for what, c, aim in rows:
        print(f"| {what:<62} | {c.ours:8.3f} | {c.theirs:8.3f} | {c.ratio:6.3f} | ≤ {aim:4.2f} |")
