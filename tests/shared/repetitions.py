"""Mark most cases of a test for releases; a few of them run by default."""

import pytest


def every(step, cases):
    """Cases to parametrize a test with; every `step`-th runs by default."""
    return [
        case if i % step == 0 else pytest.param(case, marks=pytest.mark.release)
        for i, case in enumerate(cases)
    ]


def pairs(cases):
    """All pairs of the cases; by default, each case occurs once on either side."""
    cases = list(cases)
    return [
        pytest.param(
            one,
            other,
            marks=() if (i + 1) % len(cases) == j else pytest.mark.release,
            id=f"{one}-{other}",
        )
        for i, one in enumerate(cases)
        for j, other in enumerate(cases)
    ]
