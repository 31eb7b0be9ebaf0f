"""Measures by name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pres_plugin.measures import MEASURES

__all__ = ["Measure", "MeasureError", "parse"]

_DECLARED = {declaration.name: declaration for declaration in MEASURES}


class MeasureError(ValueError):
    """Not one of the measures known here."""


@dataclass(frozen=True)
class Measure:
    """A measure and its parameters."""

    name: str
    cutoff: int | None = None
    rel: int = 1
    judged_only: bool = False
    N: int | None = None

    def __str__(self) -> str:
        params = [
            text
            for given, text in (
                (self.N is not None, f"N={self.N}"),
                (self.rel != 1, f"rel={self.rel}"),
                (self.judged_only, "judged_only=True"),
            )
            if given
        ]
        at = "" if self.cutoff is None else f"@{self.cutoff}"
        return self.name + (f"({','.join(params)})" if params else "") + at


def parse(text: Any) -> Measure:
    """The measure that `text` names."""
    match = re.fullmatch(r"(\w+)(?:\(([^()]*)\))?(?:@(\d+))?", str(text).strip())
    if match is None or match[1] not in {*_DECLARED, "AP", "R"}:
        raise MeasureError(f"unknown measure {text!r}")
    params: dict[str, Any] = {}
    for part in filter(None, (match[2] or "").split(",")):
        name, _, value = (side.strip() for side in part.partition("="))
        if name in {"rel", "N"} and value.isdecimal():
            params[name] = int(value)
        elif name == "judged_only" and value in {"True", "False"}:
            params[name] = value == "True"
        else:
            raise MeasureError(f"{text!r}: {part!r}")
    if match[3]:
        params["cutoff"] = int(match[3])
    if any(type(value) is int and value < 1 for value in params.values()):
        raise MeasureError(f"{text!r}: not a positive whole number")
    if match[1] in _DECLARED:
        try:
            _DECLARED[match[1]].check_complete(_DECLARED[match[1]].checked(params))
        except (TypeError, ValueError) as error:
            raise MeasureError(str(error)) from error
    elif "N" in params or (match[1] == "R" and "cutoff" not in params):
        raise MeasureError(f"{text!r}: wrong parameters")
    return Measure(match[1], **params)
