"""The interface between pres-plugin and a framework that it adds its measures to."""

from __future__ import annotations

import sys
import threading
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar

from pres_plugin.adapters.changes import Changes, NameTakenError
from pres_plugin.adapters.import_hook import is_being_imported

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
    #: Dotted names below `module` that connecting and scoring rely on. ``"submodule:name"``
    #: if the framework itself need not have the submodule as an attribute.
    relies_on: ClassVar[tuple[str, ...]]

    def __init__(self) -> None:
        self._lock = threading.RLock()
        # To every copy of the framework that is still in use. There are several if the
        # framework was deleted from sys.modules and imported again.
        self._changes = Changes()
        self._connected: ModuleType | None = None
        # The module that connecting was last tried with.
        self._tried: ModuleType | None = None
        self._problem: str | None = None

    @abstractmethod
    def _add(self, framework: Any, changes: Changes) -> None:
        """Add the measures to the imported `framework`, through `changes` alone.

        What may already be there of ours is replaced: a new copy of the framework
        may share submodules with the copy before it.
        """

    def _before_reload(self, framework: Any, changes: Changes) -> None:  # noqa: B027 (optional)
        """Undo what would make the code of a connected `framework` fail when it runs again."""

    def connect(self, *, again: bool = False) -> None:
        """Add the measures to the framework, which has been imported. A second call does nothing.

        Parameters
        ----------
        again : bool, default False
            Whether to add the measures again if they have been added to this very
            module, because its code has run again.

        Raises
        ------
        UnsupportedFrameworkError
            If the framework lacks what the measures need or has measures of
            these names already, or if anything else goes wrong. Every copy of
            the framework is then as it was before.
        """
        with self._lock:
            framework = sys.modules.get(self.module)
            if framework is None or (framework is self._connected and not again):
                return
            self._tried = framework
            try:
                with Changes() as changes:
                    self._check(framework)
                    self._add(framework, changes)
            except Exception as error:  # importing the framework must succeed, whatever it is
                raise self._failed(error) from error
            self._changes.update(changes)
            self._connected = framework
            self._problem = None

    def disconnect(self) -> list[str]:
        """Undo all changes to every copy of the framework.

        Returns
        -------
        list of str
            The changes that could not be undone, each with the reason.
        """
        with self._lock:
            self._problem = self._tried = None
            return self._forget_changes()

    def before_import(self) -> None:
        """Prepare for the framework's code to run, for the first time or again."""
        # The import must succeed, whatever happens here.
        with self._lock, suppress(Exception):
            framework = sys.modules.get(self.module)
            if framework is not None and framework is self._connected:
                self._before_reload(framework, self._changes)

    @property
    def is_due(self) -> bool:
        """Whether the framework has been imported, and :meth:`connect` was not tried since."""
        framework = sys.modules.get(self.module)
        return (
            framework is not None
            and framework is not self._tried
            and not is_being_imported(framework)
        )

    @property
    def is_unfinished(self) -> bool:
        """Whether the framework is still being imported, and lacks something that it may get."""
        framework = sys.modules.get(self.module)
        return (
            framework is not None
            and is_being_imported(framework)
            and self._missing(framework) is not None
        )

    @property
    def connected(self) -> bool:
        """Whether the framework has our measures now."""
        framework = sys.modules.get(self.module)
        return framework is not None and framework is self._connected

    @property
    def problem(self) -> str | None:
        """Why the framework could not be connected, if that was tried."""
        return self._problem

    def status(self) -> AdapterStatus:
        """Whether the framework is installed and connected, without importing it."""
        return AdapterStatus(
            self.distribution,
            self.installed_version(),
            self.connected,
            self._problem,
            tuple(self._changes.repairs),
        )

    def installed_version(self) -> str | None:
        """Version of the framework that is installed, None if none is."""
        # Costs a quarter of what importing numpy does, so not at the top.
        from importlib import metadata

        for name in (self.distribution, *self.former_distributions):
            # Damaged metadata can raise anything, and this is asked while importing.
            with suppress(Exception):
                return metadata.version(name)
        return None

    def _submodule(self, name: str) -> Any:
        # Not as an attribute: a new copy of the framework lacks those of submodules that
        # had been imported before.
        return sys.modules[f"{self.module}.{name}"]

    def _missing(self, framework: Any) -> str | None:
        """The first name that the framework does not have, of those that are needed."""
        for name in self.relies_on:
            submodule, _, attributes = name.rpartition(":")
            owner = sys.modules.get(f"{self.module}.{submodule}") if submodule else framework
            try:
                reduce(getattr, attributes.split("."), owner)
            except Exception:  # an attribute that is made when asked for can raise anything
                return f"{self.module}.{name.replace(':', '.')}"
        return None

    def _check(self, framework: Any) -> None:
        for submodule in {name.rpartition(":")[0] for name in self.relies_on} - {""}:
            # The framework may leave it out, and imports it when it needs it.
            with suppress(ImportError):
                import_module(f"{self.module}.{submodule}")
        if (missing := self._missing(framework)) is not None:
            raise self._unsupported(f"it has no {missing}")

    def _unsupported(self, what: str) -> UnsupportedFrameworkError:
        """Remember, and return, an error that says which version of what, and `what` about it."""
        return self._remember(
            f"pres-plugin cannot add its measures to {self._name_and_version()}: {what}"
        )

    def _remember(self, problem: str) -> UnsupportedFrameworkError:
        self._problem = problem
        return UnsupportedFrameworkError(problem)

    def _name_and_version(self) -> str:
        return f"{self.distribution} {self.installed_version() or '(version unknown)'}"

    def _failed(self, error: Exception) -> UnsupportedFrameworkError:
        """Undo all changes, and return the error for what went wrong."""
        if isinstance(error, UnsupportedFrameworkError):
            problem = str(error)
        elif isinstance(error, NameTakenError):
            problem = str(self._unsupported(str(error)))
        else:
            problem = str(self._unsupported(f"{type(error).__name__}: {error}"))
        if failures := self._forget_changes():
            problem += f"; these changes could not be undone: {'; '.join(failures)}"
        return self._remember(problem)

    def _forget_changes(self) -> list[str]:
        self._connected = None
        return self._changes.undo()
