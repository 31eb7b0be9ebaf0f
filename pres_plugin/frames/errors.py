"""The error for frames that cannot be scored."""

from __future__ import annotations


class InputError(ValueError):
    """A run or qrels cannot be scored. The message explains which one, where and why.

    Lazy libraries find an invalid row only when they compute it. They may raise
    an error of their own that contains this error or its message.
    """

    __module__ = "pres_plugin.frames"  # so that tracebacks show where to import it from
