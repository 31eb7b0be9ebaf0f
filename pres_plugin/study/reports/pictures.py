"""Draw the pictures of reports only when they are needed."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pres_plugin.study.pictures.style import Drawing


def drawn_by(module: str, function: str, *results: Any) -> Callable[..., Drawing]:
    """Return a function that draws results with a function of ``pres_plugin.study.pictures``.

    It imports the module only when it draws, because printing tables needs no matplotlib. Its
    keywords are those of the function, such as `width`.
    """

    def draw(**options: Any) -> Drawing:
        pictures = import_module(f"pres_plugin.study.pictures.{module}")
        figure: Drawing = getattr(pictures, function)(*results, **options)
        return figure

    return draw
