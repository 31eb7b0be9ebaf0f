"""Expect errors and warnings whose messages begin as they should.

What pytest calls `match` may occur anywhere in a message, so it would miss a wrong beginning.
"""

import pytest


def raises(error, said):
    """Like ``pytest.raises``; the message begins with what the regular expression matches."""
    return pytest.raises(error, match=rf"\A(?:{said})")  # noqa: TID251


def warns(kind, said=""):
    """Like ``pytest.warns``; the same. Without `said`, the test compares whole messages."""
    return pytest.warns(kind, match=rf"\A(?:{said})")  # noqa: TID251
