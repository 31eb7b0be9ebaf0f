"""Read runs in files, and score them piece by piece, so that they may be larger than memory."""

from __future__ import annotations

import pres_plugin.tables  # noqa: F401
from pres_plugin.files.reading import read_qrels, read_run
from pres_plugin.files.scoring import score
from pres_plugin.messages import InputError
from pres_plugin.ranking.tables import Duplicates

__all__ = ["Duplicates", "InputError", "read_qrels", "read_run", "score"]
