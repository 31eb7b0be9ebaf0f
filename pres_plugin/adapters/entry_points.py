"""The functions that frameworks load through the entry points in pyproject.toml.

This module imports none of our other modules. A thread that imports pres_plugin may
wait for a thread that imports a framework and calls these functions. If importing one
of our modules made the second thread wait for the first, neither would finish.
"""

from __future__ import annotations

import sys
from types import ModuleType


def pyterrier_namespace() -> ModuleType:
    """Return the package, which PyTerrier makes available as ``pt.pres``."""
    return sys.modules["pres_plugin"]
