"""What a notebook shows is what it prints and draws when it runs."""

import importlib.util
import re

import pytest
import run_notebooks

nbformat = pytest.importorskip("nbformat", reason="Jupyter is not installed")
pytest.importorskip("nbclient", reason="nbclient, which runs notebooks, is not installed")
pytest.importorskip("ipykernel", reason="ipykernel, which notebooks run in, is not installed")

NOTEBOOKS = sorted(run_notebooks.NOTEBOOKS.glob("*.ipynb"))
PICTURE = "image/png"

pytestmark = pytest.mark.slow


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cell):
    """All that a cell shows but pictures, whose bytes are not the same on every machine."""
    for output in cell.outputs:
        if output.output_type == "stream":
            yield output.name, output.text
        else:
            data = {kind: PICTURE if kind == PICTURE else out for kind, out in output.data.items()}
            yield output.output_type, data


def skip_without_its_modules(notebook):
    code = "\n".join(cell.source for cell in code_cells(notebook))
    for module in re.findall(r"^(?:from|import) (\w+)", code, flags=re.MULTILINE):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module}, which the notebook imports, is not installed")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_computes(path):
    stored = nbformat.read(path, as_version=4)
    skip_without_its_modules(stored)
    now = run_notebooks.run(path)
    for before, after in zip(code_cells(stored), code_cells(now), strict=True):
        assert [*shown(before)] == [*shown(after)], before.source


def test_a_notebook_that_warns_is_refused(tmp_path):
    cell = nbformat.v4.new_code_cell("import warnings\nwarnings.warn('old')")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "warns.ipynb")
    with pytest.raises(ValueError, match=r"warns\.ipynb, cell 1 writes to standard error"):
        run_notebooks.run(tmp_path / "warns.ipynb")
