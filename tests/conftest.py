"""What all tests of single modules share."""

import untimed  # noqa: F401 (sets up hypothesis)
from session import pytest_collection_finish, pytest_collection_modifyitems  # noqa: F401
