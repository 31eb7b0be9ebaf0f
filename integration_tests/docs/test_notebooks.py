"""What a notebook shows is what it prints and draws when it runs."""

import base64
import importlib.util
import io
import re
from pathlib import Path

import numpy as np
import pytest

nbformat = pytest.importorskip("nbformat", reason="Jupyter is not installed")
pytest.importorskip("nbclient", reason="nbclient, which runs notebooks, is not installed")
pytest.importorskip("ipykernel", reason="ipykernel, which notebooks run in, is not installed")

import run_notebooks  # noqa: E402
from matplotlib.image import imread  # noqa: E402

DOCS = Path(__file__).parents[2] / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))
PICTURE = "image/png"

MANY_BYTES = 400_000

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def texts(cell):
    """All that a cell shows but pictures, whose bytes are not the same on every machine."""
    shown = []
    for output in cell.outputs:
        if output.output_type == "stream":
            shown.append((output.name, output.text))
        else:
            data = {kind: PICTURE if kind == PICTURE else out for kind, out in output.data.items()}
            shown.append((output.output_type, data))
    return shown


def pictures(notebook):
    """All pictures, as arrays of height, width and colour from 0 to 1."""
    return [
        imread(io.BytesIO(base64.b64decode(output.data[PICTURE])))
        for cell in code_cells(notebook)
        for output in cell.outputs
        if PICTURE in output.get("data", {})
    ]


def skip_without_its_modules(notebook):
    code = "\n".join(cell.source for cell in code_cells(notebook))
    for module in re.findall(r"^(?:from|import) (\w+)", code, flags=re.MULTILINE):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module}, which the notebook imports, is not installed")


def test_there_are_notebooks():
    assert {"dataframes", "ir-measures", "pyterrier", "ranx"} <= {path.stem for path in NOTEBOOKS}


@pytest.mark.slow
@each_notebook
def test_a_notebook_shows_what_it_computes(path):
    stored = nbformat.read(path, as_version=4)
    skip_without_its_modules(stored)
    now = run_notebooks.run(path)
    for before, after in zip(code_cells(stored), code_cells(now), strict=True):
        assert texts(before) == texts(after), before.source
    assert len(pictures(now)) == len(pictures(stored))


@each_notebook
def test_a_notebook_has_pictures_to_look_at(path):
    found = pictures(nbformat.read(path, as_version=4))
    assert found
    for picture in found:
        colours, counts = np.unique(
            picture[..., :3].reshape(-1, 3).round(2), axis=0, return_counts=True
        )
        assert len(colours) > 10
        assert 0.3 < counts.max() / counts.sum() < 0.97  # the background


@each_notebook
def test_a_notebook_holds_nothing_of_the_machine_that_ran_it(path):
    notebook = nbformat.read(path, as_version=4)
    assert notebook.metadata == run_notebooks.METADATA
    assert all("execution" not in cell.metadata for cell in notebook.cells)
    counts = [cell.execution_count for cell in code_cells(notebook)]
    assert counts == list(range(1, len(counts) + 1))
    shown = str([texts(cell) for cell in code_cells(notebook)])
    assert not re.search(r"/(?:home|root|tmp|Users|usr|var)/|site-packages|0x[0-9a-f]{8}", shown)
    assert path.stat().st_size < MANY_BYTES


def test_a_notebook_that_warns_is_refused(tmp_path):
    cell = nbformat.v4.new_code_cell("import warnings\nwarnings.warn('old')")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "warns.ipynb")
    with pytest.raises(ValueError, match=r"warns\.ipynb, cell 1 writes to standard error"):
        run_notebooks.run(tmp_path / "warns.ipynb")
