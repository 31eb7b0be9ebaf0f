"""Measures as strings and objects, without a framework: ``PRES @ 100``, ``"AP(rel=2)@100"``.

They are written and displayed like the measures of ir-measures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pres_plugin import measures as declarations
from pres_plugin.grammar import GrammarError, read
from pres_plugin.measures import Declaration, MeasureError, Value

__all__ = [
    "AP",
    "DECLARED",
    "PRES",
    "Measure",
    "MeasureError",
    "PRES_est",
    "R",
    "Rnorm",
    "parse",
    "parse_all",
]


class Measure:
    """A measure and its parameters.

    Parameters
    ----------
    declaration : Declaration
        The definition of the measure and of its parameters.
    **params : int or bool
        ``cutoff``, ``rel``, ``judged_only`` or ``N``, if the measure accepts them.

    Raises
    ------
    MeasureError
        If the measure does not accept a parameter or its value.

    Examples
    --------
    >>> from pres_plugin.frames import AP, PRES
    >>> PRES @ 100, AP(rel=2) @ 10
    (PRES@100, AP(rel=2)@10)
    """

    __slots__ = ("_params", "declaration")

    declaration: Declaration
    _params: Mapping[str, Value]

    def __init__(self, declaration: Declaration, **params: Any) -> None:
        self.declaration = declaration
        try:
            self._params = declaration.checked(params)
        except (TypeError, ValueError) as error:
            raise MeasureError(str(error)) from None

    def __call__(self, **params: Any) -> Measure:
        """Return a copy of the measure with these parameters added."""
        return Measure(self.declaration, **{**self._params, **params})

    def __matmul__(self, cutoff: int) -> Measure:
        return self(cutoff=cutoff)

    @property
    def name(self) -> str:
        """The name of the measure, without its parameters."""
        return self.declaration.name

    @property
    def cutoff(self) -> int | None:
        """Nmax, or None for all documents."""
        return self._params.get("cutoff")

    @property
    def rel(self) -> int:
        """The minimum relevance of a relevant document."""
        return self._params.get("rel", 1)

    @property
    def judged_only(self) -> bool:
        """Whether documents without judgements are left out of the ranking."""
        return bool(self._params.get("judged_only", False))

    @property
    def N(self) -> int | None:  # noqa: N802 (as users write it)
        """The number of documents in the collection, or None if it is not given."""
        return self._params.get("N")

    def check_complete(self) -> None:
        """Raise a MeasureError if a parameter is missing."""
        try:
            self.declaration.check_complete(self._params)
        except ValueError as error:
            raise MeasureError(str(error)) from None

    def __repr__(self) -> str:
        defaults = {p.name: p.default for p in self.declaration.parameters}
        shown = ",".join(
            f"{name}={value!r}"
            for name, value in self._params.items()
            if name != "cutoff" and value != defaults[name]
        )
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.name}({shown}){cutoff}" if shown else f"{self.name}{cutoff}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickle by name, like ir-measures, since declarations contain functions.
        return _restored, (self.name, dict(self._params))


PRES: Measure = Measure(declarations.PRES)
PRES_est: Measure = Measure(declarations.PRES_EST)
Rnorm: Measure = Measure(declarations.RNORM)
AP: Measure = Measure(declarations.AP)
R: Measure = Measure(declarations.RECALL)

DECLARED: dict[str, Measure] = {m.name: m for m in (PRES, PRES_est, Rnorm, AP, R)}
# ir-measures' other names for the same measures.
_ALIASES = {"MAP": AP, "Recall": R}


def _restored(name: str, params: dict[str, Value]) -> Measure:
    return DECLARED[name](**params)


def parse(measure: Any) -> Measure:
    """Read a measure, as ir-measures does, and check that it can be computed.

    Parameters
    ----------
    measure : str, Measure or ir_measures.Measure
        ``"PRES@100"``, ``PRES @ 100``, ``"Rnorm(N=11429)"``, ``"AP(rel=2)@10"``.

    Returns
    -------
    Measure

    Raises
    ------
    MeasureError
        If the measure is unknown, or a parameter is wrong or missing.

    Examples
    --------
    >>> from pres_plugin.frames.measures import parse
    >>> parse("Rnorm(N=11429)").N
    11429
    """
    parsed = measure if isinstance(measure, Measure) else _parsed(str(measure))
    parsed.check_complete()
    return parsed


def parse_all(measures: Any) -> list[Measure]:
    """Read one measure or several; drop duplicates and keep the order.

    Raises
    ------
    MeasureError
        If a measure is invalid, or if no measure is given.
    """
    alone = isinstance(measures, str | Measure) or not isinstance(measures, Iterable)
    parsed = list(dict.fromkeys(map(parse, [measures] if alone else measures)))
    if not parsed:
        raise MeasureError("no measure is given; for instance 'PRES@100'")
    return parsed


def _parsed(text: str) -> Measure:
    try:
        written = read(text)
    except GrammarError:
        raise MeasureError(f"measure {text!r} cannot be read; {_WRITTEN}") from None
    measure = DECLARED.get(written.name) or _ALIASES.get(written.name)
    if measure is None:
        raise MeasureError(f"measure {text!r} is not among {', '.join(DECLARED)}; {_WRITTEN}")
    at = {} if written.at is None else {"cutoff": written.at}
    return measure(**{**written.params, **at})


_WRITTEN = "measures are written as 'PRES@100', 'AP(rel=2)@10' or 'Rnorm(N=11429)'"
