"""ranx gets connected whenever it is imported, and put back as it was."""

import shutil
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest
from forks import run_with_ranx
from interpreter import run_python
from simultaneous import imported_in_threads

pytestmark = [
    # ranx itself is not imported in this process.
    pytest.mark.skipif(find_spec("ranx") is None, reason="ranx is not installed"),
    pytest.mark.xdist_group("forks for ranx"),
]

COLLECTION = """
        qrels = {"q": {"a": 1, "b": 2}}
        run = {"q": {"c": 3.0, "b": 2.0, "a": 1.0}}
"""


@pytest.mark.parametrize(
    "imports",
    [
        "import pres_plugin, ranx",
        "import ranx, pres_plugin",
        "import pres_plugin; from ranx.meta import evaluate; import ranx",
        "import pres_plugin.adapters.ranx.native.hooks, ranx",
        "import pres_plugin.adapters.ranx.native.hits, ranx",
    ],
)
def test_the_order_of_imports_does_not_matter(imports):
    run_with_ranx(
        f"""
        {imports}
        {COLLECTION}
        assert ranx.evaluate(qrels, run, "pres@4") == 0.75
        (status,) = [s for s in pres_plugin.status() if s.framework == "ranx"]
        assert status.connected and status.problem is None
        """
    )


def test_functions_imported_before_the_measures_came_know_them():
    run_with_ranx(
        f"""
        from ranx import evaluate, compare, Qrels, Run
        import pres_plugin
        {COLLECTION}
        assert evaluate(qrels, run, "pres@4") == 0.75
        report = compare(Qrels(qrels), [Run(run, "a"), Run(run, "b")], ["pres@4"], "fisher")
        assert "PRES@4" in str(report)
        """
    )


def test_threads_that_import_at_the_same_time_connect_once():
    then = f"""
        {COLLECTION}
        assert ranx.evaluate(qrels, run, "pres@4") == 0.75
        assert not hasattr(ranx.metrics.metric_switch.__wrapped__, "__wrapped__")
    """
    run_with_ranx(imported_in_threads("ranx", then))


def test_importing_pres_plugin_imports_neither_the_framework_nor_its_compiler():
    loaded = run_python(
        """
        import sys, pres_plugin
        pres_plugin.status()
        print({"ranx", "numba", "llvmlite", "pandas", "scipy"} & set(sys.modules))
        """,
        "-W",
        "error",
    )
    assert loaded == "set()\n"


STATE = """
        def state():
            # Each object of ranx's modules and classes, by identity.
            modules = {n: m for n, m in sys.modules.items() if n.split(".")[0] == "ranx"}
            found = {}
            for name, module in modules.items():
                for key, value in vars(module).items():
                    found[name, key] = id(value)
                    if isinstance(value, type) and value.__module__ == name:
                        found |= {(name, key, k): id(v) for k, v in vars(value).items()}
                    if isinstance(value, dict) and key != "__builtins__":
                        found[name, key, "items"] = repr(value)
            return found
"""


def test_deactivating_puts_everything_back():
    run_with_ranx(
        f"""
        import sys
        import ranx, ranx.ranxhub
        {STATE}
        before = state()
        import pres_plugin
        connected = state()
        assert {{key[-1] for key in before if connected[key] != before[key]}} == {{
            "metric_switch", "extract_metric_and_params", "convert_qrels", "convert_run",
            "get_metric_label", "make_comparable", "to_latex",
        }}
        pres_plugin.deactivate()
        assert state() == before
        pres_plugin.deactivate()
        assert state() == before
        {COLLECTION}
        try:
            ranx.evaluate(qrels, run, "pres@4")
        except ValueError as error:
            assert "pres-plugin" not in str(error)
        else:
            raise SystemExit("pres@4 was scored")
        pres_plugin.activate()
        pres_plugin.activate()
        assert ranx.evaluate(qrels, run, "pres@4") == 0.75
        pres_plugin.deactivate()
        assert state() == before
        """
    )


def test_every_other_metric_string_does_what_it_did():
    run_with_ranx(
        f"""
        import ranx, pres_plugin, warnings
        warnings.simplefilter("default")  # ranx divides by 0 itself
        {COLLECTION}
        names = [
            "hits", "hit_rate@2", "precision@2", "recall", "recall@2-l2", "f1@2", "r-precision",
            "mrr", "map", "map@2", "map@0", "map-l2", "map@2-l2", "dcg", "dcg_burges@2", "ndcg",
            "ndcg@2-l2", "ndcg_burges", "bpref", "rbp.95", "rbp.95-l2",
            "rbp", "rbp.x", "map@x", "map@-1", "map@", "map-lx", "map-l1-l2", "", "@", "rbp.5@5",
        ]

        def outcomes():
            for name in names:
                try:
                    yield repr(ranx.evaluate(qrels, run, ["map", name]))
                except Exception as error:
                    yield type(error), str(error).split(" Supported metrics")[0]

        def titles():
            for name in names:
                report = ranx.data_structures.Report(*[None] * 6)
                try:
                    yield report.get_metric_label(name), report.get_metric_label(m=name)
                except Exception as error:
                    yield type(error), str(error)

        with_ours = list(outcomes()), list(titles())
        assert sum(isinstance(o, str) for o in with_ours[0]) == 21
        pres_plugin.deactivate()
        assert (list(outcomes()), list(titles())) == with_ours
        """
    )


@pytest.mark.parametrize(
    ("module", "old", "new", "missing"),
    [
        ("meta/evaluate.py", "convert_qrels", "to_lists", "no ranx.meta.evaluate.convert_qrels"),
        ("meta/evaluate.py", 'split("@")', 'split("#")', "it reads 'rnorm.11429@1000-l2' as"),
        ("data_structures/report.py", "get_metric_label", "title", "Report.get_metric_label"),
        ("ranxhub.py", "get_metric_label", "title", "no ranx.ranxhub.get_metric_label"),
        ("ranxhub.py", "import yaml", "import no_such_module", "no ranx.ranxhub"),
    ],
)
def test_a_changed_framework_is_named_when_it_is_imported_and_works(
    module, old, new, missing, tmp_path
):
    source = Path(find_spec("ranx").origin).parent
    shutil.copytree(source, tmp_path / "ranx", ignore=shutil.ignore_patterns("__pycache__"))
    changed = tmp_path / "ranx" / module
    text = changed.read_text()
    assert old in text
    changed.write_text(text.replace(old, new))
    # Without a cutoff, which one of the changes makes unreadable.
    output = run_with_ranx(
        f"""
        import warnings
        import pres_plugin
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", RuntimeWarning)
            import ranx
        (message,) = [str(w.message) for w in caught if "pres-plugin" in str(w.message)]
        assert {missing!r} in message, message
        assert "ranx {version("ranx")}:" in message, message
        (status,) = [s for s in pres_plugin.status() if s.framework == "ranx"]
        assert not status.connected and status.problem == message
        {COLLECTION}
        assert ranx.evaluate(qrels, run, "mrr") == 0.5
        assert ranx.metrics.metric_switch.__module__ == "ranx.metrics"
        print(ranx.__file__)
        """,
        path=[tmp_path],
    )
    assert output == f"{tmp_path / 'ranx' / '__init__.py'}\n"


@pytest.mark.parametrize(
    ("breaks", "problem"),
    [
        ("sys.modules['pres_plugin.adapters.ranx.native.hooks'] = None", "ModuleNotFoundError: "),
        ("numba.njit = None", "TypeError: 'NoneType' object is not callable"),
        ("numba.njit = lambda **options: 1 / 0", "ZeroDivisionError: division by zero"),
    ],
)
def test_whatever_goes_wrong_is_a_warning_and_importing_ranx_succeeds(breaks, problem):
    run_with_ranx(
        f"""
        import importlib, numba, sys, warnings
        import ranx, ranx.ranxhub
        {STATE}
        before = state()
        {breaks}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", RuntimeWarning)
            import pres_plugin
            (status,) = [s for s in pres_plugin.status() if s.framework == "ranx"]
            assert state() == before
            importlib.reload(ranx)
        first, again = [str(w.message) for w in caught if "pres-plugin" in str(w.message)]
        assert first.startswith("pres-plugin cannot add its measures to ranx {version("ranx")}: ")
        assert {problem!r} in first and first == again, first
        assert not status.connected and status.problem == first
        """
    )


@pytest.mark.release
def test_compiled_code_is_kept_on_disk_and_used_again(tmp_path):
    code = f"""
        import ranx, pres_plugin
        from pres_plugin.adapters.ranx.native import hits
        {COLLECTION}
        assert ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), "pres@4") == 0.75
        stats = hits._find_hits_parallel.stats
        print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
    """
    assert run_python(code, NUMBA_CACHE_DIR=str(tmp_path)) == "0 1\n"
    assert run_python(code, NUMBA_CACHE_DIR=str(tmp_path)) == "1 0\n"


def test_the_measures_work_with_the_compiler_switched_off():
    run_with_ranx(
        f"""
        import ranx, pres_plugin
        {COLLECTION}
        assert ranx.evaluate(qrels, run, ["pres@4", "rnorm.4"]) == {{
            "pres@4": 0.75, "rnorm.4": 0.5
        }}
        try:
            ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), "rnorm.2")
        except ValueError as error:
            assert "has 3 documents" in str(error)
        else:
            raise SystemExit("rnorm.2 was scored")
        """,
    )
