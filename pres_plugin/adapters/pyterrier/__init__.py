"""PyTerrier: what is touched to add the measures. Importing this does not import it.

PyTerrier scores with ir-measures and reads strings with its parser for
trec_eval's names; the adapter of ir-measures has added the measures to both.
Here they get to the places where PyTerrier shows measures, and to those that
take a measure only by its name.

There is no folder ``native``, since PyTerrier's measures are ir-measures' own objects.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any, ClassVar

from pres_plugin.adapters.base import Adapter
from pres_plugin.adapters.changes import Changes, without_ours
from pres_plugin.adapters.entry_points import pyterrier_namespace
from pres_plugin.adapters.import_hook import is_being_imported
from pres_plugin.measures import MEASURES

__all__ = ["PyTerrierAdapter"]

# Of the entry point in pyproject.toml, by which PyTerrier loads our package.
_NAMESPACE = "pres"


class PyTerrierAdapter(Adapter):
    """Shows the measures in ``pyterrier.measures`` and ``pyterrier.pres``.

    Parameters
    ----------
    ir_measures : Adapter
        That of ir-measures, which is to be connected first.
    """

    module = "pyterrier"
    distribution = "pyterrier"
    former_distributions: ClassVar[tuple[str, ...]] = ("python-terrier",)
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
        # It may have been deleted from sys.modules.
        ir_measures = import_module(self._ir_measures.module)
        if not self._ir_measures.connected:
            reason = self._ir_measures.problem
            raise self._unsupported(
                "it scores with ir-measures, which does not have them"
                + (f" ({reason})" if reason else "")
            )
        self._check_strings()

        registry = ir_measures.measures.registry
        for declaration in MEASURES:
            changes.add_attribute(framework.measures, declaration.name, registry[declaration.name])
        changes.add_attribute(framework, _NAMESPACE, pyterrier_namespace())
        if _NAMESPACE in framework.__all__ or is_being_imported(framework):
            # PyTerrier lists its entry points itself, as soon as they are loaded.
            changes.adopt(framework.__all__, _NAMESPACE)
        else:
            changes.append(framework.__all__, _NAMESPACE)

        for name in ("GridScan", "GridSearch"):
            function = _taking_ours(without_ours(getattr(framework, name)))
            evaluation, grid = map(self._submodule, ("_evaluation", "_evaluation._grid"))
            for module in (framework, evaluation, grid):
                changes.replace_attribute(module, name, function)

    def _before_reload(self, framework: Any, changes: Changes) -> None:
        # PyTerrier loads its entry points again, and warns of those that it already has.
        changes.undo_attribute(framework, _NAMESPACE)

    def _check_strings(self) -> None:
        """Raise an error unless PyTerrier reads strings with the parser that knows ours."""
        try:
            self._submodule("_evaluation._rendering")._convert_measures(["pres_100"])
        except Exception as error:  # whatever a later version may do with it
            raise self._unsupported(
                "pyterrier._evaluation._rendering._convert_measures does not read measures "
                "with ir_measures.parse_trec_measure"
            ) from error


def _taking_ours(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that finds scores by a measure's name, for our measures as objects too.

    PyTerrier declares that it takes any measure object there, then fails with a
    KeyError.
    """

    @wraps(function)
    def with_names(*args: Any, **kwargs: Any) -> Any:
        return function(
            *(_name_of(value) for value in args),
            **{key: _name_of(value) for key, value in kwargs.items()},
        )

    return with_names


def _name_of(value: Any) -> Any:
    # Measures of any copy of ir-measures, if it was imported again.
    return str(value) if hasattr(value, "DECLARATION") else value
