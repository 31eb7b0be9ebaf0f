"""Make pytest's result the last output.

Otherwise, when Python exits, DuckDB 2 prints many lines on objects that it reports as leaked.
"""

import atexit
import os


def say_nothing_more():
    """Discard what is written to standard error, because the tests are over."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


# What is registered first runs last.
atexit.register(say_nothing_more)
