"""The stored notebooks: what they show is what they compute, without traces of a machine."""

import importlib.util
import json
import re

import pytest
import run_notebooks

NOTEBOOKS = sorted(run_notebooks.NOTEBOOKS.glob("*.ipynb"))
PICTURE = "image/png"

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def code_cells(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def outputs(cell):
    """Yield the outputs of a cell, without drawings, whose bytes differ between machines."""
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            yield output["name"], "".join(output["text"])
        # Files store the formats of an output in alphabetical order.
        for kind, data in sorted(output.get("data", {}).items()):
            text = "" if kind == PICTURE else "".join(data)
            yield kind, re.sub("<svg .*?</svg>", "<svg>", text, flags=re.DOTALL)


@each_notebook
def test_a_notebook_contains_nothing_of_the_machine_that_ran_it(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["metadata"] == run_notebooks.METADATA
    shown = [output for cell in code_cells(notebook) for output in outputs(cell)]
    assert PICTURE in dict(shown)
    assert not re.search(
        r"/(?:home|root|tmp|Users|usr|var)/|site-packages|0x[0-9a-f]{8}", str(shown)
    )


@pytest.mark.release
@each_notebook
def test_a_notebook_shows_what_it_computes(path):
    for module in ("nbclient", "ipykernel"):
        pytest.importorskip(module, reason=f"{module} is not installed, so notebooks cannot be run")
    stored = json.loads(path.read_text(encoding="utf-8"))
    code = "\n".join("".join(cell["source"]) for cell in code_cells(stored))
    for module in re.findall(r"^(?:from|import) (\w+)", code, flags=re.MULTILINE):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module}, which the notebook imports, is not installed")
    now = run_notebooks.run(path)
    for before, after in zip(code_cells(stored), code_cells(now), strict=True):
        assert [*outputs(before)] == [*outputs(after)], before["source"]
