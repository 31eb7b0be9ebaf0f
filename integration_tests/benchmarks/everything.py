"""Run all benchmarks one after the other, and write what they print into ``results``.

Run it as ``python integration_tests/benchmarks/everything.py`` on a machine with
nothing else to do. It takes more than half an hour and up to 8 GB of disk, and writes
one file per benchmark. Name some to run only those: ``everything.py import_cost
files_speed``. The path of trec_eval is read from TREC_EVAL or the PATH, and its
comparisons are left out if it is in neither. Afterwards, ``python
docs/benchmark_picture.py`` updates the page on benchmarks.
"""

from __future__ import annotations

import ast
import os
import platform
import re
import subprocess
import sys
import time
from datetime import date
from importlib.metadata import distributions
from pathlib import Path

HERE = Path(__file__).parent

SCRIPTS = (
    "import_cost ir_measures_speed pyterrier_speed ranx_speed files_speed study_speed frames_speed "
    "frames_growth growth spark_speed"
)
DISTRIBUTIONS = (
    "pres-plugin numpy ir-measures pytrec-eval-terrier pyterrier ranx numba narwhals polars "
    "pandas duckdb pyspark"
)


def machine() -> str:
    """Return a list of what results depend on."""
    cpu = re.search(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    versions = {each.name.replace("_", "-"): each.version for each in distributions()}
    cores = len(os.sched_getaffinity(0))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    lines = [
        f"{date.today():%d %B %Y}",
        f"{cpu[1] if cpu else ''}, {cores} cores, {memory:.0f} GiB, {platform.system()}",
        f"load before the last script: {os.getloadavg()[0]:.1f}",
        f"Python {platform.python_version()}",
        *(f"{name} {versions[name]}" for name in DISTRIBUTIONS.split() if name in versions),
    ]
    return "\n".join(f"- {line}" for line in lines)


def measure(name: str) -> None:
    """Run a script, and write what it prints."""
    print(f"{time.strftime('%H:%M:%S')} {name}", flush=True)
    about, script = machine(), HERE / f"{name}.py"
    output = subprocess.check_output([sys.executable, script], text=True).strip()
    text = script.read_text(encoding="utf-8")
    title = (ast.get_docstring(ast.parse(text)) or "").splitlines()[0]
    parts = [f"# {title}", output, "## Machine and versions", about]
    (HERE / "results" / f"{name}.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for asked in sys.argv[1:] or SCRIPTS.split():
        measure(asked)
