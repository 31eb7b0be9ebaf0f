"""Run notebooks and store their output: python docs/run_notebooks.py [NOTEBOOK ...].

The default is all notebooks in `docs/notebooks`. Each one runs in its own kernel, in its folder, as
in Jupyter. Times, versions and settings of the machine are not stored. So running a notebook again
changes the file only if its code or its results have changed.
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

SECONDS_PER_CELL = 600


def run(path: Path) -> NotebookNode:
    """Return the notebook with new outputs.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        If a cell fails.
    ValueError
        If a cell writes to standard error, for example a warning.
    """
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=SECONDS_PER_CELL,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        coalesce_streams=True,
    )
    with TemporaryDirectory() as settings:
        # An empty folder, so that the settings of the user do not change the output.
        client.execute(env={**os.environ, "IPYTHONDIR": settings})
    notebook.metadata = nbformat.from_dict(METADATA)
    for number, cell in enumerate(notebook.cells, start=1):
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":
                raise ValueError(
                    f"{path.name}, cell {number} writes to standard error; "
                    f"change the cell so that it does not:\n{output.text}"
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
