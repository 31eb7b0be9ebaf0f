"""Make measures of ir-measures from our declarations, and from names in trec_eval's style."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, Self

from ir_measures import measures

# Do not import these from pres_plugin.measures itself. A thread that imports it may be
# waiting for the thread that imports ir-measures and, with it, this module.
from pres_plugin.kernel.goal import Rounding
from pres_plugin.measures.declaration import Declaration
from pres_plugin.measures.declared import OURS
from pres_plugin.measures.measure import Measure
from pres_plugin.measures.parameters import Parameter
from pres_plugin.measures.trec_names import parse_trec_name


class DeclaredMeasure(Measure, measures.Measure):
    """A measure of ir-measures that is also one of ours. Parameters are checked at once."""

    def validate_params(self) -> None:
        """Raise a MeasureError if a parameter is missing. ir-measures calls this method."""
        self.check_complete()

    def __reduce__(self) -> tuple[Any, ...]:
        return native, (self.name, self.params)

    if TYPE_CHECKING:
        # ir-measures annotates its measures as accepting any argument.
        def __call__(  # type: ignore[override]  # noqa: D102
            self, *, cutoff: int = ..., rel: int = ..., judged_only: bool = ...
        ) -> Self: ...

        def __matmul__(self, at_param: int) -> Self: ...  # type: ignore[override]


if TYPE_CHECKING:

    class SizedMeasure(DeclaredMeasure):
        """A measure that also accepts the size of the collection."""

        def __call__(  # type: ignore[override]  # noqa: D102
            self,
            *,
            cutoff: int = ...,
            rel: int = ...,
            judged_only: bool = ...,
            N: int = ...,  # noqa: N803
        ) -> Self: ...

    class EffortMeasure(DeclaredMeasure):
        """A measure of the effort to reach a recall, which a value after ``@`` sets."""

        def __call__(  # type: ignore[override]  # noqa: D102
            self,
            *,
            recall: float = ...,
            rounding: Rounding = ...,
            rel: int = ...,
            judged_only: bool = ...,
            N: int = ...,  # noqa: N803
        ) -> Self: ...

        def __matmul__(self, at_param: float) -> Self: ...

    def __getattr__(name: str) -> DeclaredMeasure: ...


def _param_info(parameter: Parameter) -> measures.ParamInfo:
    details: dict[str, Any] = {} if parameter.default is None else {"default": parameter.default}
    if parameter.choices:
        details["choices"] = list(parameter.choices)
    return measures.ParamInfo(dtype=parameter.kind, desc=parameter.desc, **details)


def _made_from(declaration: Declaration) -> DeclaredMeasure:
    """Return a measure of ir-measures, without parameters, from our declaration."""
    measure: type[DeclaredMeasure] = type(
        f"_{declaration.name}",
        (DeclaredMeasure,),
        {
            "__module__": __name__,
            "__doc__": declaration.doc,
            "__name__": declaration.name,
            "NAME": declaration.name,
            "AT_PARAM": declaration.at.name,
            "PRETTY_NAME": declaration.pretty_name,
            "SHORT_DESC": declaration.short_desc,
            "SUPPORTED_PARAMS": {p.name: _param_info(p) for p in declaration.parameters},
        },
    )
    return measure(declaration)


#: Our measures by name. Each is also an attribute of this module.
BY_NAME: dict[str, DeclaredMeasure] = {m.name: _made_from(m.declaration) for m in OURS}
globals().update(BY_NAME)


def native(name: str, params: Mapping[str, Any]) -> Any:
    """Return the measure of this name with these parameters."""
    return BY_NAME[name](**params)


def parser_with_ours(parse_trec_measure: Callable[[str], list[measures.Measure]]) -> Any:
    """Wrap ir-measures' parser of trec_eval's names, so that it also reads our measures."""

    @wraps(parse_trec_measure)
    def parse(measure: str) -> list[measures.Measure]:
        ours = parse_trec_name(measure) if isinstance(measure, str) else None
        if ours is None:
            return parse_trec_measure(measure)
        return [BY_NAME[one.name](**one.params) for one in ours]

    return parse
