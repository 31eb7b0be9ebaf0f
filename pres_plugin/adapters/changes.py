"""Change a framework's objects, and undo the changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Any

_PACKAGE = __name__.partition(".")[0]


def is_ours(value: Any) -> bool:
    """Return whether `value` comes from this package, or from another loaded copy of it."""
    if isinstance(value, ModuleType):
        module = value.__name__
    else:
        # A hook has the __module__ of the function that it wraps, but our __globals__.
        module = getattr(value, "__globals__", {}).get("__name__") or type(value).__module__
    return module.partition(".")[0] == _PACKAGE


def without_ours(function: Any) -> Any:
    """Return the framework's own function, without any hooks of ours around it."""
    while is_ours(function):
        function = function.__wrapped__
    return function


class Changes:
    """Make changes and record how to undo them.

    Each change may be made again, for example after a framework was reloaded. It
    then replaces our earlier object. Undoing a change removes our object, but keeps
    anything that other code has put in its place.
    """

    def __init__(self) -> None:
        #: The repairs made to the framework: what was replaced, and why.
        self.repairs: dict[str, str] = {}
        self._undo: list[tuple[str, Callable[[], None]]] = []

    def undo(self) -> list[str]:
        """Undo every change, the newest first; return those that fail, each with the reason."""
        failures = []
        self.repairs.clear()
        while self._undo:
            what, undo = self._undo.pop()
            try:
                undo()
            except Exception as error:  # other packages' objects can raise any error
                failures.append(f"{what} ({type(error).__name__}: {error})")
        return failures

    def add(self, owner: Any, name: str, value: Any) -> None:
        """Add a new attribute to a module, or a new key to a dict."""
        entries = owner if isinstance(owner, dict) else vars(owner)
        if name in entries and not is_ours(entries[name]):
            raise RuntimeError(f"{_path(owner, name)} already exists: {entries[name]!r}")
        entries[name] = value

        def undo() -> None:
            if entries.get(name) is value:
                del entries[name]

        self._undo.append((_path(owner, name), undo))

    def wrap(
        self, owners: Sequence[Any], name: str, hook: Callable[[Any], Any], repairs: str = ""
    ) -> None:
        """Replace a function with the one that `hook` returns for it.

        `owners` are the modules that contain this function, or the class that defines it. If the
        function fails on this version of Python, `repairs` states why.
        """
        # The same function gets the same hook in all modules, so that it can still be pickled.
        hook = cache(hook)
        for owner in owners:
            original = without_ours(vars(owner)[name])
            self._replace(owner, name, original, hook(original))
        if repairs:
            self.repairs[_path(owners[0], name)] = repairs

    def add_item(self, owner: Any, name: str, item: Any, *, first: bool = False) -> None:
        """Add an item to the list in an attribute, at its end or as the first one.

        The attribute gets a new list, because another thread may be iterating over
        the old one and would skip an item if one were removed.
        """
        others = [x for x in getattr(owner, name) if x != item and not is_ours(x)]
        setattr(owner, name, [item, *others] if first else [*others, item])
        self.adopt_item(owner, name, item)

    def adopt_item(self, owner: Any, name: str, item: Any) -> None:
        """Let :meth:`undo` remove an item that the framework itself adds to a list."""

        def undo() -> None:
            items = getattr(owner, name)
            if item in items:
                setattr(owner, name, [x for x in items if x != item])

        self._undo.append((_path(owner, name), undo))

    def _replace(self, owner: Any, name: str, original: Any, value: Any) -> None:
        setattr(owner, name, value)

        def undo() -> None:
            if vars(owner).get(name) is value:
                setattr(owner, name, original)

        self._undo.append((_path(owner, name), undo))


def _path(owner: Any, name: str) -> str:
    """Name a changed object in messages."""
    if isinstance(owner, Mapping):
        return f"the entry {name!r}"
    return f"{getattr(owner, '__name__', type(owner).__name__)}.{name}"
