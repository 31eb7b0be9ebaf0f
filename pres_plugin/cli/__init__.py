"""The command ``pres-eval``; its subcommands are in ``commands``, one module each."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run ``pres-eval`` with the arguments of the process, and exit."""
    # Polars' allocator keeps freed memory in several arenas and in each thread. With one arena,
    # the pieces in which files are read use the same memory, one after the other: 160 MB
    # instead of 185 MB for a run of 4 million lines on 2 cores, in the same time.
    os.environ.setdefault("_RJEM_MALLOC_CONF", "narenas:1,tcache:false")
    if sys.argv[1:2] == ["score"]:
        # Importing numpy starts a thread per core for linear algebra, which only studies need.
        # Without these threads, the import takes a third less time on 2 cores.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from pres_plugin.cli.process import guarded

    guarded(_run)


def _run() -> int:
    # Imported here, so that a missing Click is reported in one line.
    from pres_plugin.cli.app import run

    return run()
