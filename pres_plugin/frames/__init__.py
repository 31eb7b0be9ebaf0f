"""Scores where the data are: dataframes of many libraries, by way of narwhals.

The same expressions run on pandas, polars, PyArrow, DuckDB, Spark and Ibis on
DuckDB. :mod:`.columns` takes the user's frames in, :mod:`.ranking` gives each
document its rank, :mod:`.sums` is what a topic's score depends on, and
:mod:`.values` puts the formulas of :mod:`pres_plugin.kernel` on them. What one
library needs beyond narwhals is in :mod:`.engines`.
"""

from __future__ import annotations

try:
    import narwhals
except ModuleNotFoundError as _error:
    if _error.name != "narwhals":
        raise
    raise ImportError(
        "pres_plugin.frames needs narwhals, which is not installed; "
        "to install it: pip install 'pres-plugin[frames]'"
    ) from _error
if tuple(int(number) for number in narwhals.__version__.split(".")[:2]) < (2, 27):
    # Older ones fail at PyArrow's tables, and far from where they are given.
    raise ImportError(
        f"pres_plugin.frames needs narwhals 2.27.1 or newer, and {narwhals.__version__} is "
        "installed; to install another: pip install 'pres-plugin[frames]'"
    )

from pres_plugin.frames.errors import FrameError
from pres_plugin.frames.scoring import score
from pres_plugin.measures import *  # noqa: F403 (the measures by name, Measure and MeasureError)
from pres_plugin.measures import __all__ as _of_measures

__all__ = ["FrameError", "score"]
__all__ += _of_measures
