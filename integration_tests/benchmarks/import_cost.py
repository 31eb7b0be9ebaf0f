"""What importing pres_plugin costs, against importing numpy alone.

Run it as ``python integration_tests/benchmarks/import_cost.py``. Each import
takes place in an interpreter of its own, which times it from inside.
"""

from __future__ import annotations

import statistics
import subprocess
import sys

from sidebyside import Comparison, print_table

PAIRS = 15


def import_seconds(module: str) -> float:
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    return float(subprocess.check_output([sys.executable, "-c", code]))


def main() -> None:
    times = [(import_seconds("pres_plugin"), import_seconds("numpy")) for _ in range(PAIRS)]
    comparison = Comparison(
        statistics.median(a for a, _ in times),
        statistics.median(b for _, b in times),
        statistics.median(a / b for a, b in times),
    )
    print_table([("import pres_plugin / import numpy", comparison, 1.3)])


if __name__ == "__main__":
    main()
