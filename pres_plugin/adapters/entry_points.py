"""The functions that frameworks load through the entry points in pyproject.toml.

This module imports none of our modules. A thread that imports pres_plugin may be
waiting for a thread that imports a framework, which calls these functions. If they
waited for the first thread in turn, neither would finish.
"""

from __future__ import annotations

import sys
from types import ModuleType

__all__ = ["pyterrier_namespace"]


def pyterrier_namespace() -> ModuleType:
    """Return the package, which PyTerrier makes available as ``pt.pres``."""
    return sys.modules["pres_plugin"]
