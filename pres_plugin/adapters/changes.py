"""Change a framework's objects, and undo the changes."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, MutableSequence
from types import ModuleType
from typing import Any

_PACKAGE = __name__.partition(".")[0]


class NameTakenError(RuntimeError):
    """Another package already uses a name that we want to add."""


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
        # Keyed by the id of the changed object and the name in it. The undo functions
        # keep these objects alive, so that no other object gets the same id.
        self._undo: dict[tuple[int, str], tuple[str, Callable[[], None]]] = {}

    def undo(self) -> list[str]:
        """Undo every change, the newest first; return those that fail, each with the reason."""
        failures = []
        self.repairs.clear()
        while self._undo:
            _, (what, undo) = self._undo.popitem()
            try:
                undo()
            except Exception as error:  # other packages' objects can raise any error
                failures.append(f"{what} ({type(error).__name__}: {error})")
        return failures

    def undo_attribute(self, owner: Any, name: str) -> None:
        """Undo the change of one attribute, if it was changed."""
        _, undo = self._undo.pop((id(owner), name), ("", lambda: None))
        undo()

    def add_key(self, mapping: MutableMapping[str, Any], key: str, value: Any) -> None:
        """Add a new key to a mapping."""
        if key in mapping and not is_ours(mapping[key]):
            raise NameTakenError(f"{key!r} is already registered, as {mapping[key]!r}")
        mapping[key] = value

        def undo() -> None:
            if mapping.get(key) is value:
                del mapping[key]

        self._record(mapping, key, f"the entry {key!r}", undo)

    def add_attribute(self, owner: Any, name: str, value: Any) -> None:
        """Add a new attribute to a module or class, or replace one of ours."""
        present = getattr(owner, name, value)
        if present is not value and not is_ours(present):
            raise NameTakenError(f"{_name(owner)}.{name} already exists: {present!r}")
        self._set(owner, name, value, lambda: delattr(owner, name))

    def replace_attribute(self, owner: Any, name: str, value: Any) -> None:
        """Replace an attribute that a module or class defines itself."""
        original = without_ours(vars(owner)[name])
        self._set(owner, name, value, lambda: setattr(owner, name, original))

    def repair_attribute(self, owner: Any, name: str, value: Any, why: str) -> None:
        """Replace an attribute that fails on this version of Python, and add `why` to `repairs`."""
        self.replace_attribute(owner, name, value)
        self.repairs[f"{_name(owner)}.{name}"] = why

    def put_first(self, owner: Any, name: str, item: Any) -> None:
        """Insert an item at the start of the list in attribute `name` of `owner`.

        The attribute gets a new list, because another thread may be iterating over
        the old one and would skip an item if one were removed.
        """
        original = [other for other in getattr(owner, name) if not is_ours(other)]
        setattr(owner, name, [item, *original])

        def undo() -> None:
            setattr(owner, name, [other for other in getattr(owner, name) if other is not item])

        self._record(owner, name, f"{_name(owner)}.{name}", undo)

    def append(self, names: MutableSequence[str], name: str) -> None:
        """Append a name to a list of names, unless the list already contains it."""
        if name not in names:
            names.append(name)
        self.adopt(names, name)

    def adopt(self, names: MutableSequence[str], name: str) -> None:
        """Record a name that the list's owner adds, so that undoing removes it."""

        def undo() -> None:
            if name in names:
                names.remove(name)

        self._record(names, name, f"the name {name!r} in a list", undo)

    def _set(self, owner: Any, name: str, value: Any, restore: Callable[[], None]) -> None:
        setattr(owner, name, value)

        def undo() -> None:
            if vars(owner).get(name) is value:
                restore()

        self._record(owner, name, f"{_name(owner)}.{name}", undo)

    def _record(self, owner: Any, name: str, what: str, undo: Callable[[], None]) -> None:
        self._undo[id(owner), name] = (what, undo)


def _name(owner: Any) -> str:
    return getattr(owner, "__name__", type(owner).__name__)
