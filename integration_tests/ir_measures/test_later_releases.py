"""A later ir-measures may load our provider by itself, or have measures of these names."""

import shutil
from pathlib import Path

import ir_measures
import pytest
from forks import run_python

# What its branch "entry-points" adds to providers/__init__.py, in short.
LOADS_ENTRY_POINTS = """
from importlib.metadata import entry_points
registry.update({ep.name: ep.load()() for ep in entry_points(group="ir_measures.provider")})
"""
# ... and to the package: its pipeline has every provider.
PIPELINE_OF_ALL = """
DefaultPipeline = providers.FallbackProvider(
    sorted(providers.registry.values(), key=lambda provider: getattr(provider, "PRIORITY", 0.0))
)
"""


@pytest.fixture
def later_ir_measures(tmp_path):
    """A folder with a copy of ir-measures that calls itself version 0.5.0."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(ir_measures.__file__).parent, tmp_path / "ir_measures", ignore=ignored)
    describe(tmp_path / "ir_measures-0.5.0.dist-info", "ir-measures", "0.5.0")
    return tmp_path


@pytest.fixture
def with_entry_points(later_ir_measures):
    """One that loads our provider by an entry point, at the end of its own providers."""
    package = later_ir_measures / "ir_measures"
    with (package / "providers" / "__init__.py").open("a") as file:
        file.write(LOADS_ENTRY_POINTS)
    init = package / "__init__.py"
    before, rest = init.read_text().split("DefaultPipeline = ", 1)
    _, after = rest.split("])\n", 1)
    init.write_text(before + PIPELINE_OF_ALL + after)
    about = describe(later_ir_measures / "provided-1.dist-info", "provided", "1")
    (about / "entry_points.txt").write_text(
        "[ir_measures.provider]\n"
        "pres_plugin = pres_plugin.adapters.ir_measures.native.provider:PresProvider\n"
    )
    return later_ir_measures


def describe(folder, name, version):
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    return folder


CONNECTED_ONCE = """
import ir_measures, pres_plugin, sys
assert ir_measures.__file__.startswith({folder!r})
assert ir_measures.PRES is pres_plugin.PRES
assert ir_measures.parse_measure("PRES@2") == pres_plugin.PRES @ 2
names = [provider.NAME for provider in ir_measures.DefaultPipeline.providers]
assert names[0] == "pres_plugin" and names.count("pres_plugin") == 1, names
assert pres_plugin.status()[0].connected and pres_plugin.status()[0].problem is None
qrels, run = {{"q": {{"a": 1}}}}, {{"q": {{"b": 2.0, "a": 1.0}}}}
assert (ir_measures.PRES @ 2).calc_aggregate(qrels, run) == 0.5
pres_plugin.deactivate()
assert not hasattr(ir_measures, "PRES") and "PRES" not in ir_measures.measures.registry
assert "pres_plugin" not in [provider.NAME for provider in ir_measures.DefaultPipeline.providers]
"""


@pytest.mark.ci
@pytest.mark.parametrize(
    "first",
    [
        "import pres_plugin",
        "from pres_plugin import PRES",
        "import pres_plugin.adapters.ir_measures.native.provider",
        "import pres_plugin; pres_plugin.deactivate(); import ir_measures; pres_plugin.activate()",
    ],
)
def test_a_provider_that_was_loaded_by_an_entry_point_is_connected_once(first, with_entry_points):
    run_python(
        f"{first}\n{CONNECTED_ONCE.format(folder=str(with_entry_points))}",
        path=[with_entry_points],
    )


def test_a_later_import_does_without_the_entry_point_after_deactivating(with_entry_points):
    run_python(
        """
        import pres_plugin
        pres_plugin.deactivate()
        import ir_measures
        assert "PRES" not in ir_measures.measures.registry
        assert not pres_plugin.status()[0].connected
        assert type(ir_measures.__spec__).__name__ == "ModuleSpec"
        """,
        path=[with_entry_points],
    )
