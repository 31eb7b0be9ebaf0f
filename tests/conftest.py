"""Connect the frameworks before test modules import measures."""

import os

import last_words  # noqa: F401
import untimed  # noqa: F401 (sets up hypothesis)
from garbage import pytest_collection_finish  # noqa: F401
from groups import pytest_collection_modifyitems  # noqa: F401

import pres_plugin  # noqa: F401

# On a terminal, numba prints its warnings in bold, which filters of warnings do not expect.
os.environ["NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING"] = "1"
