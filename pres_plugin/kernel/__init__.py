"""Compute the measures from ranks.

:mod:`.formulas` contains the formulas, and :mod:`.statistics` the numbers that they use.
:mod:`.topic` scores one topic and :mod:`.topics` many.
"""
