"""Read and write the tables of Markdown pages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

__all__ = ["rows_of", "table"]


def rows_of(text: str) -> Iterator[dict[str, str]]:
    """Yield each row of all tables in a text, as cells by the heads of their columns."""
    heads: list[str] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            heads = []
        elif not heads:
            heads = cells
        elif not cells[0].startswith(("-", ":-")):
            yield dict(zip(heads, cells, strict=True))


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[str] = ()) -> str:
    """Return a table. Columns whose heads are in `right` align right, others left."""
    below = ["---:" if head in right else "---" for head in heads]
    first, second, *others = (" | ".join(line) for line in (heads, below, *rows))
    lines = [f"| {first} |", f"|{second.replace(' ', '')}|", *(f"| {line} |" for line in others)]
    return "\n".join(lines)
