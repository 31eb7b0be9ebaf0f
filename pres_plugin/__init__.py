"""PRES, PRES_est, Rnorm, WSS, TNR and LastRel for ir-measures, PyTerrier and ranx.

Importing this package adds the measures to these frameworks. A framework may
be imported before or afterwards. The functions in this package score one topic
from its ranking, or from the ranks of its relevant documents, without a framework.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pres_plugin.adapters.activation import activate, catch_up, deactivate, status
from pres_plugin.adapters.base import AdapterStatus, UnsupportedFrameworkError
from pres_plugin.kernel import effort as _effort
from pres_plugin.kernel import topic as _topic
from pres_plugin.kernel.effort import *  # noqa: F403 (the functions that score one topic's effort)
from pres_plugin.kernel.topic import *  # noqa: F403 (the functions that score one topic)
from pres_plugin.measures.declared import OURS as _OURS
from pres_plugin.ranking.lists import score

if TYPE_CHECKING:
    from pres_plugin.adapters.ir_measures.native.measures import (
        PRES,
        TNR,
        WSS,
        LastRel,
        PRES_est,
        Rnorm,
    )
    from pres_plugin.adapters.pyterrier.families import FoldFamilies

__version__ = "0.2.0.dev0"

__all__ = [
    "PRES",
    "TNR",
    "WSS",
    "AdapterStatus",
    "FoldFamilies",
    "LastRel",
    "PRES_est",
    "Rnorm",
    "UnsupportedFrameworkError",
    "__version__",
    "activate",
    "deactivate",
    "score",
    "status",
]
__all__ += _topic.__all__
__all__ += _effort.__all__

_MEASURES_MODULE = "pres_plugin.adapters.ir_measures.native.measures"
_TRANSFORMER = "FoldFamilies"
_MEASURE_OBJECTS = frozenset(measure.name for measure in _OURS)


def __getattr__(name: str) -> Any:
    """Return a measure of ir-measures or a transformer of PyTerrier, imported only if needed."""
    if name == _TRANSFORMER:
        return getattr(import_module("pres_plugin.adapters.pyterrier.families"), name)
    if name not in _MEASURE_OBJECTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        import_module(_MEASURES_MODULE)
    except ModuleNotFoundError as error:
        if error.name != "ir_measures":
            raise
        raise ImportError(
            f"{name} is an object of ir-measures, which is not installed; "
            "to install it: pip install 'pres-plugin[ir-measures]'"
        ) from error
    catch_up()
    # If ir-measures was imported again, catch_up() has replaced this module of ours.
    return getattr(import_module(_MEASURES_MODULE), name)


def __dir__() -> list[str]:
    return sorted({*globals(), _TRANSFORMER, *_MEASURE_OBJECTS})


# This comes last: another thread that imports a framework may now use any name above.
activate()
