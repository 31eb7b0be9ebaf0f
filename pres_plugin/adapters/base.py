"""The base class of all adapters. An adapter adds the measures to one framework."""

from __future__ import annotations

import sys
import threading
import warnings
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass
from types import ModuleType
from typing import Any, ClassVar

from pres_plugin.adapters.changes import Changes
from pres_plugin.adapters.import_hook import is_being_imported


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
    #: Dotted names below `module` that connecting and scoring rely on. A name is written
    #: ``"submodule:name"`` if `module` may lack the submodule as an attribute.
    relies_on: ClassVar[tuple[str, ...]]

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._changes = Changes()
        # The module that was last connected, or could not be.
        self._tried: ModuleType | None = None
        #: Why :meth:`connect` failed; None if it succeeded or was not tried.
        self.problem: str | None = None

    @abstractmethod
    def _add(self, framework: Any, changes: Changes) -> None:
        """Add the measures to the imported `framework`, making every change with `changes`.

        Replace any of our objects that are already there, because the framework may have been
        reloaded. Raise a RuntimeError with the reason if the framework is not supported.
        """

    @property
    def connected(self) -> bool:
        """Whether the framework has our measures now."""
        framework = sys.modules.get(self.module)
        return framework is not None and framework is self._tried and self.problem is None

    @property
    def is_due(self) -> bool:
        """Whether the framework has been imported and :meth:`connect` has not been tried since."""
        framework = sys.modules.get(self.module)
        return (
            framework is not None
            and framework is not self._tried
            and not is_being_imported(framework)
        )

    def connect(self) -> None:
        """Add the measures to the imported framework, or add them again.

        If anything fails, undo all changes, set :attr:`problem` and warn, so that the framework's
        import never fails.
        """
        with self._lock:
            framework = self._tried = sys.modules[self.module]
            try:
                self._check()
                self._add(framework, self._changes)
            except Exception as error:  # no error may break the framework's import
                self.problem = self._describe(error)
                if failures := self._changes.undo():
                    self.problem += f"; these changes could not be undone: {'; '.join(failures)}"
            else:
                self.problem = None
        if self.problem:
            warnings.warn(self.problem, RuntimeWarning, stacklevel=2)

    def disconnect(self) -> list[str]:
        """Undo all changes to the framework; return those that cannot be undone."""
        with self._lock:
            self.problem = self._tried = None
            return self._changes.undo()

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

        # Damaged metadata can raise any error, and this runs during imports.
        with suppress(Exception):
            return metadata.version(self.distribution)
        return None

    def _submodule(self, name: str) -> Any:
        return sys.modules[f"{self.module}.{name}"]

    def _check(self) -> None:
        """Raise a RuntimeError if the framework lacks a name in `relies_on`."""
        from pkgutil import resolve_name  # slow to import, and frameworks import it, too

        for name in self.relies_on:
            path = f"{self.module}{'.' if ':' in name else ':'}{name}"
            try:
                resolve_name(path)
            except Exception as error:  # an attribute computed on access can raise any error
                raise RuntimeError(f"it has no {path.replace(':', '.')}") from error

    def _describe(self, error: Exception) -> str:
        """Return why connecting failed, with the framework's name and version."""
        framework = f"{self.distribution} {self._installed_version() or '(version unknown)'}"
        # Our own errors are of this class, and state the reason in a sentence.
        kind = "" if type(error) is RuntimeError else f"{type(error).__name__}: "
        return f"pres-plugin cannot add its measures to {framework}: {kind}{error}"
