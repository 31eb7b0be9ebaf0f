"""Read reported values of PRES from a file."""

from __future__ import annotations

import csv
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from math import isfinite
from typing import Any

from pres_plugin.measures import PRES
from pres_plugin.messages import InputError, quoted, some
from pres_plugin.tables.base import shown_as
from pres_plugin.tables.copies import on_disk
from pres_plugin.tables.json import loads
from pres_plugin.tables.opening import opened

#: Reported values by topic, as numbers or as they are written.
Values = Mapping[str, Any]

#: What the mean is called among the topics.
MEAN = "all"

#: The maximum number of bytes of a file of values, decompressed: enough for 100,000 topics.
LARGEST = 1 << 22

_TOPIC = ("query_id", "topic", "qid")


def read_values(path: str, n_max: int, run: str, *, rel: int = 1) -> Values:
    r"""Read the values of PRES in a file, or a single value: the mean.

    The file can contain what ``pres-eval score`` prints as TSV, CSV or JSON, another table with a
    header, or JSON such as ``{"q1": 0.5}``.

    Parameters
    ----------
    path : str
        A file of up to 4 MiB, compressed with gzip or not; ``-`` for standard input; or a number,
        unless there is a file with this name.
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
    with ExitStack() as temporary_files, opened(on_disk(path, temporary_files), path) as file:
        content = file.read(LARGEST + 1)
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    try:
        if len(content) > LARGEST:
            raise ValueError(f"a file of values may be at most {LARGEST:,} bytes long")
        for record in _records(content):
            topic = next((record.pop(name) for name in _TOPIC if name in record), MEAN)
            if record.pop("run", run) != run:
                continue
            if "measure" in record:
                record = {record["measure"]: record["value"]}
            for measure, value in record.items():
                values = found[str(measure).lower()]
                if topic in values:
                    raise ValueError(f"topic {quoted(topic)} has two values of {measure}")
                values[topic] = value
        pres = str(PRES(cutoff=n_max, rel=rel))
        for name in (pres.lower(), f"pres_{n_max}", "pres", "value", "score"):
            if name in found:
                return found[name]
        raise ValueError(
            f"there are no values of {pres} for {run}; found {some(found, 9) or 'none'}"
        )
    except (ValueError, TypeError, LookupError, csv.Error) as error:
        expected = 'a table with a header or JSON such as {"q1": 0.5}'
        raise InputError(f"{shown_as(path)}: {error}; expected {expected}") from None


def _records(content: bytes) -> Iterator[dict[str, Any]]:
    """Yield each row of a table, or each object of JSON, by name of field."""
    text = content.decode("utf-8-sig").lstrip()
    if text.startswith(("{", "[")):
        value = loads(text.encode())
        if isinstance(value, dict):
            value = [{"query_id": topic, "value": each} for topic, each in value.items()]
        yield from map(dict, value)
        return
    rows = csv.reader(text.splitlines(), delimiter="\t" if "\t" in text else ",")
    names = [name.lower() for name in next(rows, [])]
    for row in filter(None, rows):
        if len(row) != len(names):
            raise ValueError(f"line {rows.line_num} has {len(row)} fields, not {len(names)}")
        yield dict(zip(names, row, strict=True))


def is_number(value: Any) -> bool:
    """Return whether a value, or what a text contains, is a finite number."""
    try:
        return isfinite(float(value))
    except (TypeError, ValueError):
        return False
