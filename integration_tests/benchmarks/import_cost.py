"""Compare the time that importing pres_plugin takes with that of importing numpy alone.

Run it as ``python integration_tests/benchmarks/import_cost.py``. Each import
takes place in an interpreter of its own, which times it from inside.
"""

from __future__ import annotations

from sidebyside import Comparison, in_a_process, print_table


def import_seconds(module: str) -> float:
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    return float(in_a_process("-c", code))


if __name__ == "__main__":
    times = [(import_seconds("pres_plugin"), import_seconds("numpy")) for _ in range(15)]
    print_table([("import pres_plugin / import numpy", Comparison.of(times), 0.5)])
