"""ir-measures' grammar of measure strings, ``Name(parameter=value, …)@value``.

Every interface reads measure strings as ir-measures does, so that they mean the same
everywhere. This module does not import ir-measures, because scoring dataframes does not
require it.
"""

from __future__ import annotations

import ast
import re
import sys
from contextlib import suppress
from typing import Any, NamedTuple

from pres_plugin.measures.parameters import MeasureError
from pres_plugin.messages import quoted

#: What error messages say about measure strings.
HOW_TO_WRITE = "measures are written as 'PRES@100', 'AP(rel=2)@10' or 'Rnorm(N=11429)'"
_NO_COMMAS = "; separate measures with blanks, without commas"

#: The most characters in one measure string. Python's parser needs memory and stack for each
#: nested expression, and no real measure is nearly as long.
LONGEST = 1000


class Parts(NamedTuple):
    """The parts of a measure string: name, parameters in parentheses, and the value after ``@``.

    If a parameter is given twice, the last value counts. `at` is None without an ``@``;
    otherwise it replaces a cutoff in parentheses.
    """

    name: str
    params: dict[str, Any]
    at: Any


def read(text: str) -> Parts:
    """Split a measure string into its parts, as ``ir_measures.parse_measure`` does."""
    check_length(text)
    try:
        return _parts(ast.parse(text).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        end = _NO_COMMAS if "," in re.sub(r"\(.*?\)", "", text) else ""
        raise MeasureError(f"measure {quoted(text)} cannot be read; {HOW_TO_WRITE}{end}") from None


def _parts(statements: list[ast.stmt]) -> Parts:
    """Return the parts of a measure string that Python has parsed."""
    at, params = None, {}
    match statements:
        case [ast.Expr(value=ast.BinOp(left=node, op=ast.MatMult(), right=right))]:
            at = value_of(right)
        case [ast.Expr(value=node)]:
            pass
        case _:
            raise ValueError("not a single expression")
    match node:
        case ast.Call(func=func, args=[], keywords=keywords) if all(k.arg for k in keywords):
            node, params = func, {str(k.arg): value_of(k.value) for k in keywords}
    if not isinstance(node, ast.Name):
        raise ValueError("the measure has no name")
    return Parts(node.id, params, at)


def check_length(text: str) -> None:
    """Raise a MeasureError if a measure string is too long to be parsed."""
    if len(text) > LONGEST:
        raise MeasureError(
            f"measure {quoted(text)} has {len(text)} characters; the limit is {LONGEST}"
        )


def value_of(node: ast.expr) -> Any:
    """Return the value of a literal in a measure string."""
    # Before Python 3.14, ir-measures reads values itself and rejects negative numbers.
    negative = (ast.UnaryOp, ast.USub) if sys.version_info >= (3, 14) else ()
    parts = list(ast.walk(node))
    constants = [part.value for part in parts if isinstance(part, ast.Constant)]
    if all(isinstance(part, (ast.Constant, ast.Dict, *negative)) for part in parts) and all(
        isinstance(value, str | int | float | complex | None) for value in constants
    ):
        with suppress(TypeError, ValueError):  # of dicts as keys, and of minus before a string
            return ast.literal_eval(node)
    raise MeasureError("a value must be a number, a string, True, False, None or a dict of these")
