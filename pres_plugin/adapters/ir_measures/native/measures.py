"""PRES, PRES_est and Rnorm as measures of ir-measures, made from their declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from ir_measures import measures

# Not through the package itself: a thread that imports it may be waiting for the
# one that imports ir-measures, and with it these modules.
from pres_plugin.measures import PRES as PRES_DECLARATION
from pres_plugin.measures import PRES_EST as PRES_EST_DECLARATION
from pres_plugin.measures import RNORM as RNORM_DECLARATION
from pres_plugin.measures import Declaration, Parameter

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["MEASURES", "PRES", "DeclaredMeasure", "PRES_est", "Rnorm", "SizedMeasure"]


class DeclaredMeasure(measures.Measure):
    """A measure whose parameters are checked when they are given."""

    DECLARATION: ClassVar[Declaration]

    def __init__(self, **params: Any) -> None:
        super().__init__(**self.DECLARATION.checked(params))  # type: ignore[no-untyped-call]
        self._repr: str | None = None

    def validate_params(self) -> None:
        """Raise a ValueError where ir-measures' own measures fail an assertion."""
        if not self.validated:
            self.DECLARATION.check_complete(self.params)
            self.validated = True

    def __repr__(self) -> str:
        # ir-measures hashes and compares measures by this, for every score.
        if self._repr is None:
            self._repr = super().__repr__()  # type: ignore[no-untyped-call]
        return self._repr

    if TYPE_CHECKING:
        # To the annotations of ir-measures' own, any measure takes anything.
        def __call__(  # type: ignore[override]  # noqa: D102
            self, *, cutoff: int = ..., rel: int = ..., judged_only: bool = ...
        ) -> Self: ...

        def __matmul__(self, at_param: int) -> Self: ...


class SizedMeasure(DeclaredMeasure):
    """A measure that also takes the size of the collection."""

    if TYPE_CHECKING:

        def __call__(  # type: ignore[override]  # noqa: D102
            self,
            *,
            cutoff: int = ...,
            rel: int = ...,
            judged_only: bool = ...,
            N: int = ...,  # noqa: N803
        ) -> Self: ...


_MeasureT = TypeVar("_MeasureT", bound=DeclaredMeasure)


def _param_info(parameter: Parameter) -> measures.ParamInfo:
    default = {} if parameter.default is None else {"default": parameter.default}
    return measures.ParamInfo(dtype=parameter.kind, desc=parameter.desc, **default)


def _measure_class(declaration: Declaration, base: type[_MeasureT]) -> type[_MeasureT]:
    """The class of a measure, named and described as ir-measures' own are."""
    return type(
        f"_{declaration.name}",
        (base,),
        {
            "__module__": __name__,
            "__doc__": declaration.doc,
            "__name__": declaration.name,
            "NAME": declaration.name,
            "PRETTY_NAME": declaration.pretty_name,
            "SHORT_DESC": declaration.short_desc,
            "SUPPORTED_PARAMS": {p.name: _param_info(p) for p in declaration.parameters},
            "DECLARATION": declaration,
        },
    )


# By name in this module, so that measures can be pickled.
_PRES = _measure_class(PRES_DECLARATION, DeclaredMeasure)
_PRES_est = _measure_class(PRES_EST_DECLARATION, DeclaredMeasure)
_Rnorm = _measure_class(RNORM_DECLARATION, SizedMeasure)

PRES: DeclaredMeasure = _PRES()
PRES_est: DeclaredMeasure = _PRES_est()
Rnorm: SizedMeasure = _Rnorm()

MEASURES: tuple[DeclaredMeasure, ...] = (PRES, PRES_est, Rnorm)
