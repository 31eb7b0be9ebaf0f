"""The declarations refuse what a measure does not take, before any framework sees it."""

import numpy as np
import pytest

from pres_plugin.measures import PRES as PRES_MEASURE
from pres_plugin.measures import TNR, WSS, Measure, PRES_est, Rnorm
from pres_plugin.measures.declared import OURS
from pres_plugin.measures.parameters import CUTOFF

MEASURES = [measure.declaration for measure in OURS]
PRES, PRES_EST, RNORM = (measure.declaration for measure in (PRES_MEASURE, PRES_est, Rnorm))


@pytest.mark.parametrize(
    "declaration", [d for d in MEASURES if d.at == CUTOFF], ids=lambda d: d.name
)
@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"cutoff": 0}, "cutoff .* positive whole number, got 0"),
        ({"cutoff": 1.5}, r"cutoff .* got 1\.5"),
        ({"cutoff": True}, "cutoff .* got True"),
        ({"cutoff": 10**18}, "cutoff .* from 1 to 10000000000, got 1000000000000000000"),
        ({"rel": 0}, "rel .* got 0"),
        ({"judged_only": 1}, "judged_only .* True or False, got 1"),
    ],
)
def test_wrong_values_are_named(declaration, params, said):
    with pytest.raises(ValueError, match=f"^{declaration.name}: {said}"):
        declaration.checked(params)


@pytest.mark.parametrize("declaration", MEASURES, ids=lambda d: d.name)
def test_unknown_parameters_are_named(declaration):
    with pytest.raises(TypeError, match=f"{declaration.name} has no parameter 'depth'; it accepts"):
        declaration.checked({"depth": 10})


@pytest.mark.parametrize("declaration", [PRES, PRES_EST])
def test_pres_cannot_do_without_a_cutoff(declaration):
    with pytest.raises(ValueError, match=f"a cutoff is missing .* write {declaration.name}@100"):
        Measure(declaration, rel=2).check_complete()


def test_rnorm_takes_its_collection_size_one_way():
    with pytest.raises(ValueError, match=r"write Rnorm\(N=...\) .* or Rnorm\(judged_only=True\)"):
        (Rnorm @ 100).check_complete()
    with pytest.raises(ValueError, match=r"N and judged_only=True cannot be combined"):
        Rnorm(N=100, judged_only=True).check_complete()
    with pytest.raises(ValueError, match=r"N .* got 0"):
        RNORM.checked({"N": 0})


def test_numpy_numbers_become_python_numbers():
    checked = RNORM.checked({"cutoff": np.int64(7), "N": np.uint8(9), "judged_only": np.bool_(0)})
    assert checked == {"cutoff": 7, "N": 9, "judged_only": False}
    assert [type(value) for value in checked.values()] == [int, int, bool]


@pytest.mark.parametrize("measure", [WSS, TNR])
@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"recall": 0}, "recall .* above 0 and at most 1, got 0"),
        ({"recall": 95}, "recall .* got 95; for instance"),
        ({"recall": "0.95"}, "recall .* got '0.95'"),
        ({"rounding": "down"}, "rounding .* must be 'up' or 'nearest', got 'down'"),
        ({"rounding": ["up"]}, "rounding .* got \\['up'\\]"),
    ],
)
def test_wrong_recalls_and_roundings_are_named(measure, params, said):
    with pytest.raises(ValueError, match=f"^{measure.name}: {said}"):
        measure(**params)


@pytest.mark.parametrize("measure", [WSS, TNR])
def test_a_value_after_the_at_sign_sets_the_recall(measure):
    same = [measure(N=9) @ 1, measure(N=9) @ 1.0, measure(N=9, recall=np.float64(1))]
    assert len({*same}) == len(set(map(str, same))) == 1
    assert str(same[0]) == f"{measure.name}(N=9)@1"
    assert (measure(N=9) @ np.float32(0.5)).params == {"N": 9, "recall": 0.5}
    assert measure(N=9).goal == (measure(N=9) @ 0.95).goal
    assert str(measure(rounding="nearest", N=9) @ 0.9) == (
        f"{measure.name}(rounding='nearest',N=9)@0.9"
    )
