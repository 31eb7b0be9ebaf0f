"""ir-measures reads measure strings on Python 3.14, which removed what it reads them with.

On older Pythons, the same is tried in an interpreter that is made to lack these classes.
"""

import shutil
import sys
import textwrap
from pathlib import Path

import forks
import ir_measures
import pytest

# Python 3.12 and 3.13 deprecate the classes in a way that cannot be undone for a test.
pytestmark = pytest.mark.skipif(
    (3, 12) <= sys.version_info < (3, 14), reason="ast.Num is deprecated here, but not gone"
)

SOURCE = Path(ir_measures.util.__file__).read_text(encoding="utf-8")
needs_repair = pytest.mark.skipif(
    "ast.Num" not in SOURCE, reason="this ir-measures reads measure strings without ast.Num"
)

AS_ON_3_14 = """
import ast, sys
import numpy, pres_plugin
real_version = sys.version_info
if sys.version_info < (3, 14):
    del ast.Num, ast.Str, ast.NameConstant
    sys.version_info = (3, 14, 0)
"""


def run_python(code, **settings):
    # Without options of ours, since Python warns of what the test deletes.
    code = AS_ON_3_14 + textwrap.dedent(code)
    return forks.run_python(code, "-Wdefault", **settings)


@needs_repair
def test_ir_measures_cannot_read_them_by_itself():
    run_python(
        """
        pres_plugin.deactivate()
        import ir_measures
        try:
            ir_measures.parse_measure("AP@10")
        except AttributeError as error:
            assert "Num" in str(error)
        else:
            raise SystemExit("ir-measures reads strings by itself")
        """
    )


TEXTS = [
    *("AP@10", "PRES@10", "nDCG(dcg='exp-log2')@5", "nDCG(gains={0:1,1:2})", "IPrec@0.1"),
    *("RBP(p=0.8)", "AP(judged_only=True)", "AP(rel=2, judged_only=False)@3", "Rnorm(N=9)"),
    "SetF(beta=0.5)",
]


def test_measure_strings_are_read_as_on_older_pythons():
    shown = run_python(
        f"""
        import ir_measures
        print([ir_measures.parse_measure(text).params for text in {TEXTS!r}])
        """
    )
    # On older Pythons these are what ir-measures reads itself.
    assert shown == f"{[ir_measures.parse_measure(text).params for text in TEXTS]}\n"


@needs_repair
def test_negative_numbers_are_read_too():
    # ir-measures' own reader refuses them, on every Python.
    shown = run_python(
        """
        import ir_measures
        print(ir_measures.parse_measure("nDCG(gains={0:-1,1:2})@5").params)
        """
    )
    assert shown == "{'gains': {0: -1, 1: 2}, 'cutoff': 5}\n"


def test_what_is_no_value_is_refused_as_on_older_pythons():
    run_python(
        """
        import ir_measures
        for text in ("AP(rel=1+1)", "AP(rel=[1])", "AP(rel=x)", "AP(rel=b'1')", "AP("):
            try:
                ir_measures.parse_measure(text)
            except ValueError:
                continue
            raise SystemExit(f"{text} was read")
        """
    )


@needs_repair
def test_the_repair_is_in_the_status_and_deactivating_takes_it_back():
    run_python(
        """
        import ir_measures
        (repair,) = pres_plugin.status()[0].repairs
        assert repair.startswith("ir_measures.util._ast_to_value: "), repair
        def repaired():
            return ir_measures.util._ast_to_value.__globals__["__name__"] != "ir_measures.util"
        assert repaired()
        pres_plugin.deactivate()
        assert not repaired()
        assert pres_plugin.status()[0].repairs == ()
        pres_plugin.activate()
        assert repaired()
        assert pres_plugin.status()[0].repairs == (repair,)
        import importlib
        importlib.reload(ir_measures)
        assert ir_measures.parse_measure("AP@10").params == {"cutoff": 10}
        assert pres_plugin.status()[0].repairs == (repair,)
        pres_plugin.deactivate()
        assert not repaired()
        """
    )


@pytest.mark.release
def test_pyterrier_reads_strings_with_it():
    pytest.importorskip("pyterrier", reason="PyTerrier is not installed")
    run_python(
        """
        import ir_measures
        sys.version_info = real_version
        import pandas as pd, pyterrier as pt
        run = pd.DataFrame({"qid": ["q"], "docno": ["a"], "score": [1.0]})
        topics = pd.DataFrame({"qid": ["q"], "query": ["valve"]})
        qrels = pd.DataFrame({"qid": ["q"], "docno": ["a"], "label": [1]})
        assert pt.Experiment([run], topics, qrels, ["PRES@100"])["PRES@100"].tolist() == [1.0]
        """
    )


@pytest.fixture
def patched(tmp_path):
    """A copy of ir-measures, whose reader of values a test replaces."""
    shutil.copytree(Path(ir_measures.__file__).parent, tmp_path / "ir_measures")

    def patch(old, new):
        util = tmp_path / "ir_measures" / "util.py"
        text = util.read_text()
        assert old in text
        util.write_text(text.replace(old, new))
        return str(tmp_path)

    return patch


@needs_repair
def test_a_release_that_reads_them_itself_is_left_alone(patched):
    path = patched(
        "    if isinstance(node, ast.Num):",
        "    return node.value\n    if isinstance(node, ast.Num):",
    )
    run_python(
        """
        import ir_measures
        assert pres_plugin.status()[0].connected
        assert pres_plugin.status()[0].repairs == ()
        assert ir_measures.util._ast_to_value.__globals__["__name__"] == "ir_measures.util"
        """,
        path=[path],
    )


@needs_repair
def test_a_release_that_cannot_be_repaired_is_named(patched):
    path = patched("_ast_to_value", "_read_value")
    run_python(
        """
        import warnings
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            import ir_measures
        (warning,) = (w for w in caught if "pres-plugin" in str(w.message))
        assert "ir-measures" in str(warning.message)
        assert "no ir_measures.util._ast_to_value to repair" in str(warning.message)
        assert not pres_plugin.status()[0].connected
        """,
        path=[path],
    )
