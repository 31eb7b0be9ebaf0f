"""Call a function as soon as a module has been imported.

wrapt offers such hooks, but importing wrapt 2 would make every import of
pres_plugin slower: it adds 40 to 65 % to the time that importing numpy takes.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class PostImportFinder:
    """A finder for ``sys.meta_path`` that finds modules by asking the finders behind it.

    `after_import` maps the name of each watched module to a function without arguments. The
    function is called each time the module's code has run without an error.
    """

    def __init__(self, after_import: Mapping[str, Callable[[], None]]) -> None:
        self._after_import = after_import
        # The thread and the module of each search that is under way. A finder that we ask may
        # itself ask all finders on sys.meta_path, including this one.
        self._searches: set[tuple[int, str]] = set()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a watched module's spec, found by the finders behind this one, or None."""
        search = threading.get_ident(), fullname
        if fullname not in self._after_import or search in self._searches:
            return None
        self._searches.add(search)
        try:
            spec = self._found_behind(fullname, path, target)
        finally:
            self._searches.remove(search)
        if spec is None or not hasattr(spec.loader, "exec_module"):
            return spec
        # Copied, because the other finder may return the same spec again after deactivate().
        spec = copy(spec)
        loader: Any = _WatchedLoader(spec.loader, self._after_import[fullname])
        spec.loader = loader
        return spec

    def _found_behind(self, *module: Any) -> ModuleSpec | None:
        finders = list(sys.meta_path)
        behind = finders.index(self) + 1 if self in finders else len(finders)
        for finder in finders[behind:]:
            # Python, too, skips finders that lack this method.
            if hasattr(finder, "find_spec") and (spec := finder.find_spec(*module)) is not None:
                return spec
        return None


class _WatchedLoader:
    """Stands in for a module's loader until the module's code runs.

    It has all attributes of that loader, because functions such as ``pkgutil.get_data`` use a
    loader without importing the module.
    """

    def __init__(self, loader: Any, after_import: Callable[[], None]) -> None:
        self._loader = loader
        self._after_import = after_import

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def exec_module(self, module: Any) -> None:
        """Give the module its own loader back, run its code and notify the watcher."""
        for owner, name in ((module, "__loader__"), (module.__spec__, "loader")):
            if getattr(owner, name, None) is self:
                setattr(owner, name, self._loader)
        self._loader.exec_module(module)
        self._after_import()


def is_being_imported(module: ModuleType) -> bool:
    """Return whether the module's code is still running, in this thread or another."""
    return getattr(getattr(module, "__spec__", None), "_initializing", False)
