"""ir-measures: what is touched to add the measures. Importing this does not import it.

What the framework gets, its measure and provider objects, is in :mod:`.native`.
"""

from __future__ import annotations

import platform
import sys
from importlib import import_module
from typing import Any, ClassVar

from pres_plugin.adapters.base import Adapter
from pres_plugin.adapters.changes import Changes

__all__ = ["IrMeasuresAdapter"]


class IrMeasuresAdapter(Adapter):
    """Registers the measures and their provider, as ir-measures does its own on import."""

    module = "ir_measures"
    distribution = "ir-measures"
    relies_on: ClassVar[tuple[str, ...]] = (
        "DefaultPipeline.providers.insert",
        "Metric",
        "__all__",
        "measures.Measure.AT_PARAM",
        "measures.Measure.DEFAULT",
        "measures.Measure.aggregator",
        "measures.Measure.validate_params",
        "measures.ParamInfo",
        "measures.__all__",
        "measures.registry",
        "parse_measure",
        "parse_trec_measure",
        "providers.Evaluator.calc_aggregate",
        "providers.Evaluator.iter_calc",
        "providers.Provider._evaluator",
        "providers.registry",
        "util.QrelsConverter.predict_type",
        "util.RunConverter.predict_type",
        "util.parse_trec_measure",
    )

    def _add(self, framework: Any, changes: Changes) -> None:
        # An import statement, of a package this deep, waits until our top package is
        # imported: perhaps by a thread that waits for this one, which imports ir-measures.
        import_module("pres_plugin.adapters.ir_measures.native")
        from pres_plugin.adapters.ir_measures.native.measures import MEASURES
        from pres_plugin.adapters.ir_measures.native.provider import PresProvider
        from pres_plugin.adapters.ir_measures.native.trec_names import parser_with_ours

        provider = PresProvider()  # type: ignore[no-untyped-call]
        changes.add_key(framework.providers.registry, provider.NAME, provider)
        # Not into __all__: after "from ir_measures import *", the name of our
        # package is to mean our package.
        changes.add_attribute(framework, provider.NAME, provider)
        for measure in MEASURES:
            changes.add_key(framework.measures.registry, measure.DECLARATION.name, measure)
            for module in (framework, framework.measures):
                changes.add_attribute(module, measure.DECLARATION.name, measure)
                changes.append(module.__all__, measure.DECLARATION.name)
        parser = parser_with_ours(framework.parse_trec_measure)
        for module in (framework, framework.util):
            changes.replace_attribute(module, "parse_trec_measure", parser)
        # First in the pipeline, so that it checks a run before others score it.
        changes.insert(framework.DefaultPipeline.providers, 0, provider)
        self._repair_measure_strings(framework, changes)

    def _repair_measure_strings(self, framework: Any, changes: Changes) -> None:
        """Let ir-measures read measure strings on Python 3.14 and later.

        ir-measures 0.4.3 reads the values in them with ``ast.Num`` and ``ast.Str``,
        which Python 3.14 removed. A release that does without them is left alone.
        """
        if sys.version_info < (3, 14) or _reads_values(framework):
            return
        if not hasattr(framework.util, "_ast_to_value"):
            raise self._unsupported(
                f"it cannot read measure strings on Python {platform.python_version()}, and has no "
                "ir_measures.util._ast_to_value to repair"
            )
        from pres_plugin.grammar import value_of

        changes.repair_attribute(
            framework.util,
            "_ast_to_value",
            value_of,
            "reads measure strings again, which ir-measures does with ast.Num and ast.Str, "
            "and Python 3.14 removed",
        )


def _reads_values(framework: Any) -> bool:
    """Whether ir-measures reads a measure string that contains values."""
    try:
        framework.parse_measure("AP(rel=1)@1")
    except AttributeError:
        return False
    return True
