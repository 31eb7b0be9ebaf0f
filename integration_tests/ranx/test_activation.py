"""What ranx does with metrics that are not ours, and what goes wrong when it is connected.

``integration_tests/test_framework_contract.py`` tests what holds for each framework.
"""

import shutil
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest
from forks import run_with_ranx
from interpreter import run_python

pytestmark = [
    # ranx itself is not imported in this process.
    pytest.mark.skipif(find_spec("ranx") is None, reason="ranx is not installed"),
    pytest.mark.xdist_group("forks for ranx"),
    pytest.mark.ci,
]

COLLECTION = """
        qrels = {"q": {"a": 1, "b": 2}}
        run = {"q": {"c": 3.0, "b": 2.0, "a": 1.0}}
"""


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
        ("meta/evaluate.py", 'split("@")', 'split("#")', "it reads 'rnorm.11429@1000-l2' as"),
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
        ("numba.njit = lambda **options: 1 / 0", "ZeroDivisionError: division by zero"),
    ],
)
def test_whatever_goes_wrong_is_a_warning_and_importing_ranx_succeeds(breaks, problem):
    run_with_ranx(
        f"""
        import importlib, numba, sys, warnings
        import ranx
        {breaks}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", RuntimeWarning)
            import pres_plugin
            (status,) = [s for s in pres_plugin.status() if s.framework == "ranx"]
            assert not hasattr(ranx.metrics.metric_switch, "__wrapped__")
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
        stats = hits._find_hits.stats
        print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
    """
    assert run_python(code, NUMBA_CACHE_DIR=str(tmp_path)) == "0 1\n"
    assert run_python(code, NUMBA_CACHE_DIR=str(tmp_path)) == "1 0\n"
