"""Compute in several processes, which end as soon as this process does."""

from __future__ import annotations

import math
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from pres_plugin.study.inputs import StudyError

# Once polars is imported, Ctrl-C interrupts a wait only if the wait has a timeout: other system
# calls are restarted.
_NEVER = threading.TIMEOUT_MAX / 2


def in_processes(
    function: Callable[[Any], Any], items: Sequence[Any], processes: int
) -> Iterator[Any]:
    """Yield the result for each item, in order; raise a StudyError if a process is killed.

    If the caller is interrupted or stops early, the processes end at once. With one process, the
    caller's own process computes the results.
    """
    if processes == 1:
        yield from map(function, items)
        return
    if os.name == "nt":  # Windows cannot wait for more processes at once
        processes = min(processes, 61)
    # Spawn the processes, because numpy's threads do not survive a fork.
    context = get_context("spawn")
    stop, stopper = context.Pipe(duplex=False)
    with (
        stop,
        stopper,
        ProcessPoolExecutor(processes, context, initializer=_end_with, initargs=(stop,)) as pool,
    ):
        try:
            with _no_interrupts():
                chunk = math.ceil(len(items) / processes)
                results = pool.map(function, items, chunksize=chunk, timeout=_NEVER)
            yield from results
        except BrokenProcessPool as error:
            raise StudyError(
                "a process ended unexpectedly: for lack of memory, or because the main part of "
                "your script is not under if __name__ == '__main__'; use processes=1"
            ) from error
        except BaseException:  # Ctrl-C, too: without this, leaving the pool waits for all samples
            stopper.close()
            raise


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Let processes that start here ignore Ctrl-C, because this process ends them."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with(stop: Connection) -> None:
    """End this process when its parent closes the other end of `stop`, or ends."""

    def end() -> None:
        wait([stop])
        os._exit(1)

    threading.Thread(target=end, daemon=True).start()
