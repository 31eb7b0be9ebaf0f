"""A measure as data: its name, its parameters and its formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pres_plugin.kernel.topics import Formula
from pres_plugin.measures.parameters import CUTOFF, MeasureError, Parameter, Value

__all__ = ["Declaration", "Requirement", "needs_cutoff", "needs_nothing"]

#: Takes the parameters of a measure; returns what is wrong with their combination, or None.
Requirement = Callable[[Mapping[str, Value]], str | None]


@dataclass(frozen=True)
class Declaration:
    """A measure, independent of any framework.

    Attributes
    ----------
    name : str
        Its name in measure strings.
    pretty_name, short_desc, doc : str
        Its full name, one sentence about it, and a paragraph.
    example : str
        A complete measure string.
    parameters : tuple of Parameter
        The parameters that it takes.
    requires : callable
        What is wrong with a combination of parameters; see :data:`Requirement`.
    statistics : tuple of str
        The names of the statistics that the formula reads, from
        :data:`pres_plugin.kernel.statistics.STATISTICS`.
    formula : callable
        The score of a topic; see :data:`pres_plugin.kernel.topics.Formula`.
    counts_to_n_max : bool
        Whether the score depends on Nmax even beyond the end of the run.
    aliases : tuple of str
        ir-measures' other names for the measure.
    """

    name: str
    pretty_name: str
    short_desc: str
    doc: str
    example: str
    parameters: tuple[Parameter, ...]
    requires: Requirement
    statistics: tuple[str, ...]
    formula: Formula
    counts_to_n_max: bool = False
    aliases: tuple[str, ...] = ()

    def takes(self, parameter: Parameter) -> bool:
        """Return whether the measure has a parameter of this name."""
        return any(parameter.name == own.name for own in self.parameters)

    def checked(self, params: Mapping[str, Any]) -> dict[str, Value]:
        """Return the given parameters as Python numbers, after checking each by itself.

        Raises
        ------
        TypeError
            If the measure has no parameter of that name.
        ValueError
            If a parameter does not take its value.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        for name, value in params.items():
            if name not in known:
                raise TypeError(
                    f"{self.name} has no parameter {name!r}; it takes {', '.join(known)}"
                )
            if problem := known[name].problem(value):
                raise MeasureError(
                    f"{self.name}: {name} ({known[name].desc}) {problem}; "
                    f"for instance {self.example}"
                )
        return {name: known[name].kind(value) for name, value in params.items()}

    def check_complete(self, params: Mapping[str, Value]) -> None:
        """Raise a MeasureError if the measure cannot be computed from these parameters."""
        if problem := self.requires(params):
            raise MeasureError(f"{self.name}: {problem}")


def needs_nothing(params: Mapping[str, Value]) -> str | None:
    """Allow every combination of parameters."""
    return None


def needs_cutoff(example: str) -> Requirement:
    """Return a requirement for a cutoff; its message shows `example`."""

    def problem(params: Mapping[str, Value]) -> str | None:
        return (
            None if "cutoff" in params else f"a cutoff is missing ({CUTOFF.desc}); write {example}"
        )

    return problem
