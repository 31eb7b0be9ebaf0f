"""Detect a fork of a process that has used polars, whose threads exist only in the parent."""

from __future__ import annotations

import os

# What this process has done: whether it has scored with polars, and whether it was forked since.
_state = {"scored": False, "forked": False}


def check_fork() -> None:
    """Raise a RuntimeError in a fork in which polars would wait for its threads forever.

    Only scoring with this package is noticed, not other uses of polars.
    """
    if _state["forked"]:
        raise RuntimeError(
            "polars was used before this process was forked, and its threads do not survive a "
            "fork, so scoring would never end; start processes with "
            "multiprocessing.get_context('spawn') or 'forkserver', or use threads"
        )
    _state["scored"] = True


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=lambda: _state.update(forked=_state["scored"]))
