"""The type of all our measures: a declaration with parameters, such as ``PRES(rel=2)@100``."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple, Self

from pres_plugin.kernel.goal import Goal, Rounding
from pres_plugin.measures.declaration import Declaration
from pres_plugin.measures.parameters import (
    COLLECTION_SIZE,
    CUTOFF,
    JUDGED_ONLY,
    RECALL,
    REL,
    ROUNDING,
    MeasureError,
    Parameter,
)


class DocumentChoice(NamedTuple):
    """Which documents a measure counts as relevant and ranks; equal choices have equal ranks."""

    #: The minimum relevance of a relevant document.
    rel: int
    #: Whether unjudged documents are removed from the ranking.
    judged_only: bool


def _parameter(parameter: Parameter, doc: str) -> Any:
    """Return a property with the value of a parameter, or its default."""
    return property(lambda measure: measure.params.get(parameter.name, parameter.default), doc=doc)


class Measure:
    """A measure and its parameters; written and displayed like a measure of ir-measures.

    Parameters
    ----------
    declaration : Declaration
        The definition of the measure and of its parameters.
    **params : int, bool, float or str
        ``cutoff``, ``rel``, ``judged_only``, ``N``, ``recall`` or ``rounding``, if the
        measure accepts them.

    Raises
    ------
    MeasureError
        If the measure does not accept a parameter or its value.

    Examples
    --------
    >>> from pres_plugin.measures import AP, PRES
    >>> PRES @ 100, AP(rel=2) @ 10
    (PRES@100, AP(rel=2)@10)
    """

    declaration: Declaration
    params: dict[str, Any]

    def __init__(self, declaration: Declaration, /, **params: Any) -> None:
        self.declaration = declaration
        self.params = declaration.checked(params)

    def __call__(self, /, **params: Any) -> Self:
        """Return a copy of the measure with these parameters added."""
        return type(self)(self.declaration, **self.params | params)

    def __matmul__(self, value: float) -> Self:
        return type(self)(self.declaration, **self.params | {self.declaration.at.name: value})

    @property
    def name(self) -> str:
        """The name of the measure, without its parameters."""
        return self.declaration.name

    cutoff: int | None = _parameter(CUTOFF, "Nmax, or None for all documents.")
    rel: int = _parameter(REL, "The minimum relevance of a relevant document.")
    judged_only: bool = _parameter(
        JUDGED_ONLY, "Whether unjudged documents are removed from the ranking."
    )
    N: int | None = _parameter(
        COLLECTION_SIZE, "The number of documents in the collection, or None if it is not given."
    )

    recall: float = _parameter(RECALL, "The target recall, as a fraction.")
    rounding: Rounding = _parameter(ROUNDING, "How to round the number of documents to find.")

    @property
    def goal(self) -> Goal:
        """The target recall; the default, 0.95, for measures that do not depend on it."""
        return Goal(self.recall, self.rounding)

    @property
    def document_choice(self) -> DocumentChoice:
        """Which documents the measure counts as relevant and ranks."""
        return DocumentChoice(self.rel, self.judged_only)

    @property
    def lacks_size(self) -> bool:
        """Whether the measure requires the size of the collection, and no parameter gives it."""
        return self.declaration.takes(COLLECTION_SIZE) and not (self.N or self.judged_only)

    def check_complete(self, *, has_size: bool = False) -> None:
        """Raise a MeasureError if the measure cannot be computed from its parameters.

        If `has_size` is true, N may be missing, because the collection's size is given otherwise.
        """
        if problem := self.declaration.requires(self.params, has_size):
            raise MeasureError(f"{self.name}: {problem}")

    def __repr__(self) -> str:
        return self._text

    # Cached, because frameworks use the measure as a dict key for every score.
    @cached_property
    def _text(self) -> str:
        at = self.declaration.at.name
        known = self.declaration.by_name
        shown = ",".join(
            f"{name}={value!r}"
            for name, value in self.params.items()
            if name != at and value != known[name].default
        )
        # A recall of 1.0 is written as 1.
        value = f"@{self.params[at]!r}".removesuffix(".0") if at in self.params else ""
        return f"{self.name}({shown}){value}" if shown else f"{self.name}{value}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)
