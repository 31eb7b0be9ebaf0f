"""The measures: where each is declared, and where its names and strings are read.

:mod:`.declared` contains each measure, with :mod:`.parameters` and :mod:`.declaration` for
its parts and :mod:`.measure` for the type of all measures. :mod:`.parsing` reads measure
strings by ir-measures' :mod:`.grammar`; :mod:`.trec_names` and :mod:`.ranx_names` read the
names that trec_eval and ranx use.
"""

from pres_plugin.measures import declared as _declared
from pres_plugin.measures.declared import *  # noqa: F403 (each measure, by its name)
from pres_plugin.measures.measure import Measure
from pres_plugin.measures.parameters import MeasureError

__all__ = ["Measure", "MeasureError"]
__all__ += _declared.__all__
