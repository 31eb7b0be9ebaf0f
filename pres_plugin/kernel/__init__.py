"""The measures as arithmetic.

:mod:`.formulas` contains the formulas and :mod:`.statistics` what they depend on.
:mod:`.topic` computes them for one topic and :mod:`.topics` for many.
"""
