"""Collect garbage less often, which makes the tests 5 % faster.

Importing large libraries and compiling ranx creates millions of objects that are never freed.
"""

import gc


def pytest_collection_finish(session):
    """Ignore the objects that imports have created, and raise the thresholds of the collector."""
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
