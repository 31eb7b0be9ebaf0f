"""Read files that map topics to groups."""

from __future__ import annotations


def read_groups(path: str) -> dict[str, str]:
    """Return the group of each topic in a CSV file with the columns topic and group."""
    import polars as pl

    frame = pl.read_csv(path, infer_schema=False)
    return dict(frame.select("topic", "group").iter_rows())
