"""Running a function as soon as a module has been imported.

wrapt has such hooks, but importing wrapt 2 costs 40 to 65 % of importing numpy,
for everybody who imports pres_plugin.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from functools import partial
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType
from typing import Any, Protocol

__all__ = [
    "ImportWatcher",
    "PostImportFinder",
    "add_finder",
    "at_end_of_import",
    "is_being_imported",
]


class ImportWatcher(Protocol):
    """What is told of a module's import, and of each reload."""

    def before_import(self) -> None:
        """Called before the module's code runs."""

    def after_import(self) -> None:
        """Called after the module's code ran without an error."""


class PostImportFinder:
    """A finder for ``sys.meta_path`` that asks the finders behind it and finds nothing by itself.

    Parameters
    ----------
    watchers : mapping of str to ImportWatcher
        The watcher of each module, by the module's name.
    """

    def __init__(self, watchers: Mapping[str, ImportWatcher]) -> None:
        self._watchers = watchers
        # The modules that this thread is looking for. Other finders may walk
        # sys.meta_path, too, and ask us in turn while we are asking them.
        self._asking = threading.local()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec that the finders behind this one have for a watched module, else None."""
        watcher = self._watchers.get(fullname)
        names: set[str] = self._asking.__dict__.setdefault("names", set())
        if watcher is None or fullname in names:
            return None
        names.add(fullname)
        try:
            specs = (_ask(finder, fullname, path, target) for finder in self._finders_behind())
            spec = next((spec for spec in specs if spec is not None), None)
        finally:
            names.remove(fullname)
        if spec is None or spec.loader is None:
            return spec
        # A copy, since the other finder may return the same spec again after we are gone.
        spec = copy(spec)
        spec.loader = _WatchedLoader(spec.loader, spec, watcher)  # type: ignore[assignment]
        return spec

    def _finders_behind(self) -> Iterator[Any]:
        finders = iter(list(sys.meta_path))
        for finder in finders:
            if finder is self:
                break
        return finders


def add_finder(finder: PostImportFinder) -> None:
    """Put a finder first on ``sys.meta_path``, in place of any from another copy of this package.

    There is another copy if pres_plugin was deleted from ``sys.modules`` and imported again.
    """
    if finder not in sys.meta_path:
        kind = (PostImportFinder.__module__, PostImportFinder.__qualname__)
        others = [
            other
            for other in sys.meta_path
            if (type(other).__module__, type(other).__qualname__) != kind
        ]
        sys.meta_path[:] = [finder, *others]


def _ask(
    finder: Any, fullname: str, path: Sequence[str] | None, target: ModuleType | None
) -> ModuleSpec | None:
    """Ask a finder as this version of Python does."""
    spec: ModuleSpec | None = None
    if hasattr(finder, "find_spec"):
        spec = finder.find_spec(fullname, path, target)
    elif sys.version_info < (3, 12):
        loader = finder.find_module(fullname, path)
        spec = None if loader is None else spec_from_loader(fullname, loader)
    return spec


class _WatchedLoader:
    """Stands in for a module's loader, and tells the watcher when the module's code runs.

    In everything else it is like that loader, for those who ask for the loader
    without importing the module, such as ``pkgutil.get_data``. Once the module's
    code runs, the module and its spec have their own loader again.
    """

    def __init__(self, loader: Any, spec: ModuleSpec, watcher: ImportWatcher) -> None:
        self._loader = loader
        self._spec = spec
        self._watcher = watcher

    def __getattr__(self, name: str) -> Any:
        # A loader of the old style has load_module alone, and Python looks for exec_module.
        value = getattr(self._loader, name)
        if name == "exec_module":
            return partial(self._exec_module, value)
        if name == "load_module":
            return partial(self._load_module, value)
        return value

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # so that isinstance sees the kind of loader
        return type(self._loader)

    def __reduce_ex__(self, protocol: Any) -> Any:
        # A copy is one of the module's own loader.
        return self._loader.__reduce_ex__(protocol)

    def _exec_module(self, exec_module: Callable[[ModuleType], None], module: ModuleType) -> None:
        self._spec.loader = self._loader
        if getattr(module, "__loader__", None) is self:
            module.__loader__ = self._loader
        # Not our spec if a finder before ours has copied that.
        if (spec := getattr(module, "__spec__", None)) is not None and spec.loader is self:
            spec.loader = self._loader
        self._watcher.before_import()
        exec_module(module)
        self._watcher.after_import()

    def _load_module(self, load_module: Callable[[str], ModuleType], fullname: str) -> ModuleType:
        self._spec.loader = self._loader
        self._watcher.before_import()
        module = load_module(fullname)
        self._watcher.after_import()
        return module


def is_being_imported(module: ModuleType) -> bool:
    """Return whether the module's code is still running, in this thread or another."""
    return getattr(getattr(module, "__spec__", None), "_initializing", False)


def at_end_of_import(module: ModuleType, callback: Callable[[], None]) -> None:
    """Call back when the import of a module ends that began without our finder.

    Python then marks the module's spec. If the spec is of a kind that cannot be
    watched, this does nothing.
    """
    spec: Any = module.__spec__
    own_class = type(spec)

    class WatchedSpec(own_class):  # type: ignore[misc, valid-type]
        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, value)
            if name == "_initializing" and not value:
                spec.__class__ = own_class
                callback()

    with suppress(TypeError):
        spec.__class__ = WatchedSpec
