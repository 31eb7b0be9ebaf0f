"""Detect a fork of a process that has scored with polars, whose threads exist only there."""

from __future__ import annotations

import os

# The process that has scored. A fork inherits this set, and has another number.
_scored: set[int] = set()


def check_fork() -> None:
    """Raise a RuntimeError in a fork in which polars would wait for its threads forever.

    Only scoring with this package is noticed, not other uses of polars.
    """
    _scored.add(os.getpid())
    if len(_scored) > 1:
        raise RuntimeError(
            "polars was used before this process was forked, and its threads do not survive a "
            "fork, so scoring would never end; start processes with "
            "multiprocessing.get_context('spawn') or 'forkserver', or use threads"
        )
