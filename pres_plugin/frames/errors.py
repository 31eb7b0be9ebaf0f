"""What is said of frames that cannot be scored."""

from __future__ import annotations

__all__ = ["FrameError"]


class FrameError(ValueError):
    """A run or qrels cannot be scored; the message says which, where and why.

    Lazy libraries find what is wrong with a row when they get to it, and wrap
    this or its message in an error of their own.
    """
