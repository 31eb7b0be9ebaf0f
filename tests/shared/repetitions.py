"""Mark most cases of a test for releases; a few of them run by default."""

import pytest


def every(step, cases):
    """Cases to parametrize a test with; every `step`-th runs by default."""
    return [
        case if i % step == 0 else pytest.param(case, marks=pytest.mark.release)
        for i, case in enumerate(cases)
    ]
