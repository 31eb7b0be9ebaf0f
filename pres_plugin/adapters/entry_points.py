"""What frameworks load themselves, by the entry points in pyproject.toml.

This imports nothing of ours. A thread that imports the package may be waiting for
another in which a framework is being imported and loads these: nothing here may
wait for the first in turn.
"""

from __future__ import annotations

import sys
from types import ModuleType

__all__ = ["pyterrier_namespace"]


def pyterrier_namespace() -> ModuleType:
    """The package itself: what PyTerrier, when it is imported, shows as ``pt.pres``."""
    return sys.modules["pres_plugin"]
