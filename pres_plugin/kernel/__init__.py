"""Compute the measures from ranks.

:mod:`.statistics` defines the numbers that formulas use. :mod:`.topic` computes them for one topic
and :mod:`.topics` for many. The formulas are declared in :mod:`pres_plugin.measures.declared`.
"""
