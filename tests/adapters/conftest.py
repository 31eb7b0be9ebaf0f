"""The interpreter that tests of importing ranx share."""

import forks
import pytest


@pytest.fixture(scope="session")
def run_with_ranx():
    """A function that runs code in a fork of an interpreter, without numba's compiler."""
    pytest.importorskip("ranx", reason="ranx is not installed")
    with forks.forks() as run:
        yield run
