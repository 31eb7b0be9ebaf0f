r"""Write names so that each output format keeps its structure: run names, topic ids, document ids.

Names may contain anything: line breaks, the separators of a format, and control characters,
which a terminal interprets. There is one function per format. JSON and CSV need none, and pictures
have theirs in :mod:`pres_plugin.study.output.style`.
"""

from __future__ import annotations

import os
import re

# Control characters, line and paragraph separators, characters that reverse the direction of
# text, the byte order mark, two that XML forbids, and surrogates. Python uses surrogates for bytes
# of a file name that are not UTF-8.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)
_AT_AN_END = re.compile(r"\A\s|\s\Z")
_MARKUP = re.compile(r"[\\`*\[\]<>|~&$]|(?<![^\W_])_|_(?![^\W_])")

# Characters that LaTeX interprets as commands or prints as other characters. At the start of a row,
# it reads `[` and `*` as arguments of the preceding `\\`. It joins pairs of quotes and hyphens.
_TEX = re.compile(r"""[\\{}$&#%_^~<>|`\[*]|(?<=-)-|(?<=')'""")
_IN_TEX = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    **{character: f"\\{character}" for character in "{}$&#%_"},
}


def visible(text: str) -> str:
    r"""Return text for one line of a message, with hidden characters written as in Python.

    >>> print(visible("a\nb\x1b"))
    a\nb\x1b
    """
    return _HIDDEN.sub(_escape, text)


def on_terminal(text: str) -> str:
    """Return text for a terminal: as :func:`visible`, but line breaks and tabs are kept."""
    return _HIDDEN.sub(lambda found: found[0] if found[0] in "\n\t" else _escape(found), text)


def escaped(text: str) -> str:
    r"""Return a name for a table: as :func:`visible`, but each backslash is doubled.

    Different names stay different, and Python's rules for strings give the name back.
    """
    return visible(text.replace("\\", r"\\"))


def in_table(name: str) -> str:
    """Return a name for a table in plain text, in which blanks at either end would be lost."""
    return _AT_AN_END.sub(_escape, escaped(name))


def in_tsv(name: str) -> str:
    """Return a name for a TSV file, in which each record is one line without quotes.

    A leading quote is escaped, because many readers take it for the start of a quoted field.
    """
    name = escaped(name)
    return "\\" + name if name.startswith('"') else name


def in_markdown(name: str) -> str:
    """Escape a name for a table in Markdown, which then shows it as :func:`in_table` does."""
    return _MARKUP.sub(r"\\\g<0>", in_table(name))


def in_latex(name: str) -> str:
    """Escape a name for a table in LaTeX, which then shows it as :func:`in_table` does."""
    return _TEX.sub(lambda found: _IN_TEX.get(found[0], f"{{{found[0]}}}"), in_table(name))


def text_of(name: str | bytes) -> str:
    r"""Return a file name as text: bytes that are not UTF-8 are written as ``\xff``."""
    return os.fsencode(name).decode(errors="backslashreplace")


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name
        code -= 0xDC00
    return ascii(chr(code))[1:-1].replace(" ", r"\x20")
