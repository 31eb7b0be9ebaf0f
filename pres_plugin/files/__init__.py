"""Score runs in files, piece by piece, so that they may be larger than memory.

:mod:`.scoring` contains the public function. :mod:`.run_files` finds runs, :mod:`.judgements` and
:mod:`.runs` read them with :mod:`.tables`, and :mod:`.run_scores` scores the pieces. :mod:`.small`
scores small files without polars, because importing polars takes longer than scoring them.
Each file format is read by its module in :mod:`pres_plugin.formats`.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

if sys.modules.get("polars") is None and find_spec("polars") is None:
    raise ImportError(
        "pres_plugin.files needs polars, which is not installed; "
        "to install it: pip install 'pres-plugin[cli]'"
    ) from ModuleNotFoundError("No module named 'polars'", name="polars")

from pres_plugin.files.scoring import score
from pres_plugin.formats import FileError, read_qrels, read_run

__all__ = ["FileError", "read_qrels", "read_run", "score"]
