"""ir-measures' grammar of measure strings, ``Name(parameter=value, …)@value``.

Every interface reads measure strings as ir-measures does, so that they mean the same
everywhere. This module does not import ir-measures, because scoring dataframes does not
require it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from pres_plugin.measures.parameters import MeasureError


class Written(NamedTuple):
    """The parts of a measure string: name, parameters in parentheses, and the value after ``@``.

    If a parameter is given twice, the last value counts. `at` is None without an ``@``;
    otherwise it replaces a cutoff in parentheses.
    """

    name: str
    params: dict[str, Any]
    at: Any


def read(text: str) -> Written:
    """Split a measure string into its parts, as ``ir_measures.parse_measure`` does."""
    try:
        statements = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise MeasureError(f"not a measure ({error})") from None
    if len(statements) != 1 or not isinstance(statements[0], ast.Expr):
        raise MeasureError("not a single measure")
    node = statements[0].value
    at = None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        at = value_of(node.right)
        node = node.left
    params: dict[str, Any] = {}
    if isinstance(node, ast.Call):
        if node.args or any(keyword.arg is None for keyword in node.keywords):
            raise MeasureError("a parameter has no name")
        params = {str(keyword.arg): value_of(keyword.value) for keyword in node.keywords}
        node = node.func
    if not isinstance(node, ast.Name):
        raise MeasureError("the measure has no name")
    return Written(node.id, params, at)


def value_of(node: ast.expr) -> Any:
    """Return the value of a literal in a measure string."""
    match node:
        case ast.Constant(value=str() | int() | float() | complex() | None as value):
            return value  # bools are ints too
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            # Before Python 3.14, ir-measures reads values itself and rejects negative numbers.
            if sys.version_info >= (3, 14):
                return -number
        case ast.Dict(keys=keys, values=values) if all(
            isinstance(k, ast.Constant | ast.UnaryOp) for k in keys
        ):
            return {value_of(k): value_of(v) for k, v in zip(keys, values, strict=True) if k}
    raise MeasureError("a value must be a number, a string, True, False, None or a dict of these")


def split(text: str) -> Iterator[str]:
    """Split text at blanks into measure strings, such as ``PRES @ 100``.

    Blanks in brackets, in quotes, around ``@`` and before parentheses do not end a measure.
    """
    start = depth = 0
    quote = ""
    for i, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character.isspace() and depth <= 0 and not _is_inside(text[start:i], text[i:]):
            if name := text[start:i].strip():
                yield name
            start, depth = i, 0
    if name := text[start:].strip():
        yield name


def _is_inside(before: str, after: str) -> bool:
    return before.rstrip().endswith("@") or after.lstrip().startswith(("@", "("))
