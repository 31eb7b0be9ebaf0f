"""With our finder in place, imports behave as they do without it."""

import re
import sys
import textwrap

import pytest
from forks import run_python
from repetitions import every

pytestmark = [pytest.mark.filterwarnings("error"), pytest.mark.ci]

CONNECTED = """
import ir_measures, pres_plugin
assert ir_measures.PRES is pres_plugin.PRES is ir_measures.measures.registry["PRES"]
names = [provider.NAME for provider in ir_measures.DefaultPipeline.providers]
assert names.count("pres_plugin") == 1, names
assert pres_plugin.status()[0].connected
"""


LOADER = "importlib.util.find_spec('ir_measures').loader"
FOUND = [
    f"{LOADER}.get_data({LOADER}.get_filename()) != b''",
    f"'DefaultPipeline' in {LOADER}.get_source('ir_measures')",
    f"{LOADER}.get_code('ir_measures').co_filename",
    f"{LOADER}.is_package('ir_measures')",
    f"{LOADER}.path, {LOADER}.name",
    f"sorted(path.name for path in {LOADER}.get_resource_reader('ir_measures').files().iterdir())",
    f"[name for name in dir({LOADER}) if not hasattr({LOADER}, name)]",
    f"hasattr({LOADER}, 'no_such_method')",
    "pkgutil.get_data('ir_measures', '__init__.py') == open(ir_measures().__file__, 'rb').read()",
    "importlib.resources.files('ir_measures').joinpath('__init__.py').is_file()",
    "inspect.getsource(ir_measures()) == open(ir_measures().__file__).read()",
    "linecache.getline(ir_measures().__file__, 1, vars(ir_measures()))",
    "ir_measures().__loader__ is ir_measures().__spec__.loader",
    "type(ir_measures().__loader__), type(ir_measures().__spec__)",
    "importlib.reload(ir_measures()).__spec__.loader",
    "sorted(runpy.run_module('ir_measures', run_name='other'))",
    "runpy.run_module('ir_measures', run_name='other')['__loader__']",
    "vars(importlib.util.module_from_spec(importlib.util.find_spec('ir_measures'))).keys()",
    "importlib.util.find_spec('ir_measures') and 'ir_measures' in sys.modules",
]


def test_a_framework_and_its_loader_show_what_they_show_without_us():
    code = """
    import importlib.resources, importlib.util
    import inspect, linecache, pkgutil, runpy, sys
    def ir_measures():
        import ir_measures
        return ir_measures
    """
    code = textwrap.dedent(code) + "\n".join(f"print(repr(({expression})))" for expression in FOUND)
    with_us, without_us = (
        re.sub(" at 0x[0-9a-f]+", "", run_python(start + code)).splitlines()
        for start in ("import pres_plugin\n", "")
    )
    assert len(without_us) == len(FOUND)
    assert with_us == without_us


FINDERS = {
    "neither raises nor finds": "def find_spec(self, *args): return None",
    "is of the old style and finds nothing": "def find_module(self, *args): return None",
    "raises": "def find_spec(self, *args): raise LookupError(args[0])",
    "raises an ImportError": "def find_spec(self, *args): raise ImportError(args[0])",
    "has a broken find_spec": """find_spec = property(lambda self: 1 / 0)""",
    "returns another kind of object": "def find_spec(self, *args): return 1",
    "takes no arguments": "def find_spec(self): return None",
}


@pytest.mark.parametrize(
    "where", every(2, ["sys.meta_path.index(PathFinder)", "len(sys.meta_path)"])
)
@pytest.mark.parametrize("body", every(4, FINDERS.values(), pytest.mark.ci), ids=FINDERS)
def test_with_any_finder_imports_end_as_they_do_without_us(body, where):
    code = f"""
    import ir_measures, sys
    from importlib.machinery import PathFinder

    class Finder:
        {body}

    def outcome(name):
        try:
            return __import__(name)
        except Exception as error:
            return type(error), str(error)

    del sys.modules["ir_measures"]
    sys.meta_path.insert({where}, Finder())
    print(outcome("ir_measures"))
    sys.path.clear()  # nothing else can be found
    print(outcome("ranx"), outcome("no_such_module"))
    """
    code = textwrap.dedent(code)
    with_us = run_python(f"import pres_plugin\n{code}", "-Wignore")
    assert with_us == run_python(code, "-Wignore")


WALKS_THE_PATH = """
import importlib.machinery, sys
class Other:
    asked = 0
    def find_spec(self, name, path=None, target=None):
        if name != "ir_measures":
            return None
        Other.asked += 1
        for finder in sys.meta_path:
            if finder is not self:
                spec = finder.find_spec(name, path, target)
                if spec is not None:
                    return spec
"""
USES_IMPORTLIB = """
import importlib.util, sys
class Other:
    asked = 0
    def find_spec(self, name, path=None, target=None):
        if name != "ir_measures" or Other.asked:
            return None
        Other.asked += 1
        return importlib.util.find_spec(name)
"""


@pytest.mark.parametrize("other", [WALKS_THE_PATH, USES_IMPORTLIB])
@pytest.mark.parametrize("where", every(2, [0, 1, "len(sys.meta_path)"]))
def test_two_finders_may_ask_each_other(other, where):
    run_python(
        f"""{other}
import pres_plugin
sys.meta_path.insert({where}, Other())
import ir_measures
assert type(ir_measures.__loader__).__name__ == "SourceFileLoader", ir_measures.__loader__
assert ir_measures.__spec__.loader is ir_measures.__loader__
{CONNECTED}
pres_plugin.deactivate()
assert not hasattr(ir_measures, "PRES")
"""
    )


def test_it_works_together_with_the_hooks_of_wrapt():
    pytest.importorskip("wrapt", reason="wrapt is not installed")
    run_python(
        f"""
import wrapt
seen = []
wrapt.register_post_import_hook(lambda module: seen.append(module.__name__), "ir_measures")
import pres_plugin
wrapt.register_post_import_hook(lambda module: seen.append(module.__name__), "ranx")
{CONNECTED}
assert seen == ["ir_measures"]
"""
    )


@pytest.mark.parametrize(
    "use",
    [
        "importlib.util.find_spec('ir_measures')",
        "importlib.util.module_from_spec(importlib.util.find_spec('ir_measures'))",
        "pkgutil.get_loader('ir_measures')" if sys.version_info < (3, 12) else "None",
        "cached.find_spec('ir_measures', None)",
    ],
)
def test_looking_for_a_framework_leaves_nothing_behind(use):
    # A finder that gives the same spec each time, as some do.
    run_python(
        f"""
import importlib.util, pkgutil, sys
from importlib.machinery import PathFinder
class Cached:
    spec = PathFinder.find_spec("ir_measures")
    def find_spec(self, name, path=None, target=None):
        return self.spec if name == "ir_measures" else None
cached = Cached()
sys.meta_path.insert(0, cached)
loader = cached.spec.loader
import pres_plugin
for _ in range(3):
    {use}
assert "ir_measures" not in sys.modules
assert cached.spec.loader is loader
spec = importlib.util.find_spec("ir_measures")
pres_plugin.deactivate()
module = sys.modules["ir_measures"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)  # a spec from before, executed after deactivating
assert not hasattr(module, "PRES") and not pres_plugin.status()[0].connected
assert module.__loader__ is spec.loader is loader
pres_plugin.activate()
{CONNECTED}
"""
    )


LOADERS = {
    "of the old style": """
        def load_module(self, name):
            module = sys.modules[name] = types.ModuleType(name)
            module.__path__, module.__loader__ = path, self
            exec(compile(source, file, "exec"), vars(module))
            return module
    """,
    "without create_module of its own": """
        def create_module(self, spec):
            return None
        def exec_module(self, module):
            exec(compile(source, file, "exec"), vars(module))
    """,
    "that makes another kind of module": """
        def create_module(self, spec):
            return type("Other", (types.ModuleType,), {})(spec.name)
        def exec_module(self, module):
            exec(compile(source, file, "exec"), vars(module))
    """,
    "with nothing in its place but exec_module": """
        def exec_module(self, module):
            pass
    """,
    "that fails": """
        def create_module(self, spec):
            return None
        def exec_module(self, module):
            raise LookupError("no code")
    """,
}


@pytest.mark.parametrize("body", LOADERS.values(), ids=LOADERS)
def test_with_any_loader_imports_end_as_they_do_without_us(body):
    code = textwrap.dedent("""
    import sys, types
    from importlib.machinery import PathFinder, ModuleSpec
    real = PathFinder.find_spec("ir_measures")
    file, path = real.origin, real.submodule_search_locations
    source = open(file).read()

    class Loader:
    BODY

    class Finder:
        def find_spec(self, name, *args):
            if name == "ir_measures":
                spec = ModuleSpec(name, Loader(), origin=file, is_package=True)
                spec.submodule_search_locations[:] = path
                return spec

    sys.meta_path.insert(0, Finder())
    IMPORT_US
    try:
        import ir_measures
        loader = type(getattr(ir_measures, "__loader__", None)).__name__
        print(type(ir_measures).__name__, loader, ir_measures.AP)
        print(ir_measures.__spec__ is None or ir_measures.__spec__.loader.__class__)
    except Exception as error:
        print(type(error), error)
    else:
        IMPORTED
    """).replace("BODY", textwrap.indent(textwrap.dedent(body), "    "))
    without_us = code.replace("IMPORT_US", "").replace("IMPORTED", "pass")
    with_us = code.replace("IMPORT_US", "import pres_plugin").replace(
        "IMPORTED", "assert pres_plugin.status()[0].connected"
    )
    assert run_python(with_us, "-Wignore") == run_python(without_us, "-Wignore")


def test_a_lazily_loaded_framework_is_connected_when_it_is_used():
    run_python(
        f"""
import importlib.util, pres_plugin, sys
spec = importlib.util.find_spec("ir_measures")
spec.loader = importlib.util.LazyLoader(spec.loader)
module = sys.modules["ir_measures"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
assert module.PRES
{CONNECTED}
"""
    )
