"""What the results of all studies can do.

A result is imported by the modules beside it that describe and draw it. These add their functions
to those here, which choose one by the type of the result.
"""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any

from pres_plugin.study.output.report import Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@singledispatch
def report(found: Any, command: str = "") -> Report:
    """Return the report of a result; `command` creates it again."""
    raise TypeError(f"not the result of a study: {found!r}")


@singledispatch
def plot(found: Any, ax: Axes | None, *options: Any) -> Axes:
    """Draw a result into the user's axes, or into those of a new figure."""
    raise TypeError(f"not the result of a study: {found!r}")


class Result:
    """The result of a study."""

    def sentences(self) -> list[str]:
        """Describe the result in a few sentences; scores that are equal to four decimals tie."""
        return list(report(self).summary)

    def _repr_html_(self) -> str:
        """Return the sentences, and the first table and picture for a notebook."""
        from pres_plugin.study.output.page import in_notebook

        shown = report(self)
        return in_notebook(shown.summary, shown.parts[:2])
