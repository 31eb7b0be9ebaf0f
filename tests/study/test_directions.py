"""For which measures higher values are better."""

import pytest

from pres_plugin.study.directions import has_direction


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        *[(name, True) for name in ("PRES@100", "WSS(N=9)@0.5", "TNR(N=9)", "nDCG@10", "AP")],
        *[(name, False) for name in ("LastRel", "LastRel(rel=2)@100", "NumRet", "NumRel(rel=1)")],
        ("LastRelation", True),
    ],
)
def test_only_ranks_and_counts_have_none(measure, expected):
    assert has_direction(measure) is expected
