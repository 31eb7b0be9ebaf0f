"""Test whether measures order runs the same way when fewer relevant documents are known."""

# The report adds how results are described and drawn.
from pres_plugin.study.robustness import report as report
from pres_plugin.study.robustness.analysis import Robustness, robustness, sample

__all__ = ["Robustness", "robustness", "sample"]
