"""The tables of docs/scaling-out.md: make them, and put them between their markers."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "scaling-out.md"

sys.path.append(str(DOCS))
from marked_parts import with_parts  # noqa: E402


def table(heads: list[str], rows: Iterable[list[str]], text: Collection[str]) -> str:
    """Return a Markdown table. Columns whose heads are in `text` align left, others right."""
    aligned = ["---" if head in text else "---:" for head in heads]
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, aligned, *rows])


def write(made: Mapping[str, str]) -> None:
    """Put tables between their markers."""
    page = with_parts(PAGE.read_text(encoding="utf-8"), "measured", made)
    PAGE.write_text(page, encoding="utf-8")
