"""Read runs and judgements in JSON lines: each line is a record of one topic."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import polars as pl

from pres_plugin.messages import quoted
from pres_plugin.tables.base import Reading, Value
from pres_plugin.tables.json import loads, rows_of, topic_of
from pres_plugin.tables.text import TextFile

# The beginning of a record whose first field is the topic's id.
_TOPIC = re.compile(rb'\{\s*"q(uery|)[_-]?id"\s*:\s*"')


class JsonLinesFile(TextFile):
    """A record on each line: the id of a topic and its documents."""

    @classmethod
    def recognises(cls, start: bytes, reading: Reading) -> bool:
        """Return whether the first line is a record of a topic.

        That is an object that contains a value such as an id, or that another object follows.
        """
        first, line_break, rest = start.lstrip().partition(b"\n")
        try:
            record = json.loads(first)
        except (ValueError, RecursionError):
            # The first line may be longer than `start`.
            return not line_break and _TOPIC.match(first) is not None
        return isinstance(record, dict) and (
            any(not isinstance(each, dict | list) for each in record.values())
            or rest.lstrip().startswith(b"{")
        )

    def batches(self, value: Value) -> Iterator[pl.DataFrame]:
        """Yield the rows of whole lines; raise an InputError if a topic has two lines."""
        seen: set[str] = set()
        for rows in super().batches(value):
            topics = set(rows["query_id"].unique())
            if again := topics & seen:
                raise self.error(f"topic {quoted(min(again))} is on two lines; write one")
            seen |= topics
            yield rows

    def parsed(self, text: bytes, value: Value) -> pl.DataFrame:
        """Return the rows of some lines."""
        lines = [line for line in text.split(b"\n") if line and not line.isspace()]
        return rows_of((topic_of(loads(line), value, self.reading) for line in lines), value)
