"""Test whether measures order runs the same way when fewer relevant documents are known."""

from pres_plugin.study.robustness.analysis import Robustness, robustness, sample

# The report adds how results are described and drawn.
from pres_plugin.study.robustness import report as report

__all__ = ["Robustness", "robustness", "sample"]
