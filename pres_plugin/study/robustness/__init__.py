"""Test whether measures order runs the same way when fewer relevant documents are known."""

from pres_plugin.study.robustness.analysis import Robustness, robustness, sample

__all__ = ["Robustness", "robustness", "sample"]
