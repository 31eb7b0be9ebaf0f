"""What docstrings hold for Sphinx's sake, as Markdown: roles and marks of references."""

from __future__ import annotations

import re
from typing import Any

import griffe

__all__ = ["SphinxRoles"]

_ROLE = re.compile(r":(?:class|data|func|meth|mod):`([^`]+)`")
_LITERAL = re.compile(r"``([^`]+)``")
_REFERENCE = re.compile(r"\[(\d+)\]_")
_LISTED = re.compile(r"^\.\. \[(\d+)\] ", flags=re.MULTILINE)


class SphinxRoles(griffe.Extension):
    """Turns ``:func:`pres``` into a link where the object is on a page, else into code."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of an object that has one."""
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)


def as_markdown(text: str) -> str:
    """A docstring without roles, double backquotes and marks of references."""
    text = _ROLE.sub(lambda match: f"`{match[1].lstrip('.~')}`", text)
    text = _LITERAL.sub(r"`\1`", text)
    text = _LISTED.sub(r"\1. ", text)
    return _REFERENCE.sub(r"[\1]", text)
