"""Show how scores and the order of runs change with the cutoff."""

from pres_plugin.study.sweep.analysis import Sweep, sweep

__all__ = ["Sweep", "sweep"]
