"""Recall-oriented measures, such as PRES and WSS, for ir-measures, PyTerrier and ranx.

Importing this package adds the measures to these frameworks. A framework may
be imported before or afterwards. The functions in this package score one topic
from its ranking, or from the ranks of its relevant documents, without a framework.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pres_plugin.adapters.activation import activate, catch_up, deactivate, status
from pres_plugin.adapters.base import AdapterStatus, UnsupportedFrameworkError
from pres_plugin.kernel.topic import f_prime, relevant_ranks
from pres_plugin.measures.declared import BY_NAME as _BY_NAME
from pres_plugin.measures.declared import OURS as _OURS
from pres_plugin.ranking.lists import score
from pres_plugin.ranking.unmatched import UnmatchedIdsWarning

__version__ = "0.2.0.dev0"

#: The functions that score one topic, by name.
_FUNCTIONS = {
    measure.declaration.lower_name: measure.declaration.function for measure in _BY_NAME.values()
}
globals().update(_FUNCTIONS)

_MEASURES_MODULE = "pres_plugin.adapters.ir_measures.native.measures"
_TRANSFORMER = "FoldFamilies"
_MEASURE_OBJECTS = frozenset(measure.name for measure in _OURS)

if TYPE_CHECKING:
    # Type checkers need each name. A test compares these names with the declarations.
    from pres_plugin.adapters.ir_measures.native.measures import (
        DeclaredMeasure,
        EffortMeasure,
        SizedMeasure,
    )
    from pres_plugin.adapters.pyterrier.families import FoldFamilies
    from pres_plugin.measures.declared import (
        average_precision,
        last_rel,
        pres,
        pres_est,
        recall,
        rnorm,
        tnr,
        wss,
    )

    PRES: DeclaredMeasure
    PRES_est: DeclaredMeasure
    Rnorm: SizedMeasure
    WSS: EffortMeasure
    TNR: EffortMeasure
    LastRel: DeclaredMeasure

__all__ = [
    "PRES",
    "TNR",
    "WSS",
    "AdapterStatus",
    "FoldFamilies",
    "LastRel",
    "PRES_est",
    "Rnorm",
    "UnmatchedIdsWarning",
    "UnsupportedFrameworkError",
    "__version__",
    "activate",
    "average_precision",
    "deactivate",
    "f_prime",
    "last_rel",
    "pres",
    "pres_est",
    "recall",
    "relevant_ranks",
    "rnorm",
    "score",
    "status",
    "tnr",
    "wss",
]


def __getattr__(name: str) -> Any:
    """Return a measure of ir-measures or a transformer of PyTerrier, imported only if needed.

    Without ir-measures, return our own measure, which :func:`score`, frames and files accept.
    """
    if name == _TRANSFORMER:
        return getattr(import_module("pres_plugin.adapters.pyterrier.families"), name)
    if name not in _MEASURE_OBJECTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        import_module(_MEASURES_MODULE)
    except ModuleNotFoundError as error:
        if error.name != "ir_measures":
            raise
        return _BY_NAME[name]
    catch_up()
    # If ir-measures was imported again, catch_up() has replaced this module of ours.
    return getattr(import_module(_MEASURES_MODULE), name)


def __dir__() -> list[str]:
    return sorted({*globals(), _TRANSFORMER, *_MEASURE_OBJECTS})


# This comes last: another thread that imports a framework may now use any name above.
activate()
