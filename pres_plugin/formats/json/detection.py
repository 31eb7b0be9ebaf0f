"""Recognise files in JSON by their first bytes, without reading them.

A file that begins like a JSON object or list is treated as JSON, although a line of a TREC run
could begin in the same way.
"""

from __future__ import annotations

import json
import re
from typing import Any

from pres_plugin.formats.base import Reading
from pres_plugin.formats.columns import NAMES

_STRING = rb'"(?:[^"\\]|\\.)*"'
_JSON = re.compile(rb'\s*(?:\{\s*(?:["}]|\Z)|\[\s*(?:["\[\]{]|\Z))')
_THREE_LEVELS = re.compile(rb"\s*" + (rb"\{\s*" + _STRING + rb"\s*:\s*") * 2 + rb"\{")
_MODEL = re.compile(rb'\s*\{\s*"mteb_model_meta"\s*:')
_FIRST_FIELD = re.compile(rb"\s*\{\s*(" + _STRING + rb")\s*:\s*[^\s\[{]")


def looks_like_json(start: bytes) -> bool:
    """Return whether a file begins with a JSON object or list."""
    return _JSON.match(start) is not None


def looks_like_mteb(start: bytes) -> bool:
    """Return whether a file begins with MTEB's description of a model or three nested objects."""
    return _MODEL.match(start) is not None or _THREE_LEVELS.match(start) is not None


def looks_like_json_lines(start: bytes, reading: Reading) -> bool:
    """Return whether the first line of a file is a record of a topic.

    That is an object whose topic field contains an id. Without such a field, it is an object
    that contains a string or is followed by another object.
    """
    if not looks_like_json(start):
        return False
    names = (reading.topic_field,) if reading.topic_field else NAMES["query_id"]
    first, line_break, rest = start.lstrip().partition(b"\n")
    try:
        record = json.loads(first)
    except (ValueError, RecursionError):
        # The first line may be longer than `start`.
        field = None if line_break else _FIRST_FIELD.match(first)
        return field is not None and _text(field[1]) in names
    if not isinstance(record, dict):
        return False
    if any(not isinstance(record.get(name, []), dict | list) for name in names):
        return True
    is_text = any(isinstance(value, str) for value in record.values())
    return is_text or rest.lstrip().startswith(b"{")


def _text(string: bytes) -> Any:
    try:
        return json.loads(string)
    except ValueError:
        return None
