"""ir-measures' grammar of measure strings, ``Name(parameter=value, …)@value``.

Every interface that takes such a string reads it as ir-measures does, so that it means
the same everywhere. This module does not import ir-measures, because scoring dataframes
does not need it.
"""

from __future__ import annotations

import ast
import sys
from typing import Any, NamedTuple

__all__ = ["GrammarError", "Written", "read", "value_of"]


class GrammarError(ValueError):
    """A string is not a valid measure string."""


class Written(NamedTuple):
    """The parts of a measure string.

    Attributes
    ----------
    name : str
        The name of the measure.
    params : dict of str to value
        The parameters in parentheses. If one is given twice, the last value counts.
    at : value or None
        What follows the ``@``; None if nothing does. It replaces a cutoff in parentheses.
    """

    name: str
    params: dict[str, Any]
    at: Any


def read(text: str) -> Written:
    """Split a measure string into its parts, as ``ir_measures.parse_measure`` does.

    Parameters
    ----------
    text : str
        For instance ``"PRES(rel=2)@100"``.

    Returns
    -------
    Written
        The parts, unchecked.

    Raises
    ------
    GrammarError
        If the string does not consist of a name, named parameters and a value after ``@``.

    Examples
    --------
    >>> from pres_plugin.grammar import read
    >>> read("PRES(rel=2)@100")
    Written(name='PRES', params={'rel': 2}, at=100)
    """
    try:
        statements = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise GrammarError(f"not a measure ({error})") from None
    if len(statements) != 1 or not isinstance(statements[0], ast.Expr):
        raise GrammarError("not one measure")
    node = statements[0].value
    at = None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        at = value_of(node.right)
        node = node.left
    params: dict[str, Any] = {}
    if isinstance(node, ast.Call):
        if node.args or any(keyword.arg is None for keyword in node.keywords):
            raise GrammarError("a parameter has no name")
        params = {str(keyword.arg): value_of(keyword.value) for keyword in node.keywords}
        node = node.func
    if not isinstance(node, ast.Name):
        raise GrammarError("the measure has no name")
    return Written(node.id, params, at)


def value_of(node: ast.expr) -> Any:
    """Return the value of a literal in a measure string.

    Parameters
    ----------
    node : ast.expr
        A number, a string, True, False, None, or a dict of these; a negative number from
        Python 3.14 on.

    Raises
    ------
    GrammarError
        If the node is anything else.

    Examples
    --------
    >>> import ast
    >>> from pres_plugin.grammar import value_of
    >>> value_of(ast.parse("{0: 1, 1: 2.5}", mode="eval").body)
    {0: 1, 1: 2.5}
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
    raise GrammarError("values are numbers, strings, True, False, None or dicts of these")
