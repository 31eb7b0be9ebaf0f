"""Parse JSON text: fast with orjson if it is installed, or exactly with the standard library.

Parsers keep the last value of a repeated key, and some accept NaN. Here, both are found.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from itertools import chain
from typing import Any, TypeVar

from pres_plugin.formats.json.parts import without_escapes
from pres_plugin.remedy import RemediedError, quoted, shortened

try:
    import orjson
except ModuleNotFoundError:  # then Python's json module reads the files
    orjson = None  # type: ignore[assignment]

#: The maximum number of lists and objects in a topic; each needs much more memory than its text.
MOST_OBJECTS = 1_000_000

_Read = TypeVar("_Read")


class NotJsonError(RemediedError):
    """Text is not JSON; `line` and `column` are 0-based, and None if they are not known."""

    def __init__(self, problem: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(problem)
        self.line = line
        self.column = column


class Repeated(dict[str, Any]):
    """An object with a repeated key."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        counts = Counter(key for key, _ in pairs)
        self.key: str = next(key for key, n in counts.items() if n > 1)


class Unusable(str):
    """A number, as written, that JSON does not allow or that no 64-bit float can represent."""


def read_with(text: bytes, use: Callable[[Any], _Read]) -> _Read:
    """Return what `use` returns for the value that the text describes.

    Raise a NotJsonError for text that is not JSON or contains too many objects. If `use` raises
    a RemediedError, it is called again with the exact value, so that messages quote the text.
    """
    if text.count(b"[") + text.count(b"{") > MOST_OBJECTS:
        raise NotJsonError(f"a topic may contain at most {MOST_OBJECTS:,} lists and objects")
    if orjson is not None:
        try:
            value = orjson.loads(text)
            if n_strings(value) * 2 == without_escapes(text).count(b'"'):
                return use(value)
        except RemediedError:
            pass
        except orjson.JSONDecodeError:
            pass
    return use(exactly(text))


def n_strings(value: Any) -> int:
    """Count the strings in a value, including keys; a repeated key counts once."""
    n = 0
    level = [value]
    while level:
        kinds = Counter(map(type, level))
        objects = [each for each in level if type(each) is dict] if kinds[dict] else []
        lists = [each for each in level if type(each) is list] if kinds[list] else []
        n += kinds[str] + sum(map(len, objects))
        level = [*chain.from_iterable(map(dict.values, objects)), *chain.from_iterable(lists)]
    return n


def exactly(text: bytes) -> Any:
    """Return the value that the text describes, with :class:`Repeated` and :class:`Unusable`."""
    try:
        return json.loads(
            text.decode(),
            object_pairs_hook=_object,
            parse_constant=Unusable,
            parse_int=_whole_number,
            parse_float=_number,
        )
    except UnicodeDecodeError as error:
        before = text[: error.start]
        raise NotJsonError("this is not UTF-8 text", before.count(b"\n")) from None
    except json.JSONDecodeError as error:
        raise NotJsonError(_problem(error), error.lineno - 1, error.colno - 1) from None
    except RecursionError:
        raise NotJsonError("the brackets are nested too deeply") from None


def _problem(error: json.JSONDecodeError) -> str:
    if error.msg.startswith("Unterminated string") or error.pos >= len(error.doc.rstrip()):
        return "the JSON text ends too early"
    if error.msg == "Extra data":
        return "the JSON text ends here, but more follows"
    return f"this is not JSON ({error.msg})"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else Repeated(pairs)


def _whole_number(digits: str) -> int | Unusable:
    return int(digits) if len(digits) < 400 else Unusable(digits)


def _number(written: str) -> float | Unusable:
    number = float(written)
    return number if math.isfinite(number) else Unusable(written)


def described(value: Any) -> str:
    """Return a value for a message: as it is written, or what kind of value it is."""
    if isinstance(value, Unusable):
        return shortened(value)
    if isinstance(value, str):
        return f"the string {_in_quotes(value)}"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    return shortened(json.dumps(value))


def _in_quotes(text: str) -> str:
    return f'"{quoted(text)[1:-1]}"'
