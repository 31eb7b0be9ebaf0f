"""Fixtures of several folders: the real data."""

import os
import sys
from pathlib import Path

import pytest
from session import pytest_collection_finish, pytest_collection_modifyitems  # noqa: F401

import pres_plugin  # noqa: F401 (connects the frameworks before test modules import them)

PROJECT = Path(__file__).parent.parent

# Spark Connect's client imports gRPC. After a fork, gRPC's threads would print errors on the
# standard error of commands that tests start.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"

# On a terminal, numba prints its warnings in bold, which filters of warnings do not expect.
os.environ["NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING"] = "1"

# Interpreted, ranx's metrics compute the same. Compiling them takes a minute, so .ci/run does it.
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")

# The Python that Spark starts to hand over rows from Python, else that of the PATH.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)


def folder_of_data(name):
    """Return a fixture: the folder of this name in ../shared/data, or where PRES_TEST_DATA says."""

    @pytest.fixture(scope="session")
    def folder():
        path = Path(os.environ.get("PRES_TEST_DATA", PROJECT.parent / "shared" / "data")) / name
        if not path.is_dir():
            pytest.skip(f"no folder {path}; set PRES_TEST_DATA to a folder that contains it")
        return path

    return folder


clef_tar = folder_of_data("clef-tar-2017")
papers = folder_of_data("papers")
vaswani = folder_of_data("vaswani")
