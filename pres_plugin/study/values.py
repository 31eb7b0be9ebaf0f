"""Read reported values of a measure: one per topic, their mean, or both.

The format follows from the content: JSON, tables separated by tabs, commas or semicolons, or
fields separated by blanks, with a header or without. The output of ``pres-eval score``, of
trec_eval and of ir_measures can be read, too.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from io import StringIO
from typing import Any, NamedTuple

from pres_plugin.escaping import in_tsv
from pres_plugin.formats.base import FileError
from pres_plugin.formats.input.opening import START, opened, shown_as
from pres_plugin.formats.input.spreadsheets import spreadsheet_problem
from pres_plugin.measures import grammar
from pres_plugin.measures.declared import PRES
from pres_plugin.measures.measure import Measure
from pres_plugin.measures.parameters import MeasureError
from pres_plugin.remedy import RemediedError, quoted, shortened, some

#: The maximum number of bytes of a file of values, decompressed: enough for 100,000 topics in CSV.
#: Reading it needs up to a hundred times as much memory.
LARGEST = 1 << 22

#: The maximum number of decimals to compare. 64-bit floats have more, but the last ones are noise.
MOST_DECIMALS = 12

_LONGEST_NUMBER = 1000
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,6})?")
#: What trec_eval writes before a cutoff, as in pres_100, instead of ir-measures' @.
_TREC_CUTOFF = re.compile(r"[_.](?=[0-9]+\Z)")
_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)

#: The names of columns, and of the mean among the topics, in lower case.
_TOPIC = ("query_id", "query-id", "qid", "q_id", "topic", "topic_id", "query")
_MEASURE = ("measure", "metric")
_RUN = ("run", "system", "run_id")
_VALUE = ("value", "score")
_MEAN = ("all", "mean", "average", "amean")


class Number(NamedTuple):
    """A number, and the number of decimals with which it is written."""

    value: float
    decimals: int


@dataclass(frozen=True)
class Values:
    """Reported values of a measure: by topic, and their mean if it is given."""

    topics: dict[str, Number] = field(default_factory=dict)
    mean: Number | None = None


class _Row(NamedTuple):
    """One value as it is written in a file. Without `query_id`, it is a mean."""

    where: str
    written: Any
    query_id: str | None = None
    measure: str | None = None
    run: str | None = None


def as_number(text: str) -> Number | None:
    """Parse a string as a number; return None if it is not one."""
    if len(text) > _LONGEST_NUMBER or not _NUMBER.fullmatch(text):
        return None
    decimals = -int(Decimal(text).as_tuple().exponent)
    number = Number(float(text), min(max(decimals, 0), MOST_DECIMALS))
    return number if math.isfinite(number.value) else None


def read_values(
    path: str,
    n_max: int,
    judged: Collection[str],
    run_name: str | None = None,
    *,
    rel: int = 1,
    name: str | None = None,
) -> Values:
    r"""Read the values of PRES in a file.

    If the file contains several measures, only the values of PRES with `n_max` and `rel` are read.
    If it contains several runs, only the values of `run_name` are read.

    Parameters
    ----------
    path : str
        A file, compressed with gzip or not; ``-`` for standard input. It may contain JSON or a
        table, and be up to 4 MiB long.
    n_max : int
        Nmax, which names of the measure may contain.
    judged : collection of str
        The topics of the judgements. A topic called ``all`` is the mean, unless it is judged.
    run_name : str, optional
        The name of the run.
    rel : int, default 1
        The lowest relevance that counts as relevant, which names of the measure may contain.
    name : str, optional
        The file's name in errors; its path if not given.

    Returns
    -------
    Values
        The values by topic, and the mean.

    Raises
    ------
    FileError
        If the file cannot be read, or if its content is wrong. The message names the file, and
        the line or the path in JSON.
    MeasureError
        If `n_max` or `rel` is not a positive whole number.

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> from pres_plugin.study.values import read_values
    >>> with NamedTemporaryFile() as file:
    ...     _ = file.write(b"topic,pres\nq1,0.250\nall,0.250\n")
    ...     file.flush()
    ...     read_values(file.name, 100, ["q1"])
    Values(topics={'q1': Number(value=0.25, decimals=3)}, mean=Number(value=0.25, decimals=3))
    """
    shown = shown_as(name or path)
    wanted = PRES(cutoff=n_max, rel=rel)
    try:
        text = _text(path, shown)
        if text.lstrip().startswith(("{", "[")):
            rows = _chosen(list(_from_json(text, wanted)), wanted, judged, run_name)
            # JSON drops zeros at the end, so its numbers have as many decimals as the longest.
            return _evened(_values(rows, judged, _json_number))
        rows = _chosen(list(_from_lines(text, wanted)), wanted, judged, run_name)
        return _values(rows, judged, _number)
    except RemediedError as error:
        if isinstance(error, FileError):
            raise
        separator = ", " if error.problem.startswith("line ") else ": "
        raise FileError(f"{shown}{separator}{error.problem}") from None


def _text(path: str, name: str) -> str:
    with opened(path, name) as file:
        content = file.read(LARGEST + 1)
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
        raise RemediedError(f"line {line}: this is not UTF-8 text") from None
    if not text.strip():
        raise RemediedError("the file is empty")
    return text


def _evened(values: Values) -> Values:
    numbers = [*values.topics.values(), *filter(None, [values.mean])]
    decimals = max(number.decimals for number in numbers)
    return Values(
        {topic: number._replace(decimals=decimals) for topic, number in values.topics.items()},
        values.mean and values.mean._replace(decimals=decimals),
    )


# JSON


class _Written(str):
    """A number in JSON, as it is written."""


def _from_json(text: str, wanted: Measure) -> Iterator[_Row]:
    try:
        content = json.loads(
            text,
            parse_float=_Written,
            parse_int=_Written,
            parse_constant=_Written,
            object_pairs_hook=_unique,
        )
    except json.JSONDecodeError as error:
        raise RemediedError(f"line {error.lineno}: this is not JSON ({error.msg})") from None
    except RecursionError:
        raise RemediedError("the JSON is nested too deeply") from None
    if isinstance(content, list):
        for i, record in enumerate(content):
            if not isinstance(record, dict):
                raise RemediedError(f"[{i}]: expected an object with a topic and a value")
            columns = _Columns(list(record), wanted, f"[{i}]")
            yield columns.row(f"[{i}]", list(record.values()))
        return
    for query_id, value in content.items():
        if not isinstance(value, dict):
            yield _Row(query_id, value, query_id)
            continue
        for measure, number in value.items():
            where = f"{shortened(query_id)} → {measure}"
            yield _Row(where, number, query_id, measure)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        [(repeated, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise RemediedError(f"{quoted(repeated)} occurs twice in an object")
    return found


def _json_number(where: str, value: Any) -> Number:
    where = shortened(where)
    if isinstance(value, _Written):
        return _number(where, value)
    shown = shortened(json.dumps(value, ensure_ascii=False))
    if isinstance(value, str):
        raise RemediedError(f"{where}: the value is the string {shown}; write a number")
    raise RemediedError(f"{where}: the value {shown} is not a number")


# Tables


def _number(where: str, field: str) -> Number:
    field = field.strip()
    if (number := as_number(field)) is not None:
        return number
    if _NOT_FINITE.fullmatch(field):
        raise RemediedError(f"{where}: the value is {field}; write a finite number")
    raise RemediedError(f"{where}: the value {quoted(field)} is not a number")


def _from_lines(text: str, wanted: Measure) -> Iterator[_Row]:
    lines = _split(text)
    where, first = next(lines, ("", []))
    if first[:1] == ["runid"]:  # trec_eval's first line
        where, first = next(lines, ("", []))
    if not first:
        return
    if len(first) == 1:
        yield _Row(where, first[0])
        for where, _ in lines:
            raise RemediedError(f"{where}: write a topic and a value on each line, or one number")
        return
    last = first[-1].strip()
    if _NUMBER.fullmatch(last) or _NOT_FINITE.fullmatch(last):
        rows = [(where, first), *lines]
        columns = _Columns(_without_header(rows), wanted, where)
    else:
        rows = list(lines)
        columns = _Columns(first, wanted, where)
    for where, fields in rows:
        yield columns.row(where, fields)


def _split(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the position and the fields of each line that is not blank."""
    first = next(line for line in text.splitlines() if line.strip())
    first = re.sub(r"\(.*?\)", "", first)  # PRES(rel=2,judged_only=True)@100 is one field
    separator = next((mark for mark in "\t,;" if mark in first), None)
    if separator in (None, "\t"):
        for i, line in enumerate(text.split("\n"), 1):
            if line.strip("- \t\r"):  # tables of pres-eval have dashes below the header
                yield f"line {i}", [each.strip() for each in line.split(separator)]
        return
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator or ",", strict=True)
    try:
        for fields in reader:
            if any(each.strip() for each in fields):
                yield f"line {reader.line_num}", fields
    except csv.Error as error:
        raise RemediedError(f"line {reader.line_num}: this is not CSV ({error})") from None


def _without_header(rows: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """Return the names of the columns of a table without header."""
    width = len(rows[0][1])
    if width == 2:
        return ["query_id", "value"]
    if width == 3:
        # trec_eval begins with the measure, ir_measures with the topic.
        is_first = any(_is_pres(fields[0]) for _, fields in rows)
        return ["measure", "query_id", "value"] if is_first else ["query_id", "measure", "value"]
    if width == 4:  # pres-eval
        return ["run", "query_id", "measure", "value"]
    raise RemediedError(
        f"{rows[0][0]}: {width} fields without a header; write a topic and a value on each line"
    )


class _Columns:
    """The columns or JSON fields that contain topics, values, measures and runs."""

    def __init__(self, names: Sequence[str], wanted: Measure, where: str) -> None:
        self._names = [name.strip() for name in names]
        plain = [name.lower() for name in self._names]

        def find(known: Collection[str]) -> int | None:
            return next((i for i, name in enumerate(plain) if name in known), None)

        self._topic, self._measure, self._run = find(_TOPIC), find(_MEASURE), find(_RUN)
        if self._topic is self._measure is self._run is None:
            raise RemediedError(_lacks(where, f"topics ({_TOPIC[0]})", self._names))
        others = [i for i in range(len(names)) if i not in (self._topic, self._measure, self._run)]
        measures = tuple(self._names[i] for i in others)
        ours = _name_of(wanted, measures)
        candidates = (
            [i for i in others if self._names[i] == ours],
            [i for i in others if plain[i] in _VALUE],
            others if len(others) == 1 else [],
        )
        value = next((i for found in candidates for i in found), None)
        if value is None:
            if any(map(_is_pres, measures)):
                raise _is_missing(wanted, measures)
            raise RemediedError(_lacks(where, f"values ({_VALUE[0]})", self._names))
        self._value: int = value
        self._measured = None if plain[value] in _VALUE else self._names[value]

    def row(self, where: str, fields: Sequence[Any]) -> _Row:
        """Return the value in a row."""
        if len(fields) != len(self._names):
            expected = shortened(f"{len(self._names)} fields ({', '.join(self._names)})")
            raise RemediedError(f"{where}: expected {expected}, got {len(fields)}")

        def text(position: int | None) -> str | None:
            if position is None:
                return None
            if not isinstance(fields[position], str) or isinstance(fields[position], _Written):
                name = self._names[position]
                raise RemediedError(f"{where}.{name}: write the {name} as a string, in quotes")
            return str(fields[position])

        measure = self._measured if self._measure is None else text(self._measure)
        return _Row(where, fields[self._value], text(self._topic), measure, text(self._run))


def _lacks(where: str, column: str, names: Collection[str]) -> str:
    return f"{where}: there is no column of {column}; found {some(names, 9)}"


# Which of the values count


def _stated(name: str) -> dict[str, Any] | None:
    """Return the parameters that a name of PRES states, or None if it names another measure.

    The names of ir-measures, such as ``PRES@100`` and ``PRES(rel=2)``, always state `rel`. The
    others, such as ``pres_100`` and ``PRES``, do not: trec_eval sets it with its option ``-l``.
    """
    if name[:4].upper() != "PRES":
        return None
    try:
        grammar.check_length(name)
        written = grammar.read("PRES" + _TREC_CUTOFF.sub("@", name[4:]))
        if written.name != "PRES":
            return None
        at = {} if written.at is None else {"cutoff": written.at}
        params = PRES.declaration.checked({**written.params, **at})
    except (MeasureError, TypeError):  # a value or a parameter is invalid
        return None
    return {"rel": 1, **params} if "@" in name or "(" in name else params


def _is_pres(name: str) -> bool:
    """Return whether a measure is called PRES, with any parameters."""
    return _stated(name) is not None


@lru_cache(maxsize=1)  # the records of a JSON list mostly have the same names
def _name_of(wanted: Measure, names: tuple[str, ...]) -> str | None:
    """Return the name that means the wanted PRES, or None if none of the names does.

    Parameters that a name does not state are those of the wanted PRES. If several names fit,
    PRES(rel=2)@100 is preferred to pres_100 for rel=2, and PRES@100 to PRES.
    """
    found = {name: params for name in names if (params := _stated(name)) is not None}
    return min(
        (name for name, params in found.items() if wanted(**params) == wanted),
        key=lambda name: (wanted(rel=1)(**found[name]) != wanted, "cutoff" not in found[name]),
        default=None,
    )


def _is_missing(wanted: Measure, names: Collection[str]) -> RemediedError:
    return RemediedError(f"there is no measure {wanted}; found {some(names, 9)}")


def _chosen(
    rows: list[_Row], wanted: Measure, judged: Collection[str], run: str | None
) -> list[_Row]:
    """Return the rows with PRES of a run, without those of other measures and runs."""
    if any(_is_unjudged_pres(row, judged) for row in rows):  # these are measures, not topics
        rows = [row._replace(query_id=None, measure=row.query_id) for row in rows]
    if run not in judged and any(row.query_id == run is not None for row in rows):
        rows = [row._replace(query_id=None, run=row.query_id) for row in rows]
    rows = _of_measure(rows, wanted)
    runs = {row.run: None for row in rows}
    if len(runs) > 1:
        if run not in runs:
            names = some([str(name) for name in runs])
            raise RemediedError(f"there are several runs ({names}), but none is called {run}")
        rows = [row for row in rows if row.run == run]
    if not rows:
        raise RemediedError("the file contains no values")
    return rows


def _values(
    rows: list[_Row],
    judged: Collection[str],
    read: Callable[[str, Any], Number],
) -> Values:
    """Return the values in rows by topic, and their mean; `read` returns the number in a field."""
    as_in_tsv = {in_tsv(topic): topic for topic in judged}
    topics: dict[str, Number] = {}
    mean: Number | None = None
    for row in rows:
        query_id = row.query_id
        if query_id is not None and query_id not in judged:
            query_id = as_in_tsv.get(query_id, query_id)
            if query_id.lower() in _MEAN:
                query_id = None
        if query_id is None:
            if mean is not None:
                raise RemediedError(f"{row.where}: there is another mean already")
            mean = read(row.where, row.written)
        elif query_id in topics:
            raise RemediedError(f"{row.where}: topic {quoted(query_id)} has a value already")
        else:
            topics[query_id] = read(row.where, row.written)
    if problem := no_common_topic(topics, judged):
        raise RemediedError(problem)
    return Values(topics, mean)


def no_common_topic(topics: Collection[str], judged: Collection[str]) -> str | None:
    """Return the problem with values by topic if none of the topics is judged, otherwise None."""
    if not topics or any(topic in judged for topic in topics):
        return None
    return f"no topic in common with the qrels (values: {some(topics)}; qrels: {some(judged)})"


def _is_unjudged_pres(row: _Row, judged: Collection[str]) -> bool:
    return (
        row.measure is None
        and row.query_id is not None
        and row.query_id not in judged
        and _is_pres(row.query_id)
    )


def _of_measure(rows: list[_Row], wanted: Measure) -> list[_Row]:
    """Return the rows of the wanted PRES, or of the only measure if it is not called PRES."""
    measures = list(dict.fromkeys(row.measure for row in rows))
    named = tuple(measure for measure in measures if measure is not None)
    ours = _name_of(wanted, named)
    if ours is not None:
        return [row for row in rows if row.measure == ours]
    if len(measures) > 1 or any(map(_is_pres, named)):
        raise _is_missing(wanted, named)
    return rows
