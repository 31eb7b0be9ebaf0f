"""Check whether reported values are PRES, and if not, which known variants they match.

``values`` reads the values, and ``variants`` contains the table of known variants.
"""

from pres_plugin.study.check.analysis import Closest, Difference, Match, Outside, Verdict, check

__all__ = ["Closest", "Difference", "Match", "Outside", "Verdict", "check"]
