"""Recall-oriented measures, such as PRES and WSS, for ir-measures, PyTerrier and ranx.

Importing this package adds the measures to these frameworks. A framework may
be imported before or afterwards. The functions in this package score one topic
from its ranking, or from the ranks of its relevant documents, without a framework.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pres_plugin.adapters.activation import activate, catch_up, deactivate, status
from pres_plugin.adapters.base import AdapterStatus
from pres_plugin.kernel.topic import f_prime, relevant_ranks
from pres_plugin.measures.declared import BY_NAME as _BY_NAME
from pres_plugin.measures.declared import OURS as _OURS
from pres_plugin.measures.declared import (
    average_precision,
    effort,
    last_rel,
    pres,
    pres_est,
    recall,
    rnorm,
    tnr,
    wss,
)
from pres_plugin.measures.parameters import MeasureError
from pres_plugin.messages import InputError
from pres_plugin.one_topic import score
from pres_plugin.unmatched import UnmatchedIdsWarning

__version__ = "0.2.0"

# Imported only if needed, because these modules import frameworks.
_MODULES = {each.name: "pres_plugin.adapters.ir_measures.native.measures" for each in _OURS}
_MODULES["FoldFamilies"] = "pres_plugin.adapters.pyterrier.families"

if TYPE_CHECKING:
    # Type checkers need each name. A test compares these names with the declarations.
    from pres_plugin.adapters.ir_measures.native.measures import (
        DeclaredMeasure,
        EffortMeasure,
        SizedMeasure,
    )
    from pres_plugin.adapters.pyterrier.families import FoldFamilies

    PRES: DeclaredMeasure
    PRES_est: DeclaredMeasure
    Rnorm: SizedMeasure
    WSS: EffortMeasure
    TNR: EffortMeasure
    Effort: EffortMeasure
    LastRel: DeclaredMeasure

__all__ = [
    "PRES",
    "TNR",
    "WSS",
    "AdapterStatus",
    "Effort",
    "FoldFamilies",
    "InputError",
    "LastRel",
    "MeasureError",
    "PRES_est",
    "Rnorm",
    "UnmatchedIdsWarning",
    "__version__",
    "activate",
    "average_precision",
    "deactivate",
    "effort",
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
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = import_module(_MODULES[name])
    except ModuleNotFoundError as error:
        if error.name != "ir_measures" or name not in _BY_NAME:
            raise
        return _BY_NAME[name]
    catch_up()
    return getattr(module, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})


# This comes last: another thread that imports a framework may now use any name above.
activate()
