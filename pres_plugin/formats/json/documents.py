"""The documents of a topic in JSON: an object of scores, a ranked list, or a list of objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from pres_plugin.escaping import visible
from pres_plugin.formats.base import Reading, Value
from pres_plugin.formats.columns import NAMES
from pres_plugin.formats.json.values import Repeated, Unusable, described
from pres_plugin.formats.numbers import fits_64_bits
from pres_plugin.remedy import NAN, RemediedError, Remedy, listed, quoted, shortened, some

_NUMBER_FIELDS: dict[Value, tuple[str, ...]] = {
    "score": NAMES["score"],
    "relevance": (*NAMES["relevance"], *NAMES["score"]),
}
_RUN_FIELDS = ("results", "ranking", "scores")
_QRELS_FIELDS = ("relevant", "relevant_docs", "relevance", "qrels", "judgements", "judgments")

#: The problem with an object that repeats a key. Parsers drop all values but one.
REPEATED = "the object contains this key twice"

Path = tuple[str | int, ...]


class PathError(RemediedError):
    """A value is wrong; `path` leads to it."""

    def __init__(self, path: Path, problem: str, remedy: Remedy | None = None) -> None:
        super().__init__(problem, remedy)
        self.path = path


class Documents(NamedTuple):
    """The documents of a topic with their scores or relevances, and the path to them."""

    query_id: str
    doc_ids: Sequence[str]
    numbers: Sequence[int | float]
    path: Path
    is_list: bool

    def path_of(self, i: int) -> Path:
        """Return the path to a document."""
        return (*self.path, i if self.is_list else self.doc_ids[i])


def written(path: Path) -> str:
    """Return a path for a message, as in ``q1 → results[3].score``."""
    text = ""
    for before, step in zip((None, *path), path, strict=False):
        if isinstance(step, int):
            text += f"[{step}]"
        elif isinstance(before, int):
            text += f".{shortened(step)}"
        else:
            text += " → " * bool(text) + (shortened(step) or '""')
    return visible(text)


def object_at(path: Path, value: Any, expected: str) -> dict[str, Any]:
    """Return an object; raise a PathError if it is something else or repeats a key."""
    if not isinstance(value, dict):
        raise PathError(path, f"expected {expected}, got {described(value)}")
    if isinstance(value, Repeated):
        raise PathError((*path, value.key), REPEATED)
    return value


def documents_by_topic(value: Any, wanted: Value, path: Path = ()) -> list[Documents]:
    """Return the documents of each topic in an object whose keys are topics."""
    topics = object_at(path, value, "an object with topics")
    return [_documents(key, docs, wanted, (*path, key)) for key, docs in topics.items()]


def documents_of(record: Any, wanted: Value, reading: Reading, path: Path = ()) -> Documents:
    """Return the documents of a record, which is an object about one topic."""
    fields = object_at(path, record, "an object about one topic")
    topic_fields = (reading.topic_field,) if reading.topic_field else NAMES["query_id"]
    topic_field = _field_of(fields, topic_fields, "the topic's id", path, "topic_field")
    query_id = fields[topic_field]
    _check_ids([query_id], lambda _: (*path, topic_field))
    options: tuple[str, ...] = _RUN_FIELDS
    what, argument = "the documents", None
    if wanted == "relevance":
        what, argument = "relevant documents", "qrels_field"
        options = (reading.qrels_field,) if reading.qrels_field else _fields_of_qrels(fields)
    field = _field_of(fields, options, what, (query_id,), argument)
    return _documents(query_id, fields[field], wanted, (query_id, field))


def _fields_of_qrels(fields: dict[str, Any]) -> tuple[str, ...]:
    """Return the names to look for in judgements: those of a run only if there is no other."""
    has_only_those = not fields.keys().isdisjoint(_RUN_FIELDS) and fields.keys().isdisjoint(
        _QRELS_FIELDS
    )
    return _RUN_FIELDS if has_only_those else _QRELS_FIELDS


def _field_of(
    fields: dict[str, Any], options: Sequence[str], what: str, path: Path, argument: str | None
) -> str:
    """Return the name of the only field of an object that is among `options`."""
    found = [name for name in options if name in fields]
    if len(found) == 1:
        return found[0]
    if found:
        raise PathError(path, f"fields {listed(found)} contain {what}; keep one of these fields")
    there = some([*map(repr, fields)], at_most=20) or "none"
    expected = "one of " * (len(options) > 1) + ", ".join(map(quoted, options))
    problem = f"no field with {what}: expected {expected} (found: {there})"
    remedy = Remedy("name the field with {}", argument, ("NAME",)) if argument else None
    raise PathError(path, problem, remedy)


def _documents(query_id: str, value: Any, wanted: Value, path: Path) -> Documents:
    _check_ids([query_id], lambda _: path)
    if isinstance(value, dict):
        scored = object_at(path, value, "an object with documents")
        found = Documents(query_id, [*scored], [*scored.values()], path, is_list=False)
        return _checked(found, wanted)
    if not isinstance(value, list):
        expected = "an object with documents or a list of them"
        raise PathError(path, f"expected {expected}, got {described(value)}")
    if value and isinstance(value[0], dict):
        return _from_objects(query_id, value, wanted, path)
    # 32-bit floats represent whole numbers up to 2^24 exactly. No topic has so many documents.
    ranked = map(float, range(len(value), 0, -1))
    numbers = [*ranked] if wanted == "score" else [1] * len(value)
    _check_ids(value, lambda i: (*path, i))
    return Documents(query_id, value, numbers, path, is_list=True)


def _from_objects(query_id: str, values: list[Any], wanted: Value, path: Path) -> Documents:
    """Return documents from a list of objects, such as sentence-transformers writes."""
    doc_ids, numbers = [], []
    doc_field = number_field = ""
    for i, value in enumerate(values):
        if not i or type(value) is not dict or not {doc_field, number_field} <= value.keys():
            at = (*path, i)
            fields = object_at(at, value, "an object about one document")
            doc_field = _field_of(fields, NAMES["doc_id"], "the document's id", at, None)
            named = [name for name in _NUMBER_FIELDS[wanted] if name in fields][:1]
            options = named or _NUMBER_FIELDS[wanted]
            number_field = _field_of(fields, options, f"the {wanted}", at, None)
        doc_ids.append(value[doc_field])
        numbers.append(value[number_field])
    _check_ids(doc_ids, lambda i: (*path, i, doc_field))
    found = Documents(query_id, doc_ids, numbers, path, is_list=True)
    return _checked(found, wanted, (number_field,))


def _checked(documents: Documents, wanted: Value, ending: Path = ()) -> Documents:
    """Return documents whose ids and numbers are right; `ending` ends the paths to the numbers."""
    if not documents.is_list:
        _check_ids(documents.doc_ids, documents.path_of)
    numbers = documents.numbers
    kinds = set(map(type, numbers))
    if wanted == "relevance":
        problem_of: Callable[[Any], str | None] = _problem_of_relevance
        if (
            kinds <= {int}
            and fits_64_bits(min(numbers, default=0))
            and fits_64_bits(max(numbers, default=0))
        ):
            return documents
    else:
        problem_of = _problem_of_score
        if kinds <= {int, float}:
            with suppress(OverflowError):
                return documents._replace(numbers=[*map(float, numbers)])
    problems = ((i, problem) for i, number in enumerate(numbers) if (problem := problem_of(number)))
    i, problem = next(problems)
    raise PathError((*documents.path_of(i), *ending), problem)


def _problem_of_score(value: Any) -> str | None:
    if value == "NaN" and isinstance(value, Unusable):
        return NAN
    if isinstance(value, Unusable):
        return f"the score is {described(value)}, which is not a finite 64-bit number"
    if type(value) not in (int, float):
        return f"the score is {described(value)}; write a number"
    try:
        float(value)
    except OverflowError:
        return f"the score is {described(value)}, which is not a finite 64-bit number"
    return None


def _problem_of_relevance(value: Any) -> str | None:
    is_long = isinstance(value, Unusable) and value.lstrip("-").isdigit()
    if is_long or (type(value) is int and not fits_64_bits(value)):
        return f"a relevance must fit 64 bits, got {described(value)}"
    if type(value) is not int:
        return f"the relevance is {described(value)}; write a whole number"
    return None


def _check_ids(ids: Sequence[Any], path_of: Callable[[int], Path]) -> None:
    """Raise a PathError for an id that is not a string, is empty, or contains invalid text."""
    if set(map(type, ids)) <= {str} and "" not in ids and not _problem_of_text("".join(ids)):
        return
    for i, value in enumerate(ids):
        if type(value) is not str:
            is_number = type(value) in (int, float)
            advice = "write it in quotes" if is_number else "write a string"
            raise PathError(path_of(i), f"the id is {described(value)}; {advice}")
        if problem := "the id is empty" if not value else _problem_of_text(value):
            raise PathError(path_of(i), problem)


def _problem_of_text(text: str) -> str | None:
    if "\0" in text:
        return f"the id {quoted(text)} contains NUL"
    try:
        text.encode()
    except UnicodeEncodeError:
        return f"the id {quoted(text)} is not text: it contains half of a surrogate pair"
    return None
