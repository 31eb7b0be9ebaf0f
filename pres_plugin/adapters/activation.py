"""Connecting each framework as soon as it has been imported, before or after us."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module

from pres_plugin.adapters.base import Adapter, AdapterStatus, UnsupportedFrameworkError
from pres_plugin.adapters.import_hook import PostImportFinder, add_finder, at_end_of_import
from pres_plugin.adapters.ir_measures import IrMeasuresAdapter
from pres_plugin.adapters.pyterrier import PyTerrierAdapter
from pres_plugin.adapters.ranx import RanxAdapter

__all__ = ["activate", "catch_up", "deactivate", "status"]

_IR_MEASURES = IrMeasuresAdapter()
_ADAPTERS: tuple[Adapter, ...] = (_IR_MEASURES, PyTerrierAdapter(_IR_MEASURES), RanxAdapter())


class _Watcher:
    """Connects a framework when it has been imported or reloaded."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter

    def before_import(self) -> None:
        self._adapter.before_import()

    def after_import(self) -> None:
        # The loader may come from before deactivate().
        if _finder in sys.meta_path:
            catch_up()
            _connect_or_warn(self._adapter, again=True)


_finder = PostImportFinder({adapter.module: _Watcher(adapter) for adapter in _ADAPTERS})


def _connect_or_warn(adapter: Adapter, *, again: bool = False) -> None:
    """Connect, but never let the import of a framework fail on our account."""
    try:
        adapter.connect(again=again)
    except UnsupportedFrameworkError as error:
        warnings.warn(str(error), RuntimeWarning, stacklevel=2)


def catch_up() -> None:
    """Connect frameworks whose import has ended without our finder noticing.

    That happens if pres_plugin is imported in the middle of a framework's import,
    or if another finder comes before ours.
    """
    if _finder in sys.meta_path:
        for adapter in _ADAPTERS:
            if adapter.is_due:
                _connect_or_warn(adapter)


def activate() -> None:
    """Add the measures to every supported framework, now or once it is imported.

    Importing :mod:`pres_plugin` does this; it is only needed after
    :func:`deactivate`. It imports no framework. Calling it again does nothing.

    Warns
    -----
    RuntimeWarning
        If a framework lacks what the measures need or has measures of these
        names already, or if anything else goes wrong. The framework then works
        as it does without pres-plugin.

    Examples
    --------
    >>> import pres_plugin
    >>> pres_plugin.deactivate()
    >>> pres_plugin.activate()
    """
    # The finder comes first: an import that begins now will pass it, one that
    # began before has left its module.
    add_finder(_finder)
    for adapter in _ADAPTERS:
        if adapter.module in sys.modules and _finish_import(adapter.module):
            if adapter.is_unfinished:
                at_end_of_import(sys.modules[adapter.module], catch_up)
            else:
                _connect_or_warn(adapter)


def deactivate() -> None:
    """Take the measures out of every framework, which is then as it was before.

    This includes copies that were deleted from ``sys.modules``, and what a
    framework has loaded by an entry point. Measure objects made earlier keep
    their names but can no longer be scored.

    Warns
    -----
    RuntimeWarning
        If a change could not be undone. All others are undone.

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
        if failures := adapter.disconnect():
            warnings.warn(
                f"pres-plugin could not undo all its changes to {adapter.distribution}: "
                f"{'; '.join(failures)}; to get rid of them, start Python again",
                RuntimeWarning,
                stacklevel=2,
            )


def status() -> tuple[AdapterStatus, ...]:
    """Report each framework's installed version, and whether it is connected.

    Returns
    -------
    tuple of AdapterStatus
        One for each framework, in a fixed order. This imports none of them.

    Examples
    --------
    >>> import pres_plugin
    >>> [framework.framework for framework in pres_plugin.status()]
    ['ir-measures', 'pyterrier', 'ranx']
    """
    catch_up()
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
