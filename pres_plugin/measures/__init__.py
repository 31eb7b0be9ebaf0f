"""Declare the measures, and read their names and strings.

:mod:`.declared` declares each measure. :mod:`.declaration` and :mod:`.parameters` define
what a declaration consists of, and :mod:`.measure` is the type of all measures.
:mod:`.parsing` reads measure strings in ir-measures' :mod:`.grammar`. :mod:`.trec_names`
and :mod:`.ranx_names` read our measures' names in the styles of trec_eval and ranx.
"""

from pres_plugin.measures.declared import AP, PRES, TNR, WSS, Effort, LastRel, PRES_est, R, Rnorm
from pres_plugin.measures.measure import Measure
from pres_plugin.measures.parameters import MeasureError

# Type checkers need each name. A test compares these names with the declarations.
__all__ = [
    "AP",
    "PRES",
    "TNR",
    "WSS",
    "Effort",
    "LastRel",
    "Measure",
    "MeasureError",
    "PRES_est",
    "R",
    "Rnorm",
]
