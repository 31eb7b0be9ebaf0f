"""Score runs that are dataframes.

The frames of one machine are collected in polars (:mod:`.in_memory`), and Spark's are scored in its
workers (:mod:`.spark`). :mod:`.columns` finds the user's columns, and :mod:`.tables` checks their
values and scores them, with the functions for files.
"""

# ruff: noqa: E402 (a missing narwhals is reported before other modules import it)
from __future__ import annotations

from pres_plugin.messages import InputError, imported, install

_narwhals = imported("narwhals", "pres_plugin.frames needs narwhals", "frames")
if tuple(int(number) for number in _narwhals.__version__.split(".")[:2]) < (2, 27):
    # Older versions fail on PyArrow's tables, and their errors do not name the cause.
    raise ImportError(
        f"pres_plugin.frames needs narwhals 2.27.1 or newer, but {_narwhals.__version__} is "
        f"installed; to upgrade, {install('frames')}"
    )

from pres_plugin.frames.families import fold_families
from pres_plugin.frames.scoring import score
from pres_plugin.measures import (
    AP,
    PRES,
    TNR,
    WSS,
    Effort,
    LastRel,
    Measure,
    MeasureError,
    PRES_est,
    R,
    Rnorm,
)

__all__ = [
    "AP",
    "PRES",
    "TNR",
    "WSS",
    "Effort",
    "InputError",
    "LastRel",
    "Measure",
    "MeasureError",
    "PRES_est",
    "R",
    "Rnorm",
    "fold_families",
    "score",
]
