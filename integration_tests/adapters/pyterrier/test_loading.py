"""How the measures get into PyTerrier, each time in a fork in which nothing of it is imported."""

import shutil
from functools import partial
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import pytest
from forks import python
from repetitions import every

pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")


pytestmark = pytest.mark.xdist_group("forks for PyTerrier")

# What PyTerrier imports, in the parent of the forks.
run = partial(python, modules=("IPython", "pandas", "requests", "seaborn", "numba.typed", "wrapt"))


EVERYWHERE = """
import pyterrier as pt
from pyterrier.measures import PRES, PRES_est, Rnorm
from pyterrier.measures import *
import ir_measures, pres_plugin
for name in ("PRES", "PRES_est", "Rnorm"):
    measure = getattr(ir_measures, name)
    assert getattr(pt.measures, name) is getattr(pt.pres, name) is measure
    assert getattr(pres_plugin, name) is globals()[name] is measure
    assert name in dir(pt.measures) and name in dir(pt.pres)
assert pt.__all__.count("pres") == 1
assert all(s.connected for s in pres_plugin.status() if s.framework in ("ir-measures", "pyterrier"))
assert not pt.java.started()
"""


@pytest.mark.parametrize(
    "first",
    every(
        3,
        [
            "import pyterrier",
            "import ir_measures",
            "import pres_plugin, ir_measures",
            "import pres_plugin",
            "import ir_measures, pyterrier",
            "from pres_plugin import PRES",
            "from pyterrier.measures import Rnorm",
            "import pyterrier._evaluation._rendering",
        ],
    ),
)
def test_any_import_may_come_first(first):
    run(f"{first}\n{EVERYWHERE}")


OWN_PRES = """
from .base import Measure, register
class _PRES(Measure):
    __name__ = NAME = PRETTY_NAME = "PRES"
    SUPPORTED_PARAMS = dict(_AP.SUPPORTED_PARAMS)
import ir_measures
PRES = ir_measures.PRES = _PRES()
register(PRES)
"""


@pytest.mark.parametrize("delay", every(3, [0, 0.01, 0.03, 0.1, 0.2]))
def test_threads_may_import_at_the_same_time(delay):
    # Whichever comes first, all must end, and end connected. Numpy and pandas come
    # before: threads that import them at the same time fail without us, too.
    run(f"""
import faulthandler, threading, numpy.typing, pandas
faulthandler.dump_traceback_later(60, exit=True)
threads = [
    threading.Timer(delay, __import__, [name])
    for name, delay in [("pyterrier", 0), ("ir_measures", {delay} / 2), ("pres_plugin", {delay})]
]
for thread in threads: thread.start()
for thread in threads: thread.join()
{EVERYWHERE}""")


def test_importing_our_package_does_not_import_pyterrier():
    run("import pres_plugin, sys; assert 'pyterrier' not in sys.modules")


UNTOUCHED = """
import pyterrier as pt, pyterrier._evaluation._grid as grid, ir_measures
def state():
    return (
        sorted(vars(pt.measures)), pt.__all__[:], hasattr(pt, "pres"),
        ir_measures.parse_trec_measure,
        [getattr(m, n) for m in (pt, pt._evaluation, grid) for n in ("GridScan", "GridSearch")],
    )
"""


@pytest.mark.parametrize("first", ["import pyterrier", "import pres_plugin"])
def test_deactivating_leaves_pyterrier_as_it_was(first):
    run(f"""
{first}
{UNTOUCHED}
import pres_plugin
connected = state()
pres_plugin.deactivate()
without = state()
assert not {{"PRES", "PRES_est", "Rnorm"}} & set(without[0])
assert "pres" not in without[1] and not without[2]
assert without[3].__module__ == "ir_measures.util" and not hasattr(without[3], "__wrapped__")
assert not any(hasattr(function, "__wrapped__") for function in without[4])
pres_plugin.activate()
again = state()
assert again[:3] == connected[:3]
pres_plugin.activate()
assert state() == again
pres_plugin.deactivate()
assert state() == without
""")


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


@pytest.mark.parametrize(
    ("name", "other", "missing"),
    [
        (
            "_convert_measures",
            "_measures_of",
            "it has no pyterrier._evaluation._rendering._convert_measures",
        ),
        ("_grid", "_search", "it has no pyterrier._evaluation._grid"),
        (
            "parse_trec_measure",
            "parse_measure",
            "does not read measures with ir_measures.parse_trec_measure",
        ),
    ],
)
def test_a_changed_pyterrier_can_be_imported_with_a_warning(tmp_path, name, other, missing):
    copy = tmp_path / "pyterrier"
    shutil.copytree(Path(pt.__file__).parent, copy)
    for path in list(copy.joinpath("_evaluation").glob("*.py")):
        text = path.read_text(encoding="utf-8").replace(name, other)
        path.unlink()
        path.with_name(path.name.replace(name, other)).write_text(text, encoding="utf-8")
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
    assert missing in warned


AGAIN = {
    "reloaded": "importlib.reload(sys.modules['pyterrier'])",
    "deleted at the top": "del sys.modules['pyterrier']",
    "deleted with all submodules": "forget('pyterrier')",
    "ir_measures reloaded": "importlib.reload(sys.modules['ir_measures'])",
    "ir_measures deleted at the top": "del sys.modules['ir_measures']",
    "ir_measures deleted with all submodules": "forget('ir_measures')",
    "both deleted": "forget('ir_measures'); forget('pyterrier')",
    "we deleted": "forget('pres_plugin')",
}


@pytest.mark.parametrize("again", every(3, AGAIN.values()), ids=AGAIN)
def test_imported_again_it_is_connected_once_and_put_back(again):
    run(f"""
import importlib, sys
def forget(package):
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]
import pyterrier
old = pyterrier
for _ in range(2):
    {again}
    import ir_measures, pyterrier as pt, pres_plugin
    for name in ("PRES", "PRES_est", "Rnorm"):
        assert getattr(pres_plugin, name) is getattr(ir_measures, name)
        assert hasattr(pt.measures, name) and name in dir(pt.pres)
    assert pt.__all__.count("pres") == 1
    for s in pres_plugin.status():
        assert s.connected == (s.framework != "ranx") and s.problem is None, s
    for hook in (pt.GridScan, pt.GridSearch, ir_measures.parse_trec_measure):
        assert not hasattr(hook.__wrapped__, "__wrapped__")

import pandas as pd
topics = pd.DataFrame([("q", "query")], columns=["qid", "query"])
qrels = pd.DataFrame([("q", "a", 1)], columns=["qid", "docno", "label"])
run = pd.DataFrame({{"qid": "q", "docno": ["b", "a"], "score": [2.0, 1.0], "rank": [0, 1]}})
for copy in (old, pt):
    measures = ["pres_2", "Rnorm(N=3)", copy.measures.PRES @ 2]
    rows = copy.Experiment([run], topics, qrels, measures)
    assert set(rows.iloc[0][1:]) == {{0.5}}, rows

pres_plugin.deactivate()
for copy in (old, pt):
    assert not hasattr(copy, "pres") and "pres" not in copy.__all__
    assert not hasattr(copy.GridScan, "__wrapped__")
    assert not {{"PRES", "PRES_est", "Rnorm"}} & set(vars(copy.measures))
assert not hasattr(ir_measures, "PRES")
""")


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
    assert "has its own PRES, so pres-plugin leaves ir-measures as it is" in of_ir_measures
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
