"""Running a function as soon as a module has been imported.

wrapt has such hooks, but importing wrapt 2 costs 40 to 65 % of importing numpy,
for everybody who imports pres_plugin.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

__all__ = ["PostImportFinder"]


class PostImportFinder:
    """A finder for ``sys.meta_path`` that finds nothing by itself.

    Parameters
    ----------
    callbacks : mapping of str to callable
        What to call after the import of the module of that name.
    """

    def __init__(self, callbacks: Mapping[str, Callable[[], None]]) -> None:
        self._callbacks = callbacks

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec that the other finders have for a module waited for, else None."""
        callback = self._callbacks.get(fullname)
        if callback is None:
            return None
        for finder in sys.meta_path:
            if finder is self:
                continue
            spec = finder.find_spec(fullname, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _CallingLoader(spec.loader, callback)  # type: ignore[assignment]
                return spec
        return None


class _CallingLoader:
    """Loads a module as its own loader would, then calls back."""

    def __init__(self, loader: Any, callback: Callable[[], None]) -> None:
        self._loader = loader
        self._callback = callback

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        # From here on the module shows its own loader, which knows its
        # resources and its source.
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._callback()
