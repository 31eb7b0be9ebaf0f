"""Score runs in files, piece by piece, so that they may be larger than memory.

:mod:`.scoring` contains the public function. :mod:`.run_files` finds the judgements and the runs,
:mod:`.judgements` reads the judgements, and :mod:`.ranks` ranks the runs. Each file format is read
by its module in :mod:`pres_plugin.formats`.
"""

# ruff: noqa: I001 (formats first, which reports a missing polars)
from __future__ import annotations

from pres_plugin.messages import InputError
from pres_plugin.formats import read_qrels, read_run
from pres_plugin.files.scoring import score

__all__ = ["InputError", "read_qrels", "read_run", "score"]
