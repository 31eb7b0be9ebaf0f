"""Read reported values of PRES from a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from math import isfinite
from typing import Any

import polars as pl

from pres_plugin.measures import PRES
from pres_plugin.tables.mappings import mapping_of, read_table

#: Reported values by topic, as numbers or as they are written.
Values = Mapping[str, Any]

#: What the mean is called among the topics.
MEAN = "all"


def read_values(path: str, n_max: int, run: str, *, rel: int = 1) -> Values:
    r"""Read the values of PRES in a file, or a single value: the mean.

    The file can contain what ``pres-eval score`` prints as TSV, CSV or JSON, another table with a
    header, or JSON such as ``{"q1": 0.5}``.

    .. versionadded:: 0.2.0

    Parameters
    ----------
    path : str
        A file, compressed with gzip or not; ``-`` for standard input; or a number, unless there is
        a file with this name.
    n_max : int
        Nmax, which the name of the measure may contain.
    run : str
        The run to read if the file names runs.
    rel : int, default 1
        The lowest relevance that counts as relevant, which the name of the measure may contain.

    Returns
    -------
    dict of str to float or str
        The values by topic; the mean is called ``all``.

    Raises
    ------
    InputError
        If the file cannot be read, or if its content is wrong.

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> from pres_plugin.study.check.values import read_values
    >>> with NamedTemporaryFile() as file:
    ...     _ = file.write(b"topic,pres\nq1,0.250\nall,0.250\n")
    ...     file.flush()
    ...     read_values(file.name, 100, "mine")
    {'q1': '0.250', 'all': '0.250'}
    """
    if is_number(path) and not os.path.exists(path):
        return {MEAN: path}
    pres = str(PRES(cutoff=n_max, rel=rel))
    names = [pres, f"pres_{n_max}", "pres", "score"]
    file, rows = read_table(path, "value", {"value": names})
    if "run" in rows.columns:
        rows = rows.filter(run=run)
    if "measure" in rows.columns:
        rows = rows.filter(pl.col("measure").str.to_lowercase().is_in([*map(str.lower, names)]))
    if rows.is_empty():
        raise file.error(f"there are no values of {pres} for {run}")
    if "query_id" not in rows.columns:
        rows = rows.with_columns(query_id=pl.lit(MEAN))
    return mapping_of(file, rows.select("query_id", "value"))


def is_number(value: Any) -> bool:
    """Return whether a value, or what a text contains, is a finite number."""
    try:
        return isfinite(float(value))
    except (TypeError, ValueError):
        return False
