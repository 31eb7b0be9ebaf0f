"""Name runs after their files, so that all names differ."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from pathlib import PurePath

from pres_plugin.escaping import text_of


def own_names(named: Sequence[tuple[str, str]]) -> list[str]:
    """Return a name for each run, with folders added where file names coincide.

    `named` contains the name of each run and the path of its file. If files at different
    paths have the same name, each run is called by its path from the folder that contains all of
    them: ``run.txt`` and ``a/run.txt``. Runs with the same path keep the same name.
    """
    alike: dict[str, set[str]] = defaultdict(set)
    for name, path in named:
        alike[name].add(os.path.abspath(path))
    return [
        name
        if len(alike[name]) == 1
        else text_of(PurePath(os.path.relpath(path, os.path.commonpath(alike[name]))).as_posix())
        for name, path in named
    ]
