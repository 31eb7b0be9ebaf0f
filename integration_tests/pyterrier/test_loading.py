"""What goes wrong when PyTerrier is connected, each time in a fork that has not imported it.

``integration_tests/test_framework_contract.py`` tests what holds for each framework.
"""

import shutil
from functools import partial
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import pytest
from forks import OF_PYTERRIER, python
from repetitions import every

pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")


pytestmark = [pytest.mark.xdist_group("forks for PyTerrier"), pytest.mark.ci]

run = partial(python, modules=OF_PYTERRIER)


OWN_PRES = """
from .base import Measure, register
class _PRES(Measure):
    __name__ = NAME = PRETTY_NAME = "PRES"
    SUPPORTED_PARAMS = dict(_AP.SUPPORTED_PARAMS)
import ir_measures
PRES = ir_measures.PRES = _PRES()
register(PRES)
"""


def test_a_namespace_of_that_name_is_left_alone():
    _, warned = run(
        """
import pres_plugin
pres_plugin.deactivate()
import pyterrier as pt
pt.pres = "somebody else's"
pres_plugin.activate()
assert pt.pres == "somebody else's"
assert not hasattr(pt.measures, "PRES")
""",
        "-W", "always",
    )  # fmt: skip
    assert "pyterrier.pres already exists" in warned


def test_a_changed_pyterrier_can_be_imported_with_a_warning(tmp_path):
    copy = tmp_path / "pyterrier"
    shutil.copytree(Path(pt.__file__).parent, copy)
    for path in copy.joinpath("_evaluation").glob("*.py"):
        text = path.read_text(encoding="utf-8").replace("parse_trec_measure", "parse_measure")
        path.write_text(text, encoding="utf-8")
    _, warned = run(
        f"""
import pyterrier as pt
assert pt.__file__.startswith({str(tmp_path)!r})
assert not hasattr(pt.measures, "PRES")
status = {{s.framework: s for s in pt.pres.status()}}
assert not status["pyterrier"].connected and status["ir-measures"].connected
""",
        "-W", "always",
        path=[tmp_path],
    )  # fmt: skip
    version = metadata.version("pyterrier")
    assert f"RuntimeWarning: pres-plugin cannot add its measures to pyterrier {version}" in warned
    assert "does not read measures with ir_measures.parse_trec_measure" in warned


@pytest.mark.parametrize("first", every(2, ["import pyterrier", "import pres_plugin, pyterrier"]))
def test_where_ir_measures_has_its_own_pres_there_is_one_warning_for_each(first, tmp_path):
    copy = tmp_path / "ir_measures"
    shutil.copytree(Path(find_spec("ir_measures").origin).parent, copy)
    with (copy / "measures" / "ap.py").open("a") as file:
        file.write(OWN_PRES)
    _, warned = run(
        f"""
{first}
import ir_measures, pres_plugin
assert ir_measures.__file__.startswith({str(tmp_path)!r})
assert pyterrier.measures.PRES is ir_measures.PRES is ir_measures.measures.registry["PRES"]
assert not hasattr(pyterrier.measures, "Rnorm")
assert not any(status.connected for status in pres_plugin.status())
""",
        "-W", "always",
        path=[tmp_path],
    )  # fmt: skip
    lines = [line for line in warned.splitlines() if "RuntimeWarning: " in line]
    messages = [line.partition("RuntimeWarning: ")[2] for line in lines if "pres-plugin" in line]
    of_ir_measures, of_pyterrier = messages
    assert "the entry 'PRES' already exists" in of_ir_measures
    assert of_pyterrier.startswith("pres-plugin cannot add its measures to pyterrier ")
    assert (
        f"it scores with ir-measures, which does not have them ({of_ir_measures})" in of_pyterrier
    )


def test_pyterrier_can_be_imported_where_ir_measures_is_not_supported():
    _, warned = run(
        """
import ir_measures
del ir_measures.util.QrelsConverter.predict_type
import pyterrier as pt
assert not hasattr(pt.measures, "PRES")
""",
        "-W", "always",
    )  # fmt: skip
    assert "it has no ir_measures.util.QrelsConverter.predict_type" in warned
    assert "it scores with ir-measures, which does not have them" in warned
