"""Run a function as soon as a module has been imported.

wrapt offers such hooks, but importing wrapt 2 would make every import of
pres_plugin slower: it adds 40 to 65 % to the time that importing numpy takes.
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
from typing import Any, NamedTuple


class ImportWatcher(NamedTuple):
    """Functions to call just before a module's code runs, and after it has run without an error."""

    before_import: Callable[[], None]
    after_import: Callable[[], None]


class PostImportFinder:
    """A finder for ``sys.meta_path`` that finds modules by asking the finders behind it.

    `watchers` maps the name of each watched module to its watcher.
    """

    def __init__(self, watchers: Mapping[str, ImportWatcher]) -> None:
        self._watchers = watchers
        # The names that each thread is looking up. A finder that we ask may itself ask
        # all finders on sys.meta_path, including this one.
        self._asking = threading.local()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a watched module's spec, found by the finders behind this one, or None."""
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
        # Copied, because the other finder may return the same spec again after deactivate().
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
    """Put a finder first on ``sys.meta_path``, replacing any from another copy of this package.

    Another copy exists if pres_plugin was deleted from ``sys.modules`` and imported again.
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
    """Ask a finder for a spec, in the way that this version of Python does."""
    spec: ModuleSpec | None = None
    if hasattr(finder, "find_spec"):
        spec = finder.find_spec(fullname, path, target)
    elif sys.version_info < (3, 12):
        loader = finder.find_module(fullname, path)
        spec = None if loader is None else spec_from_loader(fullname, loader)
    return spec


class _WatchedLoader:
    """Replaces a module's loader, and notifies the watcher when the module's code runs.

    Otherwise it behaves like that loader, because functions such as
    ``pkgutil.get_data`` use the loader without importing the module. As soon as
    the module's code runs, the module and its spec get their own loader back.
    """

    def __init__(self, loader: Any, spec: ModuleSpec, watcher: ImportWatcher) -> None:
        self._loader = loader
        self._spec = spec
        self._watcher = watcher

    def __getattr__(self, name: str) -> Any:
        # Not methods: Python checks whether a loader has exec_module, and old ones do not.
        value = getattr(self._loader, name)
        return partial(self._run, value) if name in {"exec_module", "load_module"} else value

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # isinstance() sees the class of the original loader
        return type(self._loader)

    def __reduce_ex__(self, protocol: Any) -> Any:
        # A copy of this object is a copy of the original loader.
        return self._loader.__reduce_ex__(protocol)

    def _run(self, run: Callable[[Any], Any], module: Any) -> Any:
        """Run a module's code. `module` is only its name if `run` is load_module()."""
        self._spec.loader = self._loader
        if getattr(module, "__loader__", None) is self:
            module.__loader__ = self._loader
        # The module's spec may be a copy of ours, made by a finder before ours.
        if (spec := getattr(module, "__spec__", None)) is not None and spec.loader is self:
            spec.loader = self._loader
        self._watcher.before_import()
        result = run(module)
        self._watcher.after_import()
        return result


def is_being_imported(module: ModuleType) -> bool:
    """Return whether the module's code is still running, in this thread or another."""
    return getattr(getattr(module, "__spec__", None), "_initializing", False)


def at_end_of_import(module: ModuleType, callback: Callable[[], None]) -> None:
    """Call `callback` at the end of an import that began without our finder.

    At that point Python sets an attribute of the module's spec. This function changes
    the spec's class to one that calls `callback` when this happens. If the spec does
    not allow that, this function does nothing.
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
