"""Explain the PRES of a run on one topic, document by document."""

from pres_plugin.study.explain.analysis import Curves, Explanation, Explanations, explain

__all__ = ["Curves", "Explanation", "Explanations", "explain"]
