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
    >>> own_names([("run.txt", "a/run.txt"), ("run.txt", "b/run.txt"), ("x", "x.gz")])
    ['a/run.txt', 'b/run.txt', 'x']
    """
    # A path is the same in any spelling: x, ./x and y/../x.
    paths = [PurePath(os.path.abspath(path)) for _, path in named]
    alike: dict[str, set[PurePath]] = {}
    for (name, _), path in zip(named, paths, strict=True):
        alike.setdefault(name, set()).add(path)
    return [
        _ending(path, alike[name]) if len(alike[name]) > 1 else name
        for (name, _), path in zip(named, paths, strict=True)
    ]


def _ending(path: PurePath, paths: set[PurePath]) -> str:
    length = 1
    while len({other.parts[-length:] for other in paths}) < len(paths):
        length += 1
    return PurePath(*path.parts[-length:]).as_posix()
