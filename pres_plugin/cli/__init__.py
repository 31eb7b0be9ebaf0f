"""The command ``pres-eval``; its subcommands are in ``commands``, one module each."""

from __future__ import annotations

import os
import sys

__all__ = ["main"]


def main() -> None:
    """Run ``pres-eval`` with the arguments of the process, and exit."""
    # Polars' allocator keeps memory for each of several arenas, and for each thread;
    # files are read in pieces that one after the other fit into the same.
    os.environ.setdefault("_RJEM_MALLOC_CONF", "narenas:1,tcache:false")
    try:
        from pres_plugin.cli.app import run

        status = run()
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("pres_plugin"):
            raise
        status = _missing(error.name)
    sys.exit(status)


def _missing(module: str) -> int:
    print(
        f"pres-eval: {module} is not installed; to install what the command needs: "
        "pip install 'pres-plugin[cli]'",
        file=sys.stderr,
    )
    return 2
