"""Detect a fork of a process that has used polars, whose threads exist only in the parent."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

# Only Linux has this folder, and only Linux forks unless it is told to.
_THREADS = Path("/proc/self/task")


def check_fork() -> None:
    """Raise a RuntimeError in a fork in which polars would wait for its threads forever."""
    if not _has_threads(os.getpid()):
        raise RuntimeError(
            "polars was used before this process was forked, and its threads do not survive a "
            "fork, so scoring would never end; start processes with "
            "multiprocessing.get_context('spawn') or 'forkserver', or use threads"
        )


@cache
def _has_threads(pid: int) -> bool:
    """Return whether this process has polars' threads, which are started if nobody did before."""
    import polars as pl

    if not _THREADS.exists():
        return True
    before = len(list(_THREADS.iterdir()))
    pl.thread_pool_size()
    threads = list(_THREADS.iterdir())
    # New threads get their names only after they have started.
    return len(threads) > before or any(map(_is_of_polars, threads))


def _is_of_polars(thread: Path) -> bool:
    name = os.environ.get("POLARS_THREAD_NAME", "polars")
    with suppress(OSError):  # a thread may have ended
        return (thread / "comm").read_text().startswith(name[:15])
    return False
