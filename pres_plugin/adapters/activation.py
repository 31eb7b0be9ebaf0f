"""When frameworks get connected: as soon as they are imported, before or after us."""

from __future__ import annotations

import sys
import warnings
from functools import partial
from importlib import import_module

from pres_plugin.adapters.base import Adapter, AdapterStatus, UnsupportedFrameworkError
from pres_plugin.adapters.import_hook import PostImportFinder
from pres_plugin.adapters.ir_measures import IrMeasuresAdapter
from pres_plugin.adapters.pyterrier import PyTerrierAdapter
from pres_plugin.adapters.ranx import RanxAdapter

__all__ = ["activate", "deactivate", "status"]

_IR_MEASURES = IrMeasuresAdapter()
_ADAPTERS: tuple[Adapter, ...] = (_IR_MEASURES, PyTerrierAdapter(_IR_MEASURES), RanxAdapter())


def _connect_or_warn(adapter: Adapter) -> None:
    """Connect, but never let the import of a framework fail on our account."""
    try:
        adapter.connect()
    except UnsupportedFrameworkError as error:
        warnings.warn(str(error), RuntimeWarning, stacklevel=2)


_finder = PostImportFinder(
    {adapter.module: partial(_connect_or_warn, adapter) for adapter in _ADAPTERS}
)


def activate() -> None:
    """Add the measures to every supported framework, now or once it is imported.

    Importing :mod:`pres_plugin` does this; it is only needed after
    :func:`deactivate`. A framework that is not imported stays so. Calling it
    again does nothing.

    Warns
    -----
    RuntimeWarning
        If a framework lacks what the measures need, or has measures of these
        names already; the framework is left as it is.

    Examples
    --------
    >>> import pres_plugin
    >>> pres_plugin.deactivate()
    >>> pres_plugin.activate()
    """
    # The finder comes first: an import that begins now will pass it, one that
    # began before has left its module.
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    for adapter in _ADAPTERS:
        if adapter.module in sys.modules and _finish_import(adapter.module):
            _connect_or_warn(adapter)


def deactivate() -> None:
    """Take the measures out of every framework, which is then as it was before.

    Measure objects made earlier keep their names but can no longer be scored.

    Examples
    --------
    >>> import pres_plugin
    >>> pres_plugin.deactivate()
    >>> any(framework.connected for framework in pres_plugin.status())
    False
    >>> pres_plugin.activate()
    """
    if _finder in sys.meta_path:
        sys.meta_path.remove(_finder)
    for adapter in _ADAPTERS:
        adapter.disconnect()


def status() -> tuple[AdapterStatus, ...]:
    """Of each supported framework: is it installed, which version, is it connected.

    Returns
    -------
    tuple of AdapterStatus
        One for each framework, in a fixed order. None of them gets imported.

    Examples
    --------
    >>> import pres_plugin
    >>> [framework.framework for framework in pres_plugin.status()]
    ['ir-measures', 'pyterrier', 'ranx']
    """
    return tuple(adapter.status() for adapter in _ADAPTERS)


def _finish_import(module: str) -> bool:
    """Wait for another thread that may be importing `module`; say if it is there then."""
    try:
        import_module(module)
    except ImportError:
        return False
    except RuntimeError:
        # Python reports a deadlock: the other thread waits for us in turn,
        # because it passed our finder and is about to connect the framework.
        return False
    return True
