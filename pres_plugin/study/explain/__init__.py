"""Explain the PRES of a run on one topic, document by document."""

# The report adds how results are described and drawn.
from pres_plugin.study.explain import report as report
from pres_plugin.study.explain.analysis import Curves, Explanation, Explanations, explain

__all__ = ["Curves", "Explanation", "Explanations", "explain"]
