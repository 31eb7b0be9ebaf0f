"""The parameters of the measures, and the check of their values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

from pres_plugin.kernel.arguments import choice, is_bool, positive_number, whole
from pres_plugin.kernel.goal import ROUNDINGS, USUAL_GOAL

Value = int | bool | float | str

#: The largest cutoff and collection size. Up to these, no number in a formula exceeds
#: 2n·(Nmax + n), which fits into 64 bits even for topics with 400 million relevant documents.
LARGEST = 10**10

#: 64-bit floats represent all whole numbers up to this one.
LARGEST_IN_FLOATS = 2**53


class MeasureError(ValueError):
    """A measure is unknown, or it cannot be computed with these parameters."""

    __module__ = "pres_plugin.measures"  # so that tracebacks show where to import it from


@dataclass(frozen=True)
class Parameter:
    """One parameter of a measure: a positive whole number, a switch, a fraction or a choice."""

    name: str
    kind: type
    desc: str
    default: Value | None = None
    #: The largest whole number that is accepted.
    largest: int = LARGEST
    #: The strings that are accepted.
    choices: tuple[str, ...] = ()
    #: Whether True is accepted as the number 1, as ir-measures does for relevance levels.
    true_is_one: bool = False

    def read(self, value: Any, name: str = "") -> Any:
        """Return a value of any numeric type as a Python number, or a bool or string.

        Raise a ValueError if it is not accepted. The message calls the parameter `name`.
        """
        name = name or self.name
        if self.kind is str:
            return choice(name, value, self.choices)
        if self.kind is float:
            return positive_number(name, value)
        if self.kind is bool:
            if is_bool(value):
                return bool(value)
            raise ValueError(f"{name} must be True or False, got {value!r:.60}")
        number = int(value) if self.true_is_one and is_bool(value) else value
        return whole(name, number, most=self.largest, kind=Integral)


CUTOFF = Parameter("cutoff", int, "Nmax, the number of results that the user is willing to check")
REL = Parameter("rel", int, "lowest relevance that counts as relevant", default=1)
JUDGED_ONLY = Parameter(
    "judged_only",
    bool,
    "whether to remove unjudged documents from the ranking",
    default=False,
)
COLLECTION_SIZE = Parameter("N", int, "number of documents in the collection")
RECALL = Parameter(
    "recall",
    float,
    "fraction of the relevant documents that the user wants to find",
    default=USUAL_GOAL.recall,
)
ROUNDING = Parameter(
    "rounding",
    str,
    "how to round the number of documents to find: up, or to the nearest whole number",
    default=USUAL_GOAL.rounding,
    choices=ROUNDINGS,
)

# AP and R accept the same values as ir-measures' own AP and R. These are scored by
# trec_eval, which reads the cutoff as a C long and the relevance level as a C int.
TREC_EVAL_CUTOFF = replace(CUTOFF, largest=2**63 - 1)
TREC_EVAL_REL = replace(REL, largest=2**31 - 1, true_is_one=True)
