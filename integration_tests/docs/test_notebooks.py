"""The contents of the notebooks; test_running_notebooks.py runs them."""

import base64
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
import run_notebooks
from matplotlib.image import imread

DOCS = Path(__file__).parents[2] / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))

MANY_BYTES = 400_000

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def code_cells(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def pictures(notebook):
    """All pictures, as arrays of height, width and colour from 0 to 1."""
    return [
        imread(io.BytesIO(base64.b64decode("".join(output["data"]["image/png"]))))
        for cell in code_cells(notebook)
        for output in cell["outputs"]
        if "image/png" in output.get("data", {})
    ]


def words(output):
    """An output without its pictures, whose encoded data may contain any string."""
    return {
        key: {kind: data for kind, data in value.items() if kind != "image/png"}
        if key == "data"
        else value
        for key, value in output.items()
    }


def test_there_are_notebooks():
    assert {"dataframes", "ir-measures", "pyterrier", "ranx"} <= {path.stem for path in NOTEBOOKS}


@each_notebook
def test_a_notebook_has_pictures_to_look_at(path):
    found = pictures(json.loads(path.read_text(encoding="utf-8")))
    assert found
    for picture in found:
        every_other = picture[::2, ::2, :3].reshape(-1, 3).round(2)
        colours, counts = np.unique(every_other, axis=0, return_counts=True)
        assert len(colours) > 10
        assert 0.3 < counts.max() / counts.sum() < 0.97  # the background


@each_notebook
def test_a_notebook_holds_nothing_of_the_machine_that_ran_it(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["metadata"] == run_notebooks.METADATA
    cells = code_cells(notebook)
    assert all("execution" not in cell["metadata"] for cell in notebook["cells"])
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    shown = str([words(output) for cell in cells for output in cell["outputs"]])
    assert not re.search(r"/(?:home|root|tmp|Users|usr|var)/|site-packages|0x[0-9a-f]{8}", shown)
    assert path.stat().st_size < MANY_BYTES
