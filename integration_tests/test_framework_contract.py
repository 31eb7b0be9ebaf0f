"""What holds for each framework: connected however it is imported, and put back whole.

Each case runs in a fork in which neither the framework nor this package is imported yet.
"""

from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from typing import NamedTuple

import pytest
from forks import OF_PYTERRIER, run_python, run_with_ranx
from repetitions import every

from pres_plugin.adapters.activation import ADAPTERS


class Framework(NamedTuple):
    """How to import a framework, and code that fails unless it is connected exactly once."""

    run: object
    imports: list
    check: str


FRAMEWORKS = {
    "ir_measures": Framework(
        run_python,
        [
            "from ir_measures.measures import AP",
            "import pres_plugin.adapters.ir_measures.native.provider",
            "from pres_plugin import PRES",
        ],
        """
assert ir_measures.PRES is pres_plugin.PRES is ir_measures.measures.registry["PRES"]
measure = ir_measures.parse_measure("PRES@2")
assert [measure] == ir_measures.parse_trec_measure("pres_2") == [ir_measures.PRES @ 2]
assert not hasattr(ir_measures.parse_trec_measure.__wrapped__, "__wrapped__")
assert ir_measures.__all__.count("PRES") == ir_measures.measures.__all__.count("PRES") == 1
names = [provider.NAME for provider in ir_measures.DefaultPipeline.providers]
assert names[0] == "pres_plugin" and names.count("pres_plugin") == 1, names
scores = ir_measures.calc_aggregate([measure, ir_measures.AP], qrels, run)
assert set(scores.values()) == {0.5}, scores
""",
    ),
    "pyterrier": Framework(
        partial(run_python, modules=OF_PYTERRIER),
        [
            "from pyterrier.measures import *; assert PRES",
            "import ir_measures",
            "import pyterrier._evaluation._rendering",
        ],
        """
import ir_measures, pandas as pd, pyterrier as pt
assert pt.measures.PRES is pt.pres.PRES is ir_measures.PRES
assert "PRES" in dir(pt.measures) and "PRES" in dir(pt.pres)
assert pt.__all__.count("pres") == 1
assert not hasattr(pt.GridSearch.__wrapped__, "__wrapped__")
found = pd.DataFrame({"qid": "q", "docno": ["b", "a"], "score": [2.0, 1.0], "rank": [0, 1]})
topics = pd.DataFrame({"qid": ["q"], "query": ["valve"]})
judged = pd.DataFrame({"qid": ["q"], "docno": ["a"], "label": [1]})
rows = pt.Experiment([found], topics, judged, ["pres_2", "Rnorm(N=3)", pt.measures.PRES @ 2])
assert set(rows.iloc[0][1:]) == {0.5}, rows
assert not pt.java.started()
""",
    ),
    "ranx": Framework(
        run_with_ranx,
        [
            "from ranx.meta import evaluate",
            "import pres_plugin.adapters.ranx.native.hooks",
            "import pres_plugin.adapters.ranx.native.hits",
        ],
        """
assert ranx.evaluate(qrels, run, "pres@2") == 0.5
assert not hasattr(ranx.metrics.metric_switch.__wrapped__, "__wrapped__")
runs = [ranx.Run(run, "a"), ranx.Run(run, "b")]
report = ranx.compare(ranx.Qrels(qrels), runs, ["pres@2"], "fisher")
assert "PRES@2" in str(report)
""",
    ),
}


@pytest.fixture(
    params=[
        pytest.param(
            name,
            marks=[
                pytest.mark.xdist_group(f"forks for {name}"),
                pytest.mark.skipif(find_spec(name) is None, reason=f"{name} is not installed"),
                *[pytest.mark.ci] * (name != "ir_measures"),  # the others take long to import
            ],
        )
        for name in FRAMEWORKS
    ]
)
def framework(request):
    """The name of the framework's module."""
    return request.param


def run(framework, code):
    """Run code that may use `checked`, `state` and the framework's `name`, and import us itself."""
    check = f"import {framework}, pres_plugin\n{FRAMEWORKS[framework].check}"
    before = f"name = {framework!r}\ncheck = {check!r}\n{HELPERS}\n"
    return FRAMEWORKS[framework].run(before + code)


HELPERS = """
import importlib, importlib.util, sys, types, warnings

def status():
    import pres_plugin
    (found,) = [s for s in pres_plugin.status() if s.framework == name.replace("_", "-")]
    return found

def checked():
    importlib.import_module(name)
    assert status().connected and status().problem is None, status()
    exec(check, {"qrels": {"q": {"a": 1}}, "run": {"q": {"b": 2.0, "a": 1.0}}})

kept = []  # so that no id is used again

def shallow(value):
    kept.append(value)
    if type(value) is dict:
        return {key: id(each) for key, each in value.items()}
    return list(map(id, value)) if type(value) is list else id(value)

def state():
    # Each object in the framework's modules, of its classes, and of its other objects' lists.
    found = {}
    for path, module in list(sys.modules.items()):
        if path.partition(".")[0] not in (name, "ir_measures"):
            continue
        for key, value in vars(module).items():
            if key in ("__builtins__", "__spec__", "__loader__", "__warningregistry__"):
                continue
            found[path, key] = shallow(value)
            kind = value if isinstance(value, type) else type(value)
            if kind.__module__.partition(".")[0] in (name, "ir_measures"):
                for k, v in getattr(value, "__dict__", {}).items():
                    if kind is value or type(v) is list:
                        found[path, key, k] = shallow(v)
    return found

def is_ours(value):
    of = type(value).__module__
    if isinstance(value, types.FunctionType):
        of = value.__globals__["__name__"]
    elif isinstance(value, types.ModuleType):
        of = value.__name__
    return of.partition(".")[0] == "pres_plugin"
"""


def test_any_import_may_come_first(framework):
    for first in (f"import {framework}", "import pres_plugin", *FRAMEWORKS[framework].imports):
        run(framework, f"{first}\nchecked()")


IN_THREADS = """
import sys, threading
sys.setswitchinterval(1e-6)
start, failures = threading.Barrier(9), []

def import_one(which):
    start.wait()
    try:
        __import__(which)
    except BaseException as error:
        failures.append(error)

threads = [
    threading.Thread(target=import_one, args=(which,))
    for which in [name, "pres_plugin", "ir_measures"] * 3
]
[t.start() for t in threads]
[t.join() for t in threads]
assert not failures, failures
checked()
"""


def test_threads_may_import_all_at_once(framework):
    run(framework, IN_THREADS)


def test_deactivating_puts_everything_back_and_activating_twice_is_activating_once(framework):
    run(
        framework,
        """
importlib.import_module(name)
if name == "ranx":
    import ranx.ranxhub
if "pres_plugin" in sys.modules:  # PyTerrier imports it
    sys.modules["pres_plugin"].deactivate()
before = state()
import pres_plugin
pres_plugin.activate()
checked()
connected = state()
assert connected != before
pres_plugin.activate()
assert state().keys() == connected.keys()
for _ in range(2):
    pres_plugin.deactivate()
    assert not status().connected and not any(map(is_ours, sys.meta_path))
    after = state()
    changed = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    assert not changed, changed
pres_plugin.activate()
checked()
""",
    )


def test_a_framework_imported_after_deactivating_is_left_alone(framework):
    run(
        framework,
        """
import pres_plugin
pres_plugin.deactivate()
importlib.import_module(name)
assert not status().connected
assert not [key for key, value in vars(sys.modules[name]).items()
            if is_ours(value) and not (name == "pyterrier" and key == "pres")]
pres_plugin.activate()
checked()
""",
    )


UNUSUAL = {
    "reloaded": """
importlib.import_module(name)
for _ in range(2):
    importlib.reload(sys.modules[name])
""",
    "past our finder": """
sys.meta_path.insert(0, importlib.machinery.PathFinder)
importlib.import_module(name)
del sys.meta_path[0]
""",
    "reloaded after that failed": """
importlib.import_module(name)
finder = type("Fails", (), {"find_spec": lambda *args: 1 / 0})()
sys.meta_path.insert(1, finder)
try:
    importlib.reload(sys.modules[name])
except ZeroDivisionError:
    sys.meta_path.remove(finder)
importlib.reload(sys.modules[name])
""",
}


@pytest.mark.parametrize("how", every(2, UNUSUAL), ids=UNUSUAL)
def test_a_framework_imported_in_unusual_ways_is_connected_once_and_put_back(framework, how):
    run(
        framework,
        f"""
import pres_plugin
{UNUSUAL[how]}
checked()
pres_plugin.deactivate()
for path, module in list(sys.modules.items()):
    if path.partition(".")[0] in (name, "ir_measures"):
        for key, value in vars(module).items():
            # "v" is a loop variable of pyterrier.measures.
            assert key == "v" or not is_ours(value), (path, key)
            assert "PRES" not in (value if isinstance(value, list) else ()), (path, key)
""",
    )


RELIES_ON = {adapter.module: adapter.relies_on for adapter in ADAPTERS}
DISTRIBUTIONS = {adapter.module: adapter.distribution for adapter in ADAPTERS}


def test_a_framework_that_lacks_a_name_is_named_and_left_as_it_is(framework):
    # Each name in turn, in one process.
    run(
        framework,
        f"""
importlib.import_module(name)
import pres_plugin
pres_plugin.deactivate()
for missing in {RELIES_ON[framework]!r}:
    submodule, _, attributes = missing.rpartition(":")
    *path, last = attributes.split(".")
    owner = importlib.import_module(".".join(filter(None, [name, submodule])))
    for each in path:
        owner = getattr(owner, each)
    if isinstance(owner, type) and last not in vars(owner):
        continue  # inherited
    value = vars(owner)[last]
    delattr(owner, last)
    before = state()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RuntimeWarning)
        pres_plugin.activate()
    (message,) = [str(w.message) for w in caught if name.replace("_", "-") in str(w.message)]
    assert message.startswith(
        "pres-plugin cannot add its measures to {DISTRIBUTIONS[framework]} "
        "{version(DISTRIBUTIONS[framework])}: it has no " + name
    ), message
    assert missing.replace(":", ".") in message
    assert status().problem == message and not status().connected
    pres_plugin.deactivate()
    assert state() == before, missing
    setattr(owner, last, value)
pres_plugin.activate()
checked()
""",
    )
