"""The base class of all adapters. An adapter adds the measures to one framework."""

from __future__ import annotations

import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar

from pres_plugin.adapters.changes import Changes, NameTakenError
from pres_plugin.adapters.import_hook import is_being_imported


class UnsupportedFrameworkError(RuntimeError):
    """The measures cannot be added to an installed framework.

    :func:`pres_plugin.activate` shows the message as a RuntimeWarning instead of raising this
    error, so that the framework itself still works.
    """


@dataclass(frozen=True)
class AdapterStatus:
    """The state of one framework, as :func:`pres_plugin.status` reports it.

    Attributes
    ----------
    framework : str
        Name of the framework's distribution.
    version : str or None
        Installed version, or None if the framework is not installed.
    connected : bool
        Whether the framework has our measures now.
    problem : str or None
        Why adding the measures failed; None if it succeeded or was not tried.
    repairs : tuple of str
        Parts of the framework that pres-plugin replaces while it is connected, because
        they do not work on this version of Python.
    """

    framework: str
    version: str | None
    connected: bool
    problem: str | None
    repairs: tuple[str, ...] = ()


class Adapter(ABC):
    """Adds the measures to one framework, and removes them again.

    A subclass names the framework, lists the names that it relies on and makes the
    changes. An adapter never imports its framework. It connects the framework after
    other code has imported it.
    """

    #: The framework's top-level module. Once it is imported, the framework can be connected.
    module: ClassVar[str]
    #: The framework's name on PyPI.
    distribution: ClassVar[str]
    #: Earlier names of the framework on PyPI.
    former_distributions: ClassVar[tuple[str, ...]] = ()
    #: Dotted names below `module` that connecting and scoring rely on. A name is written
    #: ``"submodule:name"`` if `module` may lack the submodule as an attribute.
    relies_on: ClassVar[tuple[str, ...]]

    def __init__(self, earlier: Mapping[str, Adapter]) -> None:
        #: The adapters of the frameworks that this one may build on, by folder.
        self.earlier = earlier
        self._lock = threading.RLock()
        # Changes to all copies of the framework that are still in use. There are several
        # copies if the framework was deleted from sys.modules and imported again.
        self._changes = Changes()
        self._connected: ModuleType | None = None
        # The module for which connect() was last tried.
        self._tried: ModuleType | None = None
        #: Why :meth:`connect` failed; None if it succeeded or was not tried.
        self.problem: str | None = None

    @abstractmethod
    def _add(self, framework: Any, changes: Changes) -> None:
        """Add the measures to the imported `framework`, making every change with `changes`.

        Replace any of our objects that are already there: a new copy of the framework
        may share submodules with the previous copy.
        """

    def _before_reload(self, framework: Any, changes: Changes) -> None:  # noqa: B027 (optional)
        """Undo the changes that would make reloading a connected `framework` fail."""

    def connect(self, *, again: bool = False) -> None:
        """Add the measures to the imported framework, unless it has been connected already.

        Use `again` after a reload. If anything fails, undo all changes to every copy of
        the framework, and raise an UnsupportedFrameworkError.
        """
        with self._lock:
            framework = sys.modules.get(self.module)
            if framework is None or (framework is self._connected and not again):
                return
            self._tried = framework
            try:
                self._check(framework)
                self._add(framework, self._changes)
            except Exception as error:  # no error may break the framework's import
                self.problem = self._describe(error)
                if failures := self._undo_changes():
                    self.problem += f"; these changes could not be undone: {'; '.join(failures)}"
                raise UnsupportedFrameworkError(self.problem) from error
            self._connected = framework
            self.problem = None

    def disconnect(self) -> list[str]:
        """Undo all changes to every copy of the framework; return those that cannot be undone."""
        with self._lock:
            self.problem = self._tried = None
            return self._undo_changes()

    def before_import(self) -> None:
        """Prepare for the framework's code to run, for the first time or again."""
        # No error here may break the framework's import.
        with self._lock, suppress(Exception):
            if self.connected:
                self._before_reload(self._connected, self._changes)

    @property
    def is_due(self) -> bool:
        """Whether the framework has been imported and :meth:`connect` has not been tried since."""
        framework = sys.modules.get(self.module)
        return (
            framework is not None
            and framework is not self._tried
            and not is_being_imported(framework)
        )

    @property
    def is_unfinished(self) -> bool:
        """Whether the framework is still being imported and lacks a name that we rely on."""
        framework = sys.modules[self.module]
        return is_being_imported(framework) and self._missing(framework) is not None

    @property
    def connected(self) -> bool:
        """Whether the framework has our measures now."""
        framework = sys.modules.get(self.module)
        return framework is not None and framework is self._connected

    def status(self) -> AdapterStatus:
        """Report the framework's version and state, without importing it."""
        return AdapterStatus(
            self.distribution,
            self._installed_version(),
            self.connected,
            self.problem,
            tuple(f"{what}: {why}" for what, why in self._changes.repairs.items()),
        )

    def _installed_version(self) -> str | None:
        # Imported only if used: the import takes a quarter as long as importing numpy.
        from importlib import metadata

        for name in (self.distribution, *self.former_distributions):
            # Damaged metadata can raise any error, and this runs during imports.
            with suppress(Exception):
                return metadata.version(name)
        return None

    def _submodule(self, name: str) -> Any:
        # A new copy of the framework has no attributes for submodules that were imported
        # before it, but sys.modules contains them.
        return sys.modules[f"{self.module}.{name}"]

    def _missing(self, framework: Any) -> str | None:
        """Return the first name in `relies_on` that the framework lacks, or None."""
        for name in self.relies_on:
            submodule, _, attributes = name.rpartition(":")
            owner = sys.modules.get(f"{self.module}.{submodule}") if submodule else framework
            try:
                reduce(getattr, attributes.split("."), owner)
            except Exception:  # an attribute computed on access can raise any error
                return f"{self.module}.{name.replace(':', '.')}"
        return None

    def _check(self, framework: Any) -> None:
        """Raise an error if the framework lacks a name in `relies_on`."""
        for submodule in {name.rpartition(":")[0] for name in self.relies_on} - {""}:
            # The framework may not have imported this submodule yet.
            with suppress(ImportError):
                import_module(f"{self.module}.{submodule}")
        if (missing := self._missing(framework)) is not None:
            raise self._unsupported(f"it has no {missing}")

    def _unsupported(self, reason: str) -> UnsupportedFrameworkError:
        """Return an error with the framework's name and version, and the reason."""
        return UnsupportedFrameworkError(
            f"pres-plugin cannot add its measures to {self._name_and_version()}: {reason}"
        )

    def _name_and_version(self) -> str:
        return f"{self.distribution} {self._installed_version() or '(version unknown)'}"

    def _describe(self, error: Exception) -> str:
        if isinstance(error, UnsupportedFrameworkError):
            return str(error)
        kind = "" if isinstance(error, NameTakenError) else f"{type(error).__name__}: "
        return str(self._unsupported(f"{kind}{error}"))

    def _undo_changes(self) -> list[str]:
        self._connected = None
        return self._changes.undo()
