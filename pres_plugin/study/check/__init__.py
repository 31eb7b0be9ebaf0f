"""Check whether reported values are PRES, and if not, which known variants they match.

``values`` reads the values, and ``variants`` computes what other programs call PRES.
"""

from pres_plugin.study.check.analysis import Compared, Verdict, check

__all__ = ["Compared", "Verdict", "check"]
