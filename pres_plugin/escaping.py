r"""Write names so that each output format keeps its structure: run names, topic ids, document ids.

Names may contain anything: line breaks, the separators of a format, and control characters,
which a terminal obeys. There is one function per format. JSON needs none, and pictures have
theirs in :mod:`pres_plugin.study.pictures.style`.
"""

from __future__ import annotations

import re

# Control characters, line and paragraph separators, characters that reverse the direction of
# text, and surrogates, which stand for bytes of a file name that are not UTF-8.
_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}
_MARKUP = re.compile(r"[\\`*\[\]<>|~&$]|(?<![^\W_])_|_(?![^\W_])")


def visible(text: str) -> str:
    r"""Return text for one line of a message, with hidden characters written as in Python.

    >>> print(visible("a\nb\x1b"))
    a\nb\x1b
    """
    return _HIDDEN.sub(_escape, text)


def escaped(text: str) -> str:
    r"""Return a name for a table: as :func:`visible`, but each backslash is doubled.

    Different names stay different, and Python's rules for strings give the name back.
    """
    return visible(text.replace("\\", r"\\"))


def in_tsv(name: str) -> str:
    """Return a name for a TSV file, in which each record is one line without quotes.

    A leading quote is escaped, because many readers take it for the start of a quoted field.
    """
    name = escaped(name)
    return "\\" + name if name.startswith('"') else name


def in_csv(name: str) -> str:
    """Return a name for a CSV file, quoted if it contains a separator, a quote or a line break."""
    if not any(character in name for character in ',"\r\n'):
        return name
    return '"' + name.replace('"', '""') + '"'


def in_markdown(name: str) -> str:
    """Return a name for a table in GitHub's Markdown, which shows it as it is."""
    name = _MARKUP.sub(r"\\\g<0>", name)
    name = _HIDDEN.sub(lambda found: f"&#{ord(found[0])};", name)
    return re.sub("^ | $", "&#32;", name)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if found[0] in _SHORT:
        return _SHORT[found[0]]
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
