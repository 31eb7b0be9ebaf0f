"""Add the measures to ir-measures. Importing this module does not import ir-measures.

The measure and provider objects that are added are defined in :mod:`.native`.
"""

from __future__ import annotations

import sys
from functools import wraps
from importlib import import_module
from typing import Any, ClassVar

from pres_plugin.adapters.base import Adapter
from pres_plugin.adapters.changes import Changes, is_ours
from pres_plugin.measures.grammar import value_of


class IrMeasuresAdapter(Adapter):
    """Registers the measures and their provider in ir-measures."""

    module = "ir_measures"
    distribution = "ir-measures"
    relies_on: ClassVar[tuple[str, ...]] = (
        "CalcResults",
        "DefaultPipeline.providers",
        "Metric",
        "__all__",
        "measures.Measure.AT_PARAM",
        "measures.Measure.validate_params",
        "measures.ParamInfo",
        "measures.__all__",
        "measures.registry",
        "parse_measure",
        "parse_trec_measure",
        "providers.Evaluator.calc",
        "providers.Evaluator.calc_aggregate",
        "providers.Evaluator.iter_calc",
        "providers.Provider._evaluator",
        "providers.registry",
        "util.QrelsConverter.predict_type",
        "util.RunConverter.predict_type",
        "util.parse_trec_measure",
    )

    def _add(self, framework: Any, changes: Changes) -> None:
        # An import statement for a new submodule would wait until pres_plugin is imported.
        # The thread that imports pres_plugin may be waiting for this thread.
        import_module("pres_plugin.adapters.ir_measures.native")
        from pres_plugin.adapters.ir_measures.native.measures import BY_NAME, parser_with_ours
        from pres_plugin.adapters.ir_measures.native.provider import PresProvider

        provider = PresProvider()  # type: ignore[no-untyped-call]
        changes.add(framework.providers.registry, provider.NAME, provider)
        # Keep it out of __all__, so that "from ir_measures import *" does not hide
        # our package, which has the same name.
        changes.add(framework, provider.NAME, provider)
        for name, measure in BY_NAME.items():
            changes.add(framework.measures.registry, name, measure)
            for module in (framework, framework.measures):
                changes.add(module, name, measure)
                changes.add_item(module, "__all__", name)
        changes.wrap((framework, framework.util), "parse_trec_measure", parser_with_ours)
        # Put first, so that it checks a run before other providers score it.
        changes.add_item(framework.DefaultPipeline, "providers", provider, first=True)
        self._repair_measure_strings(framework, changes)

    def _repair_measure_strings(self, framework: Any, changes: Changes) -> None:
        """Let ir-measures read measure strings on Python 3.14 and later.

        ir-measures 0.4.3 reads values in measure strings with ``ast.Num`` and ``ast.Str``,
        which Python 3.14 removed. Releases of ir-measures that work are left unchanged.
        """
        if sys.version_info < (3, 14):
            return
        ast_to_value = getattr(framework.util, "_ast_to_value", None)
        if not is_ours(ast_to_value) and _reads_values(framework):
            return
        if ast_to_value is None:
            raise RuntimeError(
                "it cannot read measure strings on this version of Python, and has no "
                "ir_measures.util._ast_to_value to repair"
            )
        changes.wrap(
            [framework.util],
            "_ast_to_value",
            lambda original: wraps(original)(lambda node: value_of(node)),
            repairs="replaced to read measure strings, since it uses ast.Num and ast.Str, "
            "which Python 3.14 removed",
        )


def _reads_values(framework: Any) -> bool:
    """Return whether ir-measures can read a measure string that contains values."""
    try:
        framework.parse_measure("AP(rel=1)@1")
    except AttributeError:
        return False
    return True
