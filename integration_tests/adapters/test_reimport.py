"""However a framework is imported again or installed, it is connected, and put back whole."""

import shutil
import textwrap
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from forks import run_python, run_with_ranx
from interpreter import run_python as run_process
from repetitions import every

RELOADED = "importlib.reload(sys.modules[name])"
WITHOUT_TOP = "del sys.modules[name]; importlib.import_module(name)"
WITHOUT_ALL = """
for module in [module for module in sys.modules if module.partition(".")[0] == name]:
    del sys.modules[module]
importlib.import_module(name)
"""
WITHOUT_SOME = """
for module in ("ir_measures", "ir_measures.providers", "pyterrier", "pyterrier._evaluation",
               "ranx", "ranx.metrics", "ranx.meta"):
    if module.partition(".")[0] == name:
        sys.modules.pop(module, None)
importlib.import_module(name)
"""
WITHOUT_US = """
for module in [module for module in sys.modules if module.partition(".")[0] == "pres_plugin"]:
    del sys.modules[module]
import pres_plugin
"""
LAZILY = """
spec = importlib.util.find_spec(name)
del sys.modules[name]
spec = importlib.util.find_spec(name)
spec.loader = importlib.util.LazyLoader(spec.loader)
module = sys.modules[name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
"""
FAILED_BEFORE = """
finder = type("Fails", (), {"find_spec": lambda *args: 1 / 0})()
sys.meta_path.insert(1, finder)
try:
    importlib.reload(sys.modules[name])
except ZeroDivisionError:
    sys.meta_path.remove(finder)
importlib.reload(sys.modules[name])
"""
PAST_OUR_FINDER = """
del sys.modules[name]
sys.meta_path.insert(0, importlib.machinery.PathFinder)
importlib.import_module(name)
del sys.meta_path[0]
"""
AGAIN = {
    "reloaded": RELOADED,
    "deleted at the top": WITHOUT_TOP,
    "deleted with all submodules": WITHOUT_ALL,
    "deleted with some submodules": WITHOUT_SOME,
    "found past our finder": PAST_OUR_FINDER,
    "lazily": LAZILY,
    "reloaded after that failed": FAILED_BEFORE,
    "with another copy of us": WITHOUT_US,
    "one way after the other": "\n".join([RELOADED, WITHOUT_TOP, RELOADED, WITHOUT_ALL, RELOADED]),
}

STATE = """
modules_of = {}

def note(name):
    # The modules of the copy of a framework that is imported now.
    modules = [m for key, m in list(sys.modules.items()) if f"{key}.".startswith(f"{name}.")]
    modules_of[id(sys.modules[name])] = modules
    return sys.modules[name]

def state(top):
    # Every object in the modules of a copy; of lists and dicts, what is in them.
    return {
        (module.__name__, id(module), key): list(value) if type(value) in (list, dict) else value
        for module in modules_of[id(top)]
        for key, value in vars(module).items()
        if key not in ("__builtins__", "__spec__", "__loader__", "__warningregistry__")
    }

def is_ours(value):
    globals_name = getattr(value, "__globals__", {}).get("__name__")
    return "pres_plugin" in f"{type(value).__module__} {globals_name}"
"""

CHECKS = {
    "ir_measures": """
        assert ir_measures.PRES is pres_plugin.PRES is ir_measures.measures.registry["PRES"]
        measure = ir_measures.parse_measure("PRES@2")
        assert measure == ir_measures.PRES @ 2
        assert ir_measures.parse_trec_measure("pres_2") == [measure]
        assert ir_measures.__all__.count("PRES") == ir_measures.measures.__all__.count("PRES") == 1
        names = [provider.NAME for provider in ir_measures.DefaultPipeline.providers]
        assert names[0] == "pres_plugin" and names.count("pres_plugin") == 1, names
        qrels, run = {"q": {"a": 1}}, {"q": {"b": 2.0, "a": 1.0}}
        for copy in copies:  # those before are in use by others
            scores = copy.calc_aggregate([copy.PRES @ 2, measure, copy.AP], qrels, run)
            assert set(scores.values()) == {0.5}, scores
        hook = ir_measures.parse_trec_measure
        assert not hasattr(hook.__wrapped__, "__wrapped__")
    """,
    "ranx": """
        qrels, run = {"q": {"a": 1, "b": 2}}, {"q": {"c": 3.0, "b": 2.0, "a": 1.0}}
        assert ranx.evaluate(qrels, run, "pres@4") == 0.75
        hook = sys.modules["ranx.metrics"].metric_switch
        assert not hasattr(hook.__wrapped__, "__wrapped__")
    """,
}


def checked(framework):
    return f"""
import {framework}, pres_plugin
(status,) = [s for s in pres_plugin.status() if s.framework == {framework.replace("_", "-")!r}]
assert status.connected and status.problem is None, status
{textwrap.dedent(CHECKS[framework])}
"""


@pytest.mark.parametrize(
    "framework",
    [
        "ir_measures",
        pytest.param(
            "ranx",
            marks=[
                pytest.mark.xdist_group("forks for ranx"),
                pytest.mark.skipif(find_spec("ranx") is None, reason="ranx is not installed"),
            ],
        ),
    ],
)
@pytest.mark.parametrize("again", every(3, AGAIN), ids=AGAIN)
def test_a_framework_imported_again_is_connected_and_each_copy_put_back(framework, again):
    again = AGAIN[again]
    run = run_with_ranx if framework == "ranx" else run_python
    run(
        f"""
import importlib.util, sys
{STATE}
name = {framework!r}
importlib.import_module(name)
if name == "ranx":
    import ranx.ranxhub
first = note(name)
before = state(first)
import pres_plugin
copies = [first]
for _ in range(2):
{textwrap.indent(textwrap.dedent(again), "    ")}
    pres_plugin.status()
    copies.append(note(name))
{checked(framework)}
assert state(first) != before
pres_plugin.deactivate()
after = state(first)
changed = [key for key in [*before, *after] if before.get(key) != after.get(key)]
if {"reload" in again}:  # its code has run again, and made new objects
    assert before.keys() == after.keys(), changed
else:
    assert not changed, changed
for copy in copies:
    for key, value in state(copy).items():
        assert not is_ours(value) and "PRES" not in (value if isinstance(value, list) else ()), key
"""
    )


@pytest.fixture
def archive(tmp_path):
    """A function that packs modules into a zip archive."""

    def pack(*modules, name="archive.zip"):
        with zipfile.ZipFile(tmp_path / name, "w") as file:
            for module in modules:
                folder = Path(find_spec(module).origin).parent
                for path in sorted(folder.rglob("*")):
                    if path.is_file() and "__pycache__" not in path.parts:
                        file.write(path, path.relative_to(folder.parent))
        return tmp_path / name

    return pack


@pytest.mark.parametrize("order", every(2, ["pres_plugin, {}", "{}, pres_plugin"]))
@pytest.mark.parametrize(
    "modules", [["pres_plugin"], ["ir_measures"], ["pres_plugin", "ir_measures"]]
)
def test_ir_measures_and_we_may_be_in_archives(modules, order, archive):
    path = archive(*modules)
    run_process(
        f"""
import sys, {order.format("ir_measures")}
copies = [ir_measures]
{checked("ir_measures")}
import importlib; importlib.reload(ir_measures)
{checked("ir_measures")}
for module in {modules}:
    assert {str(path)!r} in sys.modules[module].__file__, sys.modules[module]
""",
        path=[path],
        cwd=path.parent,  # where the package itself is not
    )


@pytest.mark.xdist_group("forks for ranx")
@pytest.mark.skipif(find_spec("ranx") is None, reason="ranx is not installed")
@pytest.mark.parametrize("order", every(2, ["pres_plugin, ranx", "ranx, pres_plugin"]))
def test_ranx_scores_when_we_are_in_an_archive(order, archive):
    path = archive("pres_plugin")
    run_with_ranx(
        f"import sys, {order}\nassert {str(path)!r} in pres_plugin.__file__\n{checked('ranx')}",
        path=[path],
    )


@pytest.mark.release
@pytest.mark.parametrize("order", ["pres_plugin, ranx", "ranx, pres_plugin"])
# numba caches what it compiles from .zip, but not from .pyz.
@pytest.mark.parametrize("name", ["archive.pyz", "archive.zip"])
def test_ranx_compiles_what_is_in_an_archive(name, order, archive):
    pytest.importorskip("ranx", reason="ranx is not installed")
    path = archive("pres_plugin", name=name)
    run_process(
        f"import sys, {order}\nassert {name!r} in pres_plugin.__file__\n{checked('ranx')}",
        "-Werror:pres-plugin:RuntimeWarning",
        path=[path],
        cwd=path.parent,
    )


EDITABLE_FINDER = """
import sys
from importlib.util import spec_from_file_location
class Editable{kind}:
    @classmethod
    def find_spec(cls, fullname, path=None, target=None):
        if fullname == {module!r}:
            return spec_from_file_location(fullname, {file!r})
def install():
    sys.meta_path.append(Editable{kind})
"""


@pytest.mark.parametrize(
    "order", every(2, ["pres_plugin, ir_measures", "ir_measures, pres_plugin"])
)
@pytest.mark.parametrize("module", ["ir_measures", "pres_plugin"])
@pytest.mark.parametrize("kind", ["path", "finder"])
def test_either_may_be_installed_editable(kind, module, order, tmp_path):
    source = tmp_path / "src"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(find_spec(module).origin).parent, source / module, ignore=ignored)
    site = tmp_path / "site"
    site.mkdir()
    if kind == "path":
        (site / "editable.pth").write_text(f"{source}\n")
    else:
        (site / "editable_finder.py").write_text(
            EDITABLE_FINDER.format(
                kind=module, module=module, file=str(source / module / "__init__.py")
            )
        )
        (site / "editable.pth").write_text("import editable_finder; editable_finder.install()\n")
    # A folder of .pth files, and what is installed elsewhere out of the way.
    run_python(
        f"""
import site, sys
known = list(sys.path)
site.addsitedir({str(site)!r})
added = [path for path in sys.path if path not in known]
sys.path[:] = [*added, *known]
if {kind!r} == "finder":
    sys.meta_path.insert(0, sys.meta_path.pop())
import importlib, {order}
assert sys.modules[{module!r}].__file__.startswith({str(source)!r})
copies = [ir_measures]
{checked("ir_measures")}
importlib.reload(ir_measures)
{checked("ir_measures")}
"""
    )
