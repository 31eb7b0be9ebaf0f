"""ranx, which takes seconds to import, so only the process that tests it does so."""

import pytest


@pytest.fixture(scope="session")
def ranx():
    return pytest.importorskip("ranx", reason="ranx is not installed")
