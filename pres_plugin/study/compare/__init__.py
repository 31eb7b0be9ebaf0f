"""Compare runs: which ones are better by each measure, and how often the measures agree."""

# ruff: noqa: E402 (a missing SciPy is reported before other modules import it)
from __future__ import annotations

from pres_plugin.messages import imported

imported("scipy", "comparisons are made with SciPy", "study")

# The report adds how comparisons are described and drawn.
from pres_plugin.study.compare import report as report
from pres_plugin.study.compare.analysis import AGREEMENTS, VERDICTS, Comparison, compare

__all__ = ["AGREEMENTS", "VERDICTS", "Comparison", "compare"]
