"""Changes to a framework's objects that can be taken back, newest first."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, MutableSequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any

__all__ = ["Changes", "NameTakenError"]

_MISSING = object()


class NameTakenError(RuntimeError):
    """A name that is to be added is there already."""


class Changes:
    """Records what is changed, and undoes it: on an error at once, else when asked to.

    What somebody else has changed since stays as they left it.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> module = SimpleNamespace(score=max)
    >>> with Changes() as changes:
    ...     changes.add_attribute(module, "best", min)
    ...     changes.replace_attribute(module, "score", min)
    >>> changes.undo()
    >>> module
    namespace(score=<built-in function max>)
    """

    def __init__(self) -> None:
        self._stack = ExitStack()
        #: What was repaired in the framework, one sentence for each repair.
        self.repairs: list[str] = []

    def __enter__(self) -> Changes:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is not None:
            self.undo()

    def undo(self) -> None:
        """Put everything back."""
        self._stack.close()

    def add_key(self, mapping: MutableMapping[str, Any], key: str, value: Any) -> None:
        """Add a new key to a mapping."""
        if key in mapping:
            raise NameTakenError(f"{key!r} is registered already, as {mapping[key]!r}")
        mapping[key] = value

        def undo() -> None:
            if mapping.get(key) is value:
                del mapping[key]

        self._stack.callback(undo)

    def add_attribute(self, owner: Any, name: str, value: Any) -> None:
        """Give a module or class an attribute that it does not have, or has with this very value.

        The latter where a framework collects such things by itself.
        """
        if getattr(owner, name, value) is not value:
            raise NameTakenError(
                f"{_name(owner)}.{name} is there already: {getattr(owner, name)!r}"
            )
        self._set(owner, name, value, lambda: delattr(owner, name))

    def replace_attribute(self, owner: Any, name: str, value: Any) -> None:
        """Put another value in the place of a module's or class's own attribute."""
        original = vars(owner)[name]
        self._set(owner, name, value, lambda: setattr(owner, name, original))

    def repair_attribute(self, owner: Any, name: str, value: Any, why: str) -> None:
        """Replace an attribute that does not work in this Python; `why` goes into `repairs`."""
        self.replace_attribute(owner, name, value)
        self.repairs.append(f"{_name(owner)}.{name}: {why}")

    def insert(self, items: MutableSequence[Any], index: int, item: Any) -> None:
        """Insert an item into a list."""
        items.insert(index, item)

        def undo() -> None:
            for i, other in enumerate(items):
                if other is item:
                    del items[i]
                    break

        self._stack.callback(undo)

    def append(self, items: MutableSequence[Any], item: Any) -> None:
        """Append an item to a list."""
        self.insert(items, len(items), item)

    def adopt(self, items: MutableSequence[Any], item: Any) -> None:
        """Count an item as added that the list's owner has added for us, or is about to add."""

        def undo() -> None:
            if item in items:
                items.remove(item)

        self._stack.callback(undo)

    def _set(self, owner: Any, name: str, value: Any, restore: Callable[[], None]) -> None:
        setattr(owner, name, value)

        def undo() -> None:
            if vars(owner).get(name, _MISSING) is value:
                restore()

        self._stack.callback(undo)


def _name(owner: Any) -> str:
    return getattr(owner, "__name__", type(owner).__name__)
