"""The error for frames that cannot be scored."""

from __future__ import annotations


class InputError(ValueError):
    """A run or qrels cannot be scored. The message explains which one, where and why.

    Spark finds an invalid row only when it computes the result. It then raises an error of its own
    that contains this message.
    """

    __module__ = "pres_plugin.frames"  # so that tracebacks show where to import it from
