"""What runs are called in results."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import PurePath

__all__ = ["own_names"]


def own_names(named: Sequence[tuple[str, str]]) -> list[str]:
    """Return a name for each run, with folders where the file's name is not enough.

    Parameters
    ----------
    named : sequence of (str, str)
        The name of each run, and the path of its file.

    Returns
    -------
    list of str
        The name, or, where files of different paths have the same name, the shortest
        ending of their paths that differs. Names of the same path stay equal.

    Examples
    --------
    >>> from pres_plugin.files.names import own_names
    >>> own_names([("run.txt", "run.txt"), ("run.txt", "old/a/run.txt"), ("x", "x.gz")])
    ['run.txt', 'a/run.txt', 'x']
    """
    # One file may be spelled in several ways: x, ./x and /home/me/x. The first counts.
    spellings: dict[str, PurePath] = {}
    alike: dict[str, set[PurePath]] = {}
    for name, path in named:
        spelling = spellings.setdefault(os.path.abspath(path), PurePath(os.path.normpath(path)))
        alike.setdefault(name, set()).add(spelling)
    return [
        _ending(spellings[os.path.abspath(path)], alike[name]) if len(alike[name]) > 1 else name
        for name, path in named
    ]


def _ending(path: PurePath, paths: set[PurePath]) -> str:
    length = 1
    while len({other.parts[-length:] for other in paths}) < len(paths):
        length += 1
    return PurePath(*path.parts[-length:]).as_posix()
