"""PRES, PRES_est and Rnorm in the frameworks that score search.

Importing this adds the measures to the frameworks that are installed, as soon
as they are imported themselves, before or after. The measures can also be
computed from ranks alone, with the functions here.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pres_plugin.adapters.activation import activate, catch_up, deactivate, status
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

_MEASURES_MODULE = "pres_plugin.adapters.ir_measures.native.measures"
_MEASURE_OBJECTS = frozenset({"PRES", "PRES_est", "Rnorm"})


def __getattr__(name: str) -> Any:
    """Return a measure object of ir-measures, which this imports."""
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
    # Not the module from above: if ir-measures was imported anew, there is a new one.
    return getattr(import_module(_MEASURES_MODULE), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_MEASURE_OBJECTS})


# Last, when all that a framework's thread could need from here is there.
activate()
