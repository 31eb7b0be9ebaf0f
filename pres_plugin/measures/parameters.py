"""The parameters that measures take, and the check of their values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

__all__ = [
    "COLLECTION_SIZE",
    "CUTOFF",
    "JUDGED_ONLY",
    "LARGEST",
    "REL",
    "TREC_EVAL_CUTOFF",
    "TREC_EVAL_REL",
    "MeasureError",
    "Parameter",
    "Value",
]

Value = int | bool

#: The largest cutoff and collection size. Up to these, sums of ranks fit into 64 bits,
#: even for topics with four million relevant documents.
LARGEST = 10**12


class MeasureError(ValueError):
    """A measure is unknown, or it cannot be computed with these parameters."""

    __module__ = "pres_plugin.measures"  # where users import it from, as tracebacks show it


@dataclass(frozen=True)
class Parameter:
    """One parameter of a measure: a positive whole number, or a switch.

    Attributes
    ----------
    name : str
        The name that users write.
    kind : type
        ``int`` (positive) or ``bool``.
    desc : str
        A short description.
    default : int or bool, optional
        The value if the parameter is not given; None if there is no default.
    largest : int
        The largest value of a number.
    true_is_one : bool
        Whether a number may be given as True, as ir-measures allows for a relevance level.
    """

    name: str
    kind: type[int] | type[bool]
    desc: str
    default: Value | None = None
    largest: int = LARGEST
    true_is_one: bool = False

    def problem(self, value: Any) -> str | None:
        """Return what is wrong with a value, or None if the parameter takes it."""
        is_bool = isinstance(value, bool | np.bool_)
        if self.kind is bool:
            return None if is_bool else f"takes True or False, got {value!r:.60}"
        is_number = isinstance(value, int | np.integer) and (not is_bool or self.true_is_one)
        if is_number and 1 <= value <= self.largest:
            return None
        limit = f" up to {self.largest}" if is_number and value > self.largest else ""
        return f"takes a positive whole number{limit}, got {value!r:.60}"


CUTOFF = Parameter("cutoff", int, "Nmax, how many documents the user is willing to check")
REL = Parameter(
    "rel", int, "minimum relevance score to be considered relevant (inclusive)", default=1
)
JUDGED_ONLY = Parameter(
    "judged_only",
    bool,
    "ignore returned documents that do not have relevance judgments",
    default=False,
)
COLLECTION_SIZE = Parameter("N", int, "number of documents in the collection")

# AP and recall take the same values as ir-measures' own AP and R, which trec_eval scores:
# it reads the cutoff as a C long and the relevance level as a C int.
TREC_EVAL_CUTOFF = replace(CUTOFF, largest=2**63 - 1)
TREC_EVAL_REL = replace(REL, largest=2**31 - 1, true_is_one=True)
