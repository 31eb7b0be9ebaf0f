"""Call a function for many arguments in parallel, with results in the same order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_Argument = TypeVar("_Argument")
_Result = TypeVar("_Result")


def in_order(
    call: Callable[[_Argument], _Result], arguments: Sequence[_Argument]
) -> Iterator[_Result]:
    """Yield what `call` returns for each argument, computed in one thread per core.

    Threads are enough, because polars and numpy let other threads run while they compute.
    """
    n_threads = min(_n_cores(), len(arguments))
    if n_threads < 2:
        yield from map(call, arguments)
        return
    executor = ThreadPoolExecutor(n_threads)
    try:
        yield from executor.map(call, arguments)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _n_cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows
        return os.cpu_count() or 1
