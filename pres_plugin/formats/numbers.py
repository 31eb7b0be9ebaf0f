"""Read the numbers in text files: a relevance, a score or a rank."""

from __future__ import annotations

import math
import re

from pres_plugin.formats.ranks import check_rank
from pres_plugin.remedy import NAN, RemediedError, quoted, shortened

# A sign, zeros, and the remaining digits. Unlike int, it rejects 1_000.
_WHOLE_NUMBER = re.compile(rb"([+-]?)0*([0-9]+)")
_LEAST, _GREATEST = -(1 << 63), (1 << 63) - 1


def relevance_of(field: bytes) -> int:
    """Return a relevance: a whole number that fits 64 bits."""
    relevance = _whole_number(field, "relevance")
    if not fits_64_bits(relevance):
        raise RemediedError(f"a relevance must fit 64 bits, got {shortened(field.decode())}")
    return relevance


def fits_64_bits(number: float) -> bool:
    """Return whether a whole number is in the range of 64-bit integers."""
    return _LEAST <= number <= _GREATEST


def rank_of(field: bytes) -> int:
    """Return a rank: a whole number that :func:`.ranks.check_rank` accepts."""
    rank = _whole_number(field, "rank")
    check_rank(rank)
    return rank


def score_of(field: bytes) -> float:
    """Return a score: any number but NaN."""
    try:
        score = float(field)
    except ValueError:
        score = math.nan
    if b"_" in field or (math.isnan(score) and field.strip(b"+-").lower() != b"nan"):
        raise RemediedError(f"the score {_shown(field)} is not a number")
    if math.isnan(score):
        raise RemediedError(NAN)
    return score


def _whole_number(field: bytes, name: str) -> int:
    found = _WHOLE_NUMBER.fullmatch(field)
    if found is None:
        raise RemediedError(f"the {name} {_shown(field)} is not a whole number")
    sign, digits = found.groups()
    # 20 digits are enough to exceed 64 bits. For thousands of digits, int raises an error.
    return int(sign + digits[:20])


def _shown(field: bytes) -> str:
    return quoted(field.decode(errors="replace"))
