"""Turn Sphinx's markup in docstrings into Markdown with links.

Roles and the entries of "See Also" become links to the objects on the pages. Citations such
as ``[1]_`` become links to the entries of "References", and these link to their DOIs.
``.. versionadded::`` becomes a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import griffe

__all__ = ["SphinxRoles"]

_ROLE = re.compile(r":(?:attr|class|data|func|meth|mod):`([^`]+)`")
_LITERAL = re.compile(r"``([^`]+)``")
_CITATION = re.compile(r"\[(\d+)\]_")
_ADDED = re.compile(r"^( *)\.\. versionadded:: (\S+)$", re.MULTILINE)
_URL = re.compile(r"https?://\S+")


class SphinxRoles(griffe.Extension):
    """Rewrite the docstrings of a package once it is loaded as a whole."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Rewrite the docstring of each object in the package."""
        objects: list[griffe.Object] = [pkg]
        while objects:
            obj = objects.pop()
            objects += [m for m in obj.members.values() if isinstance(m, griffe.Object)]
            if obj.docstring is not None:
                obj.docstring.value = as_markdown(obj.docstring.value, obj)


def as_markdown(text: str, obj: griffe.Object) -> str:
    """Return a docstring with Markdown links instead of Sphinx's markup."""
    text = _section(text, "See Also", lambda lines: _see_also(lines, obj))
    text = _section(text, "References", lambda lines: _references(lines, obj))
    # As HTML, because mkdocstrings changes the targets of Markdown links within a page.
    text = _CITATION.sub(lambda m: f'<a href="#{_anchor(obj, m[1])}">[{m[1]}]</a>', text)
    text = _ROLE.sub(lambda match: _link(match[1].removeprefix("~"), obj), text)
    text = _ADDED.sub(r"\1*New in version \2.*", text)
    return _LITERAL.sub(r"`\1`", text)


def _section(text: str, name: str, rewrite: Callable[[str], str]) -> str:
    """Rewrite the entries of a section of a docstring, if it has this section."""
    pattern = rf"(^{name}\n-+\n)(.*?)(?=\n\n[A-Z][\w ]+\n-{{3,}}\n|\Z)"
    return re.sub(
        pattern,
        lambda match: match[1] + rewrite(match[2]),
        text,
        flags=re.DOTALL | re.MULTILINE,
    )


def _see_also(text: str, obj: griffe.Object) -> str:
    """Return "name : description" lines as a list of links."""
    entries = re.findall(r"^(\S+) : (.*(?:\n +.*)*)", text, flags=re.MULTILINE)
    return "\n".join(f"- {_link(name, obj)}: {' '.join(what.split())}" for name, what in entries)


def _references(text: str, obj: griffe.Object) -> str:
    """Return ``.. [1] …`` entries as a list whose entries can be linked to."""
    entries = re.findall(r"^\.\. \[(\d+)\] (.*(?:\n +.*)*)", text, flags=re.MULTILINE)
    return "\n".join(
        f'{number}. <a id="{_anchor(obj, number)}"></a>'
        + _URL.sub(lambda url: f"<{url[0]}>", " ".join(entry.split()))
        for number, entry in entries
    )


def _anchor(obj: griffe.Object, number: str) -> str:
    return f"{obj.name}-reference-{number}"


def _link(name: str, obj: griffe.Object) -> str:
    """Return a link to an object that is on a page, else its name as code."""
    shown = f"`{name.lstrip('.')}`"
    path = _path(name.lstrip("."), obj)
    if path is None:
        return shown
    return f'<autoref optional identifier="{path}">{shown}</autoref>'


def _path(name: str, obj: griffe.Object) -> str | None:
    """Return the path of the object that a name means in the docstring of `obj`."""
    scope: griffe.Object | None = obj
    while scope is not None:
        try:
            found = scope[name]
        except (KeyError, griffe.AliasResolutionError):
            scope = scope.parent  # type: ignore[assignment]
        else:
            return str(found.canonical_path)
    root, _, rest = name.partition(".")
    if root == obj.package.name and rest:
        return name
    return None
