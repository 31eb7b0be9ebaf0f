"""Add the measures to ranx. Importing this module does not import ranx.

The metrics, and the functions that look them up by name, are in :mod:`.native`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar

from pres_plugin.adapters.base import Adapter
from pres_plugin.adapters.changes import Changes


class RanxAdapter(Adapter):
    """Adds the measures to the functions with which ranx looks up metrics and their titles."""

    module = "ranx"
    distribution = "ranx"
    relies_on: ClassVar[tuple[str, ...]] = (
        "data_structures.optimization_report:OptimizationReport.get_metric_label",
        "data_structures.report:Report.get_metric_label",
        "data_structures.report:Report.to_latex",
        "meta.evaluate:extract_metric_and_params",
        "meta.evaluate:metric_switch",
        "metrics:metric_switch",
        "ranxhub:get_metric_label",
    )

    def _check(self) -> None:
        super()._check()
        read = self._submodule("meta.evaluate").extract_metric_and_params
        metric, expected = "rnorm.11429@1000-l2", ("rnorm.11429", 1000, 2)
        try:
            parts = read(metric)
        except Exception as error:  # a later version may raise any error
            parts = error
        if parts != expected:
            raise RuntimeError(f"it reads {metric!r} as {parts!r}, not {expected!r}")

    def _add(self, framework: Any, changes: Changes) -> None:
        # An import statement for a new submodule would wait until pres_plugin is imported.
        # The thread that imports pres_plugin may be waiting for this thread.
        hooks = import_module("pres_plugin.adapters.ranx.native.hooks")

        evaluate = self._submodule("meta.evaluate")
        report = self._submodule("data_structures.report").Report
        optimization = self._submodule("data_structures.optimization_report").OptimizationReport
        changes.wrap(
            (self._submodule("metrics"), evaluate), "metric_switch", hooks.with_our_metrics
        )
        changes.wrap([evaluate], "extract_metric_and_params", hooks.with_checked_zero)
        changes.wrap([report], "to_latex", hooks.with_escaped_labels)
        for owner in (report, optimization, self._submodule("ranxhub")):
            changes.wrap([owner], "get_metric_label", hooks.with_our_labels)
