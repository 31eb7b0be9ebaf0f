"""Run a few cases of a test by default, and the others in `.ci/run` or only before a release."""

import pytest


def every(step, cases, others=pytest.mark.release):
    """Cases to parametrize a test with; every `step`-th runs by default, the others get a mark."""
    return [
        case if i % step == 0 else pytest.param(case, marks=others) for i, case in enumerate(cases)
    ]
