"""Show how scores and the order of runs change with the cutoff."""

# The report adds how results are described and drawn.
from pres_plugin.study.sweep import report as report
from pres_plugin.study.sweep.analysis import Sweep, sweep

__all__ = ["Sweep", "sweep"]
