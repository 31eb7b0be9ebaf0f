"""ir-measures' grammar of measure strings, ``Name(parameter=value, …)@value``.

Every interface that takes such a string reads it as ir-measures does, so that it means
the same everywhere. This module does not import ir-measures, because scoring dataframes
does not need it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from pres_plugin.measures.parameters import MeasureError

__all__ = ["Written", "read", "split", "value_of"]


class Written(NamedTuple):
    """The parts of a measure string: name, parameters in parentheses, and what follows ``@``.

    If a parameter is given twice, the last value counts. `at` is None if nothing
    follows; otherwise it replaces a cutoff in parentheses.
    """

    name: str
    params: dict[str, Any]
    at: Any


def read(text: str) -> Written:
    """Split a measure string into its parts, as ``ir_measures.parse_measure`` does.

    Raises
    ------
    MeasureError
        If the string does not consist of a name, named parameters and a value after ``@``.

    Examples
    --------
    >>> from pres_plugin.measures.grammar import read
    >>> read("PRES(rel=2)@100")
    Written(name='PRES', params={'rel': 2}, at=100)
    """
    try:
        statements = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise MeasureError(f"not a measure ({error})") from None
    if len(statements) != 1 or not isinstance(statements[0], ast.Expr):
        raise MeasureError("not one measure")
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
    """Return the value of a literal in a measure string.

    Numbers, strings, True, False, None and dicts of these are literals; from Python 3.14
    on, negative numbers are too.

    Raises
    ------
    MeasureError
        If the node is anything else.
    """
    match node:
        case ast.Constant(value=str() | int() | float() | complex() | None as value):
            return value  # a bool is an int
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            # ir-measures' own reader, which is in use before Python 3.14, refuses them.
            if sys.version_info >= (3, 14):
                return -number
        case ast.Dict(keys=keys, values=values) if all(
            isinstance(k, ast.Constant | ast.UnaryOp) for k in keys
        ):
            return {value_of(k): value_of(v) for k, v in zip(keys, values, strict=True) if k}
    raise MeasureError("values are numbers, strings, True, False, None or dicts of these")


def split(text: str) -> Iterator[str]:
    """Split a text into measure strings, which are separated by blanks.

    Blanks in brackets, in quotes, around ``@`` and before parentheses belong to a measure.

    Examples
    --------
    >>> from pres_plugin.measures.grammar import split
    >>> list(split("PRES @ 100  AP(rel=2, judged_only=True)@10"))
    ['PRES @ 100', 'AP(rel=2, judged_only=True)@10']
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
