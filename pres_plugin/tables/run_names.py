"""Name runs after their files, so that all names differ."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from pres_plugin.escaping import text_of
from pres_plugin.tables.base import without_endings


def own_names(named: Sequence[tuple[str, str]]) -> dict[Any, str]:
    """Map the names and paths of runs to names of their own, with folders where names coincide.

    `named` contains the name of each run and the path of its file. If files at different
    paths have the same name, each run is called by the shortest end of its path that differs:
    ``a/bm25`` and ``b/bm25``. If only the endings of the file names differ, they are kept:
    ``bm25.run`` and ``bm25.csv``. Runs with the same path keep the same name.
    """
    # One path may be written in several ways: x, ./x and /home/me/x. Use the first.
    spellings: dict[str, PurePath] = {}
    alike: dict[str, set[PurePath]] = {}
    for name, path in named:
        spelling = spellings.setdefault(_absolute(path), PurePath(os.path.normpath(path)))
        alike.setdefault(name, set()).add(spelling)
    return {
        (name, path): _ending(spellings[_absolute(path)], alike[name])
        if len(alike[name]) > 1
        else name
        for name, path in named
    }


def _absolute(path: str) -> str:
    # Standard input has no folder, and the current one may have been deleted.
    return path if path == "-" else os.path.abspath(path)


def _ending(path: PurePath, paths: set[PurePath]) -> str:
    bare = {each: each.with_name(without_endings(each.name)) for each in paths}
    if len(set(bare.values())) < len(paths):
        bare = {each: each for each in paths}
    length = 1
    while len({other.parts[-length:] for other in bare.values()}) < len(paths):
        length += 1
    return text_of(PurePath(*bare[path].parts[-length:]).as_posix())
