"""A measure as data: its name, its parameters and its formula."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pres_plugin.measures.parameters import CUTOFF, MeasureError, Parameter, Value

if TYPE_CHECKING:
    from pres_plugin.kernel.topics import Formula

#: A function that returns what is wrong with a combination of parameters, or None.
Requirement = Callable[[Mapping[str, Value]], str | None]


@dataclass(frozen=True)
class Declaration:
    """A measure, independent of any framework."""

    #: The name in measure strings.
    name: str
    pretty_name: str
    #: One sentence about the measure; `doc` is a longer description.
    short_desc: str
    doc: str
    #: A complete measure string, for error messages.
    example: str
    parameters: tuple[Parameter, ...]
    requires: Requirement
    #: The names of the statistics that the formula uses.
    statistics: tuple[str, ...]
    formula: Formula
    #: Whether Nmax affects the score even if a topic has fewer retrieved documents.
    counts_to_n_max: bool = False
    #: Whether a higher score means a better run.
    has_direction: bool = True
    #: The parameter that a value after ``@`` sets.
    at: Parameter = CUTOFF
    #: Other names that ir-measures gives the measure.
    aliases: tuple[str, ...] = ()

    @property
    def lower_name(self) -> str:
        """The name in the styles of trec_eval and ranx, such as ``pres_est`` and ``last_rel``."""
        return re.sub("(?<=[a-z])(?=[A-Z])", "_", self.name).lower()

    def takes(self, parameter: Parameter) -> bool:
        """Return whether the measure has a parameter of this name."""
        return any(parameter.name == own.name for own in self.parameters)

    def checked(self, params: Mapping[str, Any]) -> dict[str, Value]:
        """Check each parameter by itself, and return all as Python numbers.

        An unknown name raises a TypeError, and an invalid value a MeasureError.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        for name, value in params.items():
            if name not in known:
                raise TypeError(
                    f"{self.name} has no parameter {name!r}; it accepts {', '.join(known)}"
                )
            if problem := known[name].problem(value):
                raise MeasureError(
                    f"{self.name}: {name} ({known[name].desc}) {problem}; "
                    f"for instance {self.example}"
                )
        return {name: known[name].kind(value) for name, value in params.items()}


def needs_nothing(params: Mapping[str, Value]) -> str | None:
    """Allow every combination of parameters."""
    return None


def needs_cutoff(example: str) -> Requirement:
    """Require a cutoff. The error message shows `example`."""

    def problem(params: Mapping[str, Value]) -> str | None:
        if "cutoff" in params:
            return None
        return f"a cutoff is missing ({CUTOFF.desc}); write {example}"

    return problem


def needs_one_collection_size(form: str) -> Requirement:
    """Require either N or judged_only=True.

    The error message shows `form` twice, with one of the two in place of its braces.
    """

    def problem(params: Mapping[str, Value]) -> str | None:
        has_size, judged_only = "N" in params, params.get("judged_only")
        if has_size and judged_only:
            return (
                "N and judged_only=True cannot be combined: with judged_only=True, "
                "each topic's collection consists of its judged documents"
            )
        if has_size or judged_only:
            return None
        return (
            f"the collection's size is missing; write {form.format('N=...')} with the number of "
            f"documents in the collection, or {form.format('judged_only=True')} if each topic's "
            "collection is judged completely"
        )

    return problem
