"""Add the measures to PyTerrier. Importing this module does not import PyTerrier.

PyTerrier scores with ir-measures, and reads measure strings with ir-measures'
parser for trec_eval's names. The adapter of ir-measures adds the measures to both.
This adapter adds them to PyTerrier's namespaces. It also makes functions that look
up measures by name accept our measure objects.

There is no folder ``native``, because PyTerrier uses ir-measures' measure objects.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, ClassVar

from pres_plugin.adapters.base import Adapter
from pres_plugin.adapters.changes import Changes
from pres_plugin.adapters.entry_points import pyterrier_namespace
from pres_plugin.adapters.import_hook import is_being_imported
from pres_plugin.measures.declared import OURS
from pres_plugin.measures.measure import Measure

# The name of the entry point in pyproject.toml through which PyTerrier loads our package.
_NAMESPACE = "pres"


class PyTerrierAdapter(Adapter):
    """Adds the measures to PyTerrier, once the adapter of ir-measures is connected."""

    module = "pyterrier"
    distribution = "pyterrier"
    relies_on: ClassVar[tuple[str, ...]] = (
        "GridScan",
        "GridSearch",
        "__all__",
        "_evaluation:GridScan",
        "_evaluation:GridSearch",
        "_evaluation._grid:GridScan",
        "_evaluation._grid:GridSearch",
        "_evaluation._rendering:_convert_measures",
        "measures",
    )

    def __init__(self, ir_measures: Adapter) -> None:
        super().__init__()
        self._ir_measures = ir_measures

    def _add(self, framework: Any, changes: Changes) -> None:
        if not self._ir_measures.connected:
            reason = f" ({problem})" if (problem := self._ir_measures.problem) else ""
            raise RuntimeError(f"it scores with ir-measures, which does not have them{reason}")
        self._check_strings()

        for measure in OURS:
            ours = getattr(sys.modules["ir_measures"], measure.name)
            changes.add(framework.measures, measure.name, ours)
        changes.add(framework, _NAMESPACE, pyterrier_namespace())
        # During its import, PyTerrier adds its entry points to __all__ itself.
        add_name = changes.adopt_item if is_being_imported(framework) else changes.add_item
        add_name(framework, "__all__", _NAMESPACE)

        modules = framework, *map(self._submodule, ("_evaluation", "_evaluation._grid"))
        for name in ("GridScan", "GridSearch"):
            changes.wrap(modules, name, _accepting_our_measures)

    def _check_strings(self) -> None:
        """Raise an error unless PyTerrier's parser can read the names of our measures."""
        try:
            self._submodule("_evaluation._rendering")._convert_measures(["pres_100"])
        except Exception as error:  # a later version may raise any error
            raise RuntimeError(
                "pyterrier._evaluation._rendering._convert_measures does not read measures "
                "with ir_measures.parse_trec_measure"
            ) from error


def _accepting_our_measures(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function that looks up scores by measure name, to accept our measure objects.

    PyTerrier declares that such a function accepts any measure object, but the
    function then fails with a KeyError.
    """

    @wraps(function)
    def with_names(*args: Any, **kwargs: Any) -> Any:
        return function(
            *(_name_of(value) for value in args),
            **{key: _name_of(value) for key, value in kwargs.items()},
        )

    return with_names


def _name_of(value: Any) -> Any:
    return str(value) if isinstance(value, Measure) else value
