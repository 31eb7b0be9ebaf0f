"""ranx: what is touched to add the measures. Importing this does not import it.

What the framework gets, metrics and what finds them by name, is in :mod:`.native`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar

from pres_plugin.adapters.base import Adapter
from pres_plugin.adapters.changes import Changes, without_ours

__all__ = ["RanxAdapter"]


class RanxAdapter(Adapter):
    """Makes the measures known where ranx looks metrics and their labels up by name."""

    module = "ranx"
    distribution = "ranx"
    relies_on: ClassVar[tuple[str, ...]] = (
        "data_structures.optimization_report:OptimizationReport.get_metric_label",
        "data_structures.report:Report.get_metric_label",
        "data_structures.report:Report.to_latex",
        "meta.evaluate:convert_qrels",
        "meta.evaluate:extract_metric_and_params",
        "meta.evaluate:metric_switch",
        "metrics:metric_switch",
        "ranxhub:get_metric_label",
    )

    def _check(self, framework: Any) -> None:
        super()._check(framework)
        read = self._submodule("meta.evaluate").extract_metric_and_params
        metric, expected = "rnorm.11429@1000-l2", ("rnorm.11429", 1000, 2)
        try:
            parts = read(metric)
        except Exception as error:  # of a function that has changed, it can be any
            parts = error
        if parts != expected:
            raise self._unsupported(f"it reads {metric!r} as {parts!r}, not {expected!r}")

    def _add(self, framework: Any, changes: Changes) -> None:
        # Not by an import statement, which would wait until our top package is
        # imported: perhaps by a thread that waits for this one, which imports ranx.
        hooks = import_module("pres_plugin.adapters.ranx.native.hooks")

        def replace(owner: Any, name: str, hook: Any) -> None:
            changes.replace_attribute(owner, name, hook(without_ours(vars(owner)[name])))

        evaluate = self._submodule("meta.evaluate")
        report = self._submodule("data_structures.report").Report
        optimization_report = self._submodule(
            "data_structures.optimization_report"
        ).OptimizationReport
        replace(self._submodule("metrics"), "metric_switch", hooks.knowing_metrics)
        replace(evaluate, "metric_switch", hooks.knowing_metrics)
        replace(evaluate, "convert_qrels", hooks.noting_topics)
        replace(report, "get_metric_label", hooks.knowing_labels)
        replace(report, "to_latex", hooks.escaping_labels)
        replace(optimization_report, "get_metric_label", hooks.knowing_labels)
        replace(self._submodule("ranxhub"), "get_metric_label", hooks.knowing_labels)
