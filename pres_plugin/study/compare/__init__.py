"""Compare runs: which ones are better by each measure, and how often the measures agree."""

from __future__ import annotations

# The report adds how comparisons are described and drawn.
from pres_plugin.study.compare import report as report
from pres_plugin.study.compare.analysis import AGREEMENTS, VERDICTS, Comparison, compare

__all__ = ["AGREEMENTS", "VERDICTS", "Comparison", "compare"]
