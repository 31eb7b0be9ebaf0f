"""PRES, PRES_est and Rnorm in the frameworks that score search.

Importing this adds the measures to the frameworks that are installed, as soon
as they are imported themselves, before or after. The measures can also be
computed from ranks alone, with the functions here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pres_plugin.adapters.activation import activate, deactivate, status
from pres_plugin.adapters.base import UnsupportedFrameworkError
from pres_plugin.kernel.topic import (
    average_precision,
    f_prime,
    pres,
    pres_est,
    recall,
    relevant_ranks,
    rnorm,
)

if TYPE_CHECKING:
    from pres_plugin.adapters.ir_measures.native.measures import PRES, PRES_est, Rnorm

__version__ = "0.2.0.dev0"

__all__ = [
    "PRES",
    "PRES_est",
    "Rnorm",
    "UnsupportedFrameworkError",
    "__version__",
    "activate",
    "average_precision",
    "deactivate",
    "f_prime",
    "pres",
    "pres_est",
    "recall",
    "relevant_ranks",
    "rnorm",
    "status",
]

_MEASURE_OBJECTS = frozenset({"PRES", "PRES_est", "Rnorm"})


def __getattr__(name: str) -> Any:
    """The measure objects, which are ir-measures' and import it when asked for."""
    if name not in _MEASURE_OBJECTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from pres_plugin.adapters.ir_measures.native import measures
    except ModuleNotFoundError as error:
        if error.name != "ir_measures":
            raise
        raise ImportError(
            f"{name} is an object of ir-measures, which is not installed; "
            "to install it: pip install 'pres-plugin[ir-measures]'"
        ) from error
    return getattr(measures, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_MEASURE_OBJECTS})


# Last, when all that a framework's thread could need from here is there.
activate()
