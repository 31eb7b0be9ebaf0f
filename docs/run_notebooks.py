"""Runs the notebooks of ``docs/notebooks`` and stores what they print and draw.

    python docs/run_notebooks.py [NOTEBOOK ...]

Without arguments, all of them. Each runs in a kernel of its own, in its folder,
as it does when it is opened there. Times, versions and settings of the machine
are not stored, so that running a notebook again changes it only where its code
or what it computes has changed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbformat import NotebookNode

NOTEBOOKS = Path(__file__).parent / "notebooks"

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}

SECONDS_A_CELL = 600


def run(path: Path) -> NotebookNode:
    """The notebook with the outputs that it has now.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        If a cell fails.
    ValueError
        If a cell writes to standard error, which is where warnings go.
    """
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=SECONDS_A_CELL,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        coalesce_streams=True,
    )
    with TemporaryDirectory() as settings:
        # Not the settings that somebody may have made for IPython.
        client.execute(env={**os.environ, "IPYTHONDIR": settings})
    notebook.metadata = nbformat.from_dict(METADATA)
    for number, cell in enumerate(notebook.cells, start=1):
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":
                raise ValueError(
                    f"{path.name}, cell {number} writes to standard error; "
                    f"mend what it warns of:\n{output.text}"
                )
    return notebook


def main(names: list[str]) -> None:
    """Run notebooks and write them back."""
    import nbformat

    for path in map(Path, names) if names else sorted(NOTEBOOKS.glob("*.ipynb")):
        nbformat.write(run(path), path)
        print(path.name)


if __name__ == "__main__":
    main(sys.argv[1:])
