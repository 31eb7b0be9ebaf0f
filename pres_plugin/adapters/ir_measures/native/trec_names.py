"""Let ir-measures read our measures' names in trec_eval's style."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ir_measures import Measure

from pres_plugin.adapters.ir_measures.native.measures import native
from pres_plugin.measures.trec_names import parse_trec_name


def parser_with_ours(parse_trec_measure: Callable[[str], list[Measure]]) -> Any:
    """Wrap ir-measures' parser, so that it also reads our measures."""

    @wraps(parse_trec_measure)
    def parse(measure: str) -> list[Measure]:
        ours = parse_trec_name(measure) if isinstance(measure, str) else None
        if ours is None:
            return parse_trec_measure(measure)
        return [native(one.name, one.params) for one in ours]

    return parse
