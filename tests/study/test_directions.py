"""Which measures have a better direction, and which are sums."""

import ir_measures
import pytest

from pres_plugin.study.directions import has_direction, is_sum


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


@pytest.mark.parametrize("name", ["PRES@5", "AP", "LastRel", "NumQ", "NumRel(rel=2)", "NumRet"])
def test_sums_are_what_ir_measures_adds_up(name):
    together = ir_measures.parse_measure(name).aggregator()
    together.add(2.0)
    together.add(2.0)
    assert is_sum(name) is (together.result() == 4.0)
