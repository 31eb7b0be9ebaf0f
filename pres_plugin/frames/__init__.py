"""Score runs that are dataframes.

The measures are written once, as narwhals expressions, for polars, DuckDB, Spark and Ibis
on DuckDB. Frames of pandas and PyArrow are scored by polars: :mod:`.takeover` converts them
to polars, and converts the result back. :mod:`.columns` finds the user's columns,
:mod:`.inputs` checks their values, :mod:`.ranking` finds the ranks of judged documents, and
:mod:`.topics` computes the scores from these. :mod:`.engines` contains what differs between
libraries.
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
