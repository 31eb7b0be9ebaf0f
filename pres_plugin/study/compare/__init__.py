"""Compare runs: which ones are better by each measure, and how often the measures agree."""

from __future__ import annotations

from pres_plugin.messages import imported

imported("scipy", "comparisons are made with SciPy", "study")

# The report adds how comparisons are described and drawn.
from pres_plugin.study.compare import report as report  # noqa: E402
from pres_plugin.study.compare.analysis import (  # noqa: E402
    AGREEMENTS,
    VERDICTS,
    Comparison,
    compare,
)

__all__ = ["AGREEMENTS", "VERDICTS", "Comparison", "compare"]
