"""What the results of all studies can do."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Result:
    """The result of a study.

    The files beside a result's own module describe it in words and draw it. They import that
    module, so it imports them only when they are needed.
    """

    def sentences(self) -> list[str]:
        """Describe the result in a few sentences; scores that are equal to four decimals tie."""
        return list(self._beside("report").sentences(self))

    def _repr_html_(self) -> str:
        """Return the sentences, the main table and the picture for a notebook."""
        from pres_plugin.study.output.page import in_notebook

        return in_notebook(self.sentences(), self._beside("report").main_parts(self))

    def draw(self, picture: str, **options: Any) -> Any:
        """Draw a picture; importing matplotlib takes long, and printing tables does not need it."""
        return getattr(self._beside("picture"), picture)(self, **options)

    def _plotted(self, ax: Axes | None, *options: Any) -> Axes:
        """Draw into the user's axes, or into those of a new figure."""
        axes: Axes = self._beside("picture").plot(self, ax, *options)
        return axes

    def _beside(self, name: str) -> Any:
        """Return the module with this name in the folder of the result's class."""
        return import_module(f"{type(self).__module__.rpartition('.')[0]}.{name}")
