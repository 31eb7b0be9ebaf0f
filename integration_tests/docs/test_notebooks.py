"""Check the stored notebooks, and, in slow tests, that running them gives the stored output."""

import base64
import importlib.util
import io
import json
import re

import numpy as np
import pytest
import run_notebooks
from matplotlib.image import imread

NOTEBOOKS = sorted(run_notebooks.NOTEBOOKS.glob("*.ipynb"))
PICTURE = "image/png"
DOCS = run_notebooks.NOTEBOOKS.parent

MANY_BYTES = 400_000

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def code_cells(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def pictures(notebook):
    """Return all pictures as arrays: height, width and colour from 0 to 1."""
    return [
        imread(io.BytesIO(base64.b64decode("".join(output["data"][PICTURE]))))
        for cell in code_cells(notebook)
        for output in cell["outputs"]
        if PICTURE in output.get("data", {})
    ]


def words(output):
    """Return an output without its pictures, whose encoded data may contain any string."""
    return {
        key: {kind: data for kind, data in value.items() if kind != PICTURE}
        if key == "data"
        else value
        for key, value in output.items()
    }


def test_there_are_notebooks():
    assert {"dataframes", "ir-measures", "pyterrier", "ranx", "studies"} <= {
        path.stem for path in NOTEBOOKS
    }


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
def test_a_notebook_contains_nothing_of_the_machine_that_ran_it(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["metadata"] == run_notebooks.METADATA
    cells = code_cells(notebook)
    assert all("execution" not in cell["metadata"] for cell in notebook["cells"])
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    shown = str([words(output) for cell in cells for output in cell["outputs"]])
    assert not re.search(r"/(?:home|root|tmp|Users|usr|var)/|site-packages|0x[0-9a-f]{8}", shown)
    assert path.stat().st_size < MANY_BYTES


def test_each_notebook_has_its_own_description():
    first = [json.loads(path.read_text(encoding="utf-8"))["cells"][0] for path in NOTEBOOKS]
    descriptions = [cell["metadata"]["description"] for cell in first]
    assert len(set(descriptions)) == len(NOTEBOOKS)
    assert all(50 <= len(description) <= 155 for description in descriptions)
    assert all("".join(cell["source"]).startswith("# ") for cell in first)


@each_notebook
def test_each_picture_has_an_alternative_text(path):
    for cell in code_cells(json.loads(path.read_text(encoding="utf-8"))):
        has_picture = any(PICTURE in output.get("data", {}) for output in cell["outputs"])
        assert has_picture == ("alt" in cell["metadata"]), "".join(cell["source"])


@each_notebook
def test_links_lead_to_files_in_docs(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    targets = re.findall(r"\]\(([^)#\s]+)", text)
    assert targets
    for target in targets:
        if not target.startswith("https://"):
            file = (path.parent / target).resolve()
            assert file.is_file(), target
            assert file.is_relative_to(DOCS.resolve()), target


@pytest.fixture
def nbformat():
    """Return nbformat, or skip the test if notebooks cannot be run here."""
    for module in ("nbclient", "ipykernel"):
        pytest.importorskip(module, reason=f"{module} is not installed, so notebooks cannot be run")
    return pytest.importorskip("nbformat", reason="Jupyter is not installed")


def without_drawings(kind, data):
    """Return an output without drawings, whose bytes differ between machines."""
    if kind == PICTURE:
        return PICTURE
    return re.sub("<svg .*?</svg>", "<svg>", data, flags=re.DOTALL) if kind == "text/html" else data


def shown(cell):
    """Yield the outputs of a cell, without pictures."""
    for output in cell.outputs:
        if output.output_type == "stream":
            yield output.name, output.text
        else:
            data = {kind: without_drawings(kind, data) for kind, data in output.data.items()}
            yield output.output_type, data


@pytest.mark.release
@each_notebook
def test_a_notebook_shows_what_it_computes(path, nbformat):
    stored = nbformat.read(path, as_version=4)
    code = "\n".join(cell.source for cell in code_cells(stored))
    for module in re.findall(r"^(?:from|import) (\w+)", code, flags=re.MULTILINE):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module}, which the notebook imports, is not installed")
    now = run_notebooks.run(path)
    for before, after in zip(code_cells(stored), code_cells(now), strict=True):
        assert [*shown(before)] == [*shown(after)], before.source
    assert len(pictures(now)) == len(pictures(stored))


@pytest.mark.release
def test_a_notebook_that_warns_is_refused(tmp_path, nbformat):
    cell = nbformat.v4.new_code_cell("import warnings\nwarnings.warn('old')")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "warns.ipynb")
    with pytest.raises(ValueError, match=r"warns\.ipynb, cell 1 writes to standard error"):
        run_notebooks.run(tmp_path / "warns.ipynb")
