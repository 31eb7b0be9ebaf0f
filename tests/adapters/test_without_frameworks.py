"""What works without a framework, and what says which one is missing."""

import pytest
from interpreter import STRICT, run_python


@pytest.mark.ci
def test_without_ir_measures_the_measures_are_our_own():
    run_python(
        """
        import sys
        sys.modules["ir_measures"] = None
        import pres_plugin
        from pres_plugin import PRES, measures
        assert PRES is measures.PRES
        assert pres_plugin.score(["a", "b"], {"b"}, PRES @ 10) == pres_plugin.pres([2], 1, 10)
        """,
        *STRICT,
    )


def test_without_pyterrier_a_transformer_says_what_to_install():
    run_python(
        """
        import sys
        sys.modules["pyterrier"] = None
        from pres_plugin import FoldFamilies
        try:
            FoldFamilies("publications")
        except ImportError as error:
            assert "pip install '.[pyterrier]'" in str(error), error
        else:
            raise SystemExit("a transformer without PyTerrier")
        """,
        *STRICT,
    )
