"""How much a picture shows. Tables are always complete.

This module does not import matplotlib, so that captions can be written without it.
"""

from __future__ import annotations

#: The number of runs that :func:`pres_plugin.study.pictures.explain.areas` draws.
PANELS = 24

#: The numbers of runs, measures and cutoffs that :func:`pres_plugin.study.pictures.sweep.curves`
#: draws.
CURVES = 50
CURVE_MEASURES = 8
CURVE_POINTS = 500

#: The number of measures that :func:`pres_plugin.study.pictures.robustness.lowest_tau` draws.
TAU_MEASURES = 12

#: The numbers of runs and of pairs of measures that the pictures of
#: :mod:`pres_plugin.study.pictures.compare` draw.
COMPARED_RUNS = 150
COMPARED_PAIRS = 100

#: The number of panels in the picture of scores: measures that are not between -1 and 1 have
#: panels of their own.
SCALES = 4

#: The number of places in one picture that show a tip.
TIPS = 5_000


def left_out(what: str, drawn: int, there: int) -> str:
    """Return the end of a caption that says how many of something are drawn, if not all.

    >>> from pres_plugin.study.pictures.limits import left_out
    >>> left_out("the first {} runs", 24, 200)
    ' Only the first 24 runs of 200 are drawn.'
    >>> left_out("the first {} runs", 24, 3)
    ''
    """
    return "" if there <= drawn else f" Only {what.format(drawn)} of {there} are drawn."
