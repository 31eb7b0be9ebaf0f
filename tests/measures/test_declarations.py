"""The declarations refuse what a measure does not take, before any framework sees it."""

import numpy as np
import pytest
from beginnings import raises

from pres_plugin.measures import PRES, TNR, WSS, Effort, LastRel, MeasureError, PRES_est, Rnorm
from pres_plugin.measures.declared import OURS


@pytest.mark.parametrize(
    ("measure", "params", "said"),
    [
        (PRES, {"cutoff": 0}, ": cutoff .* positive whole number, got 0"),
        (PRES_est, {"cutoff": 1.5}, r": cutoff .* got 1\.5"),
        (Rnorm, {"cutoff": True}, ": cutoff .* got True"),
        (LastRel, {"cutoff": 10**18}, ": cutoff .* from 1 to 10000000000, got 10{18}"),
        (PRES, {"rel": 0}, ": rel .* got 0"),
        (Rnorm, {"N": 0}, ": N .* got 0"),
        (LastRel, {"judged_only": 1}, ": judged_only .* True or False, got 1"),
        (WSS, {"recall": 0}, ": recall .* above 0 and at most 1, got 0"),
        (TNR, {"recall": 95}, ": recall .* got 95; for instance"),
        (WSS, {"recall": "0.95"}, ": recall .* got '0.95'"),
        (TNR, {"rounding": ["up"]}, r": rounding .* 'up' or 'nearest', got \['up'"),
        *((measure, {"depth": 10}, " has no parameter 'depth'; it accepts") for measure in OURS),
    ],
)
def test_wrong_parameters_are_named(measure, params, said):
    with raises(MeasureError, f"{measure.name}{said}"):
        measure(**params)


def test_rnorm_takes_its_collection_size_one_way():
    with raises(
        ValueError,
        r"Rnorm: the collection's size is missing; .* or Rnorm\(judged_only=True\)",
    ):
        (Rnorm @ 100).check_complete()
    with raises(ValueError, "Rnorm: N and judged_only=True cannot be combined"):
        Rnorm(N=100, judged_only=True).check_complete()


def test_numpy_numbers_become_python_numbers():
    params = Rnorm(cutoff=np.int64(7), N=np.uint8(9), judged_only=np.bool_(0)).params
    assert params == {"cutoff": 7, "N": 9, "judged_only": False}
    assert [type(value) for value in params.values()] == [int, int, bool]


@pytest.mark.parametrize("measure", [WSS, TNR, Effort])
def test_a_value_after_the_at_sign_sets_the_recall(measure):
    same = [measure(N=9) @ 1, measure(N=9) @ 1.0, measure(N=9, recall=np.float64(1))]
    assert len({*same}) == len(set(map(str, same))) == 1
    assert str(same[0]) == f"{measure.name}(N=9)@1"
    assert (measure(N=9) @ np.float32(0.5)).params == {"N": 9, "recall": 0.5}
    assert measure(N=9).goal == (measure(N=9) @ 0.95).goal
    assert str(measure(rounding="nearest", N=9) @ 0.9) == (
        f"{measure.name}(rounding='nearest',N=9)@0.9"
    )
