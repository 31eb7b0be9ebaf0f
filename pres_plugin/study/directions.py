"""Whether a higher value of a measure means a better run, and whether it is a sum."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pres_plugin.measures.declared import BY_NAME
from pres_plugin.remedy import listed
from pres_plugin.study.inputs import StudyError

# Counts of topics and documents, which ir-measures adds up over the topics.
_COUNTS = {"NumQ", "NumRel", "NumRet"}

_NAME = re.compile(r"\w+")

#: What is true of a measure without a direction.
NO_DIRECTION = "neither high nor low values are better"


def has_direction(measure: str) -> bool:
    """Return whether a higher value of a measure means a better run.

    `measure` is a string in ir-measures' syntax. If the result is False, neither higher nor
    lower values are better.

    >>> from pres_plugin.study.directions import has_direction
    >>> has_direction("PRES@100"), has_direction("NumRet")
    (True, False)
    """
    name = _name(measure)
    if ours := BY_NAME.get(name):
        return ours.declaration.has_direction
    return name not in _COUNTS


def check_directed(measures: Iterable[object]) -> None:
    """Raise a StudyError if neither higher nor lower values of a measure are better.

    Studies that ask which run is better call this function.
    """
    if others := undirected(map(str, measures)):
        them = "it" if len(others) == 1 else "them"
        raise StudyError(
            f"{listed(others)}: {NO_DIRECTION}, so no run can be better by {them}; leave {them} out"
        )


def top(measure: str) -> str:
    """Return what the first run is if runs are sorted by a measure: best or lowest.

    >>> from pres_plugin.study.directions import top
    >>> top("PRES@100"), top("LastRel")
    ('best', 'lowest')
    """
    return "best" if has_direction(measure) else "lowest"


def undirected(measures: Iterable[str]) -> list[str]:
    """Return the measures for which neither higher nor lower values are better.

    >>> from pres_plugin.study.directions import undirected
    >>> undirected(["PRES@100", "LastRel"])
    ['LastRel']
    """
    return [measure for measure in measures if not has_direction(measure)]


def why_left_out(measures: Iterable[str]) -> str:
    """Return a sentence for a table that leaves out such measures; empty if there are none.

    >>> from pres_plugin.study.directions import why_left_out
    >>> why_left_out(["PRES@100", "LastRel"])
    'LastRel is left out, because neither high nor low values are better.'
    """
    left = undirected(measures)
    if not left:
        return ""
    return f"{listed(left)} {'are' if len(left) > 1 else 'is'} left out, because {NO_DIRECTION}."


def is_sum(measure: str) -> bool:
    """Return whether ir-measures reports the sum of a measure over the topics, not the mean."""
    return _name(measure) in _COUNTS


def _name(measure: str) -> str:
    match = _NAME.match(measure)
    return match[0] if match else ""
