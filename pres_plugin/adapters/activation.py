"""Connect each framework once it has been imported, whether before or after pres_plugin."""

from __future__ import annotations

import sys
import warnings
from functools import partial
from importlib import import_module

from pres_plugin.adapters.base import Adapter, AdapterStatus
from pres_plugin.adapters.import_hook import PostImportFinder
from pres_plugin.adapters.ir_measures import IrMeasuresAdapter
from pres_plugin.adapters.pyterrier import PyTerrierAdapter
from pres_plugin.adapters.ranx import RanxAdapter

_IR_MEASURES = IrMeasuresAdapter()
#: Each adapter follows those that it builds on.
ADAPTERS = (_IR_MEASURES, PyTerrierAdapter(_IR_MEASURES), RanxAdapter())


def _after_import(adapter: Adapter) -> None:
    # deactivate() may have been called since the import began.
    if _finder in sys.meta_path:
        catch_up()
        adapter.connect()


_finder = PostImportFinder({a.module: partial(_after_import, a) for a in ADAPTERS})


def catch_up() -> None:
    """Connect frameworks whose import our finder has missed.

    The finder misses an import if pres_plugin is imported in the middle of it, or
    if another finder comes before ours.
    """
    if _finder in sys.meta_path:
        for adapter in ADAPTERS:
            if adapter.is_due:
                adapter.connect()


def activate() -> None:
    """Add the measures to every supported framework, now or when it is imported.

    Importing :mod:`pres_plugin` calls this function, so call it only after
    :func:`deactivate`. It does not import any framework, and calling it twice has
    no effect.

    Warns
    -----
    RuntimeWarning
        If a framework lacks something that the measures need, if it already has
        measures with these names, or if another error occurs. The framework then
        works as it does without pres-plugin.

    Examples
    --------
    >>> import pres_plugin
    >>> pres_plugin.deactivate()
    >>> pres_plugin.activate()
    """
    # Add the finder before the loop. It catches every import that begins from now on;
    # the modules of earlier imports are in sys.modules already.
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    for adapter in ADAPTERS:
        if adapter.module in sys.modules and not adapter.connected:
            try:
                import_module(adapter.module)  # waits if another thread is importing it
            except (ImportError, RuntimeError):  # that fails, or each thread waits for the other
                continue
            adapter.connect()


def deactivate() -> None:
    """Remove the measures from every framework and undo all our other changes.

    This includes our objects that a framework loaded through an entry point. Existing measure
    objects keep their names but can no longer be scored.

    Warns
    -----
    RuntimeWarning
        If a change could not be undone. All other changes are undone.

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
    for adapter in ADAPTERS:
        if failures := adapter.disconnect():
            warnings.warn(
                f"pres-plugin could not undo all its changes to {adapter.distribution}: "
                f"{'; '.join(failures)}; restart Python to remove them",
                RuntimeWarning,
                stacklevel=2,
            )


def status() -> tuple[AdapterStatus, ...]:
    """Report the installed version of each framework and whether it has the measures.

    Returns
    -------
    tuple of AdapterStatus
        One per framework, in a fixed order. This does not import any framework.

    Examples
    --------
    >>> import pres_plugin
    >>> [framework.framework for framework in pres_plugin.status()]
    ['ir-measures', 'pyterrier', 'ranx']
    """
    catch_up()
    return tuple(adapter.status() for adapter in ADAPTERS)
