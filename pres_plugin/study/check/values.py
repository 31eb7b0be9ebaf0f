r"""Read reported values of PRES: one per topic, their mean, or both.

A file can contain what ``pres-eval score``, trec_eval or ir_measures prints, CSV or TSV with a
header, JSON such as ``{"q1": 0.5}``, or one number. All of these are records with named fields. If
the file does not name them, the fields are named after what they contain.

If the file also contains AP or recall at the same cutoff, these values are read, too, because PRES
lies between the two: AP@Nmax ≤ PRES@Nmax ≤ R@Nmax.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple

from pres_plugin.escaping import in_tsv
from pres_plugin.formats.base import FileError, shown_as
from pres_plugin.formats.copies import on_disk
from pres_plugin.formats.excel import spreadsheet_problem
from pres_plugin.formats.opening import START, opened
from pres_plugin.formats.tables import NAMES
from pres_plugin.measures import AP, PRES, Measure, R
from pres_plugin.remedy import RemediedError, quoted, some

#: The maximum number of bytes of a file of values, decompressed: enough for 100,000 topics in CSV.
#: Reading it needs up to a hundred times as much memory.
LARGEST = 1 << 22

#: The maximum number of decimals to compare. 64-bit floats have more, but the last ones are noise.
MOST_DECIMALS = 12

#: The first tab or comma outside parentheses, as in PRES(rel=2,judged_only=True)@100.
_SEPARATOR = re.compile(r"\s*(?:\([^)\n]*\)|[^(,\t\n])*([,\t])")
_NUMBER = re.compile(r"[+-]?([0-9]{1,99}(\.[0-9]{,99})?|\.[0-9]{1,99})([eE][+-]?[0-9]{1,2})?")

#: What ends the first line of a table without a header.
_UNNAMED = re.compile(r"[+-]?([0-9.].*|nan|inf(inity)?)", re.IGNORECASE)

#: Other names of columns, in lower case.
_COLUMNS = {
    **dict.fromkeys((*NAMES["query_id"], "topic", "topic_id", "query"), "query_id"),
    **dict.fromkeys(("score", "value"), "value"),
}
#: Names of the mean among the topics, in lower case.
_MEAN = {"all", "mean", "average", "amean"}

#: Names of measures besides those of ir-measures, in lower case, in the order of preference. They
#: do not state the lowest relevance, because trec_eval sets it with its option ``-l``.
_NAMES = {
    "PRES": ("pres_{}", "pres.{}", "pres", "value"),
    "AP": ("map_cut_{}", "map_cut.{}"),
    "R": ("recall_{}", "recall.{}", "set_recall"),
}


class Number(NamedTuple):
    """A number, and the number of decimals with which it is written."""

    value: float
    decimals: int


Numbers = dict[str | None, Number]


@dataclass(frozen=True)
class Values:
    """Reported values.

    Attributes
    ----------
    pres : dict of str or None to Number
        The values of PRES by topic; the mean has the key None.
    ap, recall : dict of str or None to Number
        AP and recall at the same cutoff, if they are known.
    """

    pres: Numbers
    ap: Numbers = field(default_factory=dict)
    recall: Numbers = field(default_factory=dict)


class _Record(NamedTuple):
    """Values as they are written in a file, by name of measure. Without a topic, they are means."""

    run: str | None
    topic: str | None
    values: dict[str, str]


def as_number(text: str) -> Number | None:
    """Parse a string as a number; return None if it is not one."""
    if not _NUMBER.fullmatch(text):
        return None
    decimals = -int(Decimal(text).as_tuple().exponent)
    return Number(float(text), min(max(decimals, 0), MOST_DECIMALS))


def read_values(
    path: str,
    n_max: int,
    judged: Collection[str],
    run_name: str | None = None,
    *,
    rel: int = 1,
) -> Values:
    r"""Read the values of PRES in a file.

    If the file contains several measures, the values of PRES with `n_max` and `rel` are read, and
    those of AP and recall with the same parameters. If it contains several runs, only the values
    of `run_name` are read.

    Parameters
    ----------
    path : str
        A file, compressed with gzip or not; ``-`` for standard input. It may be up to 4 MiB long.
    n_max : int
        Nmax, which names of the measure may contain.
    judged : collection of str
        The topics of the judgements. A topic called ``all`` is the mean, unless it is judged.
    run_name : str, optional
        The name of the run.
    rel : int, default 1
        The lowest relevance that counts as relevant, which names of the measure may contain.

    Returns
    -------
    Values
        The values by topic, and the mean.

    Raises
    ------
    FileError
        If the file cannot be read, or if its content is wrong. The message names the file, and
        the topic if a value is wrong.
    MeasureError
        If `n_max` or `rel` is not a positive whole number.

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> from pres_plugin.study.check.values import read_values
    >>> with NamedTemporaryFile() as file:
    ...     _ = file.write(b"topic,pres\nq1,0.250\nall,0.250\n")
    ...     file.flush()
    ...     read_values(file.name, 100, ["q1"]).pres
    {'q1': Number(value=0.25, decimals=3), None: Number(value=0.25, decimals=3)}
    """
    wanted = [measure(cutoff=n_max, rel=rel) for measure in (PRES, AP, R)]
    with ExitStack() as temporary_files, opened(on_disk(path, temporary_files), path) as file:
        content = file.read(LARGEST + 1)
    try:
        records = list(_records(_text(content), judged, run_name))
        records = [each for each in records if each.run == run_name] or records
        found = [_numbers(records, measure) for measure in wanted]
        if not found[0]:
            names = dict.fromkeys(name for each in records for name in each.values)
            known = some(names, 9) or "no values"
            raise RemediedError(f"there is no measure {wanted[0]}; found {known}")
        return Values(*found)
    except (RemediedError, csv.Error) as error:
        raise FileError(f"{shown_as(path)}: {error}") from None


def _text(content: bytes) -> str:
    if problem := spreadsheet_problem(content[:START]):
        raise RemediedError(problem)
    if b"\0" in content:
        raise RemediedError("this is a binary file, not text")
    if len(content) > LARGEST:
        raise RemediedError(f"a file of values may be at most {LARGEST:,} bytes long")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise RemediedError(f"line {line} is not UTF-8 text") from None
    if not text.strip():
        raise RemediedError("the file is empty")
    return text


def _records(text: str, judged: Collection[str], run_name: str | None) -> Iterator[_Record]:
    """Yield each record of a file with its run and topic."""
    topics: dict[str | None, str] = {
        spelling: topic for topic in judged for spelling in (in_tsv(topic), topic)
    }
    start = text.lstrip()[0]
    rows = [
        fields
        for fields in (_json(text) if start in "{[" else _lines(text))
        # Tables of pres-eval have dashes below the header, and trec_eval prints the run's name.
        if "".join(fields).strip("- ") and fields[0] != "runid"
    ]
    has_header = rows and start != "{" and not _UNNAMED.fullmatch(rows[0][-1])
    names = rows.pop(0) if has_header else _guessed(rows, topics, run_name)
    for fields in rows:
        if len(fields) != len(names):
            raise RemediedError(f"expected {len(names)} fields, got {len(fields)}: {some(fields)}")
        record = {_COLUMNS.get(n.lower(), n): f for n, f in zip(names, fields, strict=True)}
        run, topic, measure = (record.pop(key, None) for key in ("run", "query_id", "measure"))
        if measure and "value" in record:
            record[measure] = record.pop("value")
        is_mean = topic is None or topic.lower() in _MEAN
        yield _Record(run, topics.get(topic, None if is_mean else topic), record)


def _json(text: str) -> Iterable[list[str]]:
    """Return the rows of a table: a topic and its value each, or a header and the records."""
    try:
        # Numbers stay as they are written. Objects are lists of pairs, because names may repeat.
        rows = json.loads(
            text, parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=list
        )
        if text.lstrip().startswith("["):
            records = list(map(dict, rows))
            rows = [records[0], *([record[name] for name in records[0]] for record in records)]
        return [list(map(str, row)) for row in rows]
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        expected = 'JSON such as {"topic": 0.5}, or a list of such objects'
        raise RemediedError(f"this is not {expected} ({error})") from None


def _lines(text: str) -> Iterable[list[str]]:
    separator = _SEPARATOR.match(text)
    reader = csv.reader(
        map(str.rstrip, text.splitlines()),
        delimiter=separator[1] if separator else " ",
        skipinitialspace=True,
    )
    return (list(map(str.strip, fields)) for fields in reader)


def _guessed(rows: list[list[str]], topics: Iterable[Any], run_name: str | None) -> list[str]:
    """Return names for the columns of a table without a header, from what they contain."""
    names = []
    for column in [set(column).difference(topics) for column in zip(*rows, strict=False)][:-1]:
        is_measure = any(field.lower().startswith("pres") for field in column)
        names.append("measure" if is_measure else "run" if run_name in column else "query_id")
    if len(names) > 1 and "measure" not in names:
        names[-1] = "measure"
    return [*names, "value"]


def _numbers(records: Collection[_Record], wanted: Measure) -> Numbers:
    """Return the values of a measure by topic, and their mean.

    If several names mean the measure, the most explicit one is used.
    """
    names = {name.lower(): name for each in records for name in each.values}
    spellings = [str(wanted).lower(), *(each.format(wanted.cutoff) for each in _NAMES[wanted.name])]
    measure = next((names[each] for each in spellings if each in names), spellings[0])
    found: Numbers = {}
    for _, topic, values in records:
        if measure not in values:
            continue
        of = quoted(topic) if topic else "the mean"
        if topic in found:
            raise RemediedError(f"{of} already has a value")
        if (number := as_number(values[measure])) is None:
            raise RemediedError(f"{of}: {quoted(values[measure])} is not a finite number")
        found[topic] = number
    return found
