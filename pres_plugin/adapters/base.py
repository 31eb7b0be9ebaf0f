"""The interface between pres-plugin and a framework that it adds its measures to."""

from __future__ import annotations

import sys
import threading
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from typing import Any, ClassVar

from pres_plugin.adapters.changes import Changes, NameTakenError

__all__ = ["Adapter", "AdapterStatus", "UnsupportedFrameworkError"]


class UnsupportedFrameworkError(RuntimeError):
    """A framework is installed that the measures cannot be added to."""


@dataclass(frozen=True)
class AdapterStatus:
    """What :func:`pres_plugin.status` tells of one framework.

    Attributes
    ----------
    framework : str
        Name of its distribution.
    version : str or None
        Version installed; None if it is not installed.
    connected : bool
        Whether the framework has our measures now.
    problem : str or None
        Why it could not be connected, if that was tried.
    repairs : tuple of str
        What pres-plugin repairs in the framework while it is connected, because this
        version of the framework does not support this version of Python.
    """

    framework: str
    version: str | None
    connected: bool
    problem: str | None
    repairs: tuple[str, ...] = ()


class Adapter(ABC):
    """Adds the measures to one framework, and takes them away again.

    A subclass names the framework, lists what it relies on and says what to
    change. Connecting happens once the framework has been imported; until then
    nothing here imports it.
    """

    #: The module whose import makes the framework ready to be connected.
    module: ClassVar[str]
    #: The name that the framework is installed by.
    distribution: ClassVar[str]
    #: Names that it used to be installed by.
    former_distributions: ClassVar[tuple[str, ...]] = ()
    #: Dotted names below `module` that connecting and scoring rely on. Those of a
    #: submodule that something of the same name hides: ``"submodule:name"``.
    relies_on: ClassVar[tuple[str, ...]]

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._changes: Changes | None = None
        self._problem: str | None = None

    @abstractmethod
    def _add(self, framework: Any, changes: Changes) -> None:
        """Add the measures to the imported `framework`, through `changes` alone."""

    def connect(self) -> None:
        """Add the measures to the framework, which has been imported. A second call does nothing.

        Raises
        ------
        UnsupportedFrameworkError
            If the framework lacks what the measures need, or has measures of
            these names already. It is then as it was before.
        """
        with self._lock:
            if self._changes is not None:
                return
            framework = import_module(self.module)
            self._check(framework)
            try:
                with Changes() as changes:
                    self._add(framework, changes)
            except NameTakenError as error:
                raise self._unsupported(str(error)) from error
            self._changes = changes
            self._problem = None

    def disconnect(self) -> None:
        """Put the framework back as it was before :meth:`connect`, if that was called."""
        with self._lock:
            changes, self._changes = self._changes, None
            self._problem = None
            if changes is not None:
                changes.undo()

    @property
    def connected(self) -> bool:
        """Whether the framework has our measures now."""
        return self._changes is not None

    def status(self) -> AdapterStatus:
        """Whether the framework is installed and connected, without importing it."""
        return AdapterStatus(
            self.distribution,
            self.installed_version(),
            self.connected,
            self._problem,
            () if self._changes is None else tuple(self._changes.repairs),
        )

    def installed_version(self) -> str | None:
        """Version of the framework that is installed, None if none is."""
        # Costs a quarter of what importing numpy does, so not at the top.
        from importlib import metadata

        for name in (self.distribution, *self.former_distributions):
            with suppress(metadata.PackageNotFoundError):
                return metadata.version(name)
        return None

    def _check(self, framework: Any) -> None:
        for name in self.relies_on:
            submodule, _, attributes = name.rpartition(":")
            owner = sys.modules.get(f"{self.module}.{submodule}") if submodule else framework
            try:
                reduce(getattr, attributes.split("."), owner)
            except AttributeError:
                raise self._unsupported(f"it has no {self.module}.{name}") from None

    def _unsupported(self, what: str) -> UnsupportedFrameworkError:
        """Remember, and return, an error that says which version of what, and `what` about it."""
        self._problem = (
            f"pres-plugin cannot add its measures to {self.distribution} "
            f"{self.installed_version() or '(version unknown)'}: {what}"
        )
        return UnsupportedFrameworkError(self._problem)
