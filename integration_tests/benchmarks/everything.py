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

#: For each file of results, the script with its options, once or several times.
RUNS = {
    "import_cost": ["import_cost.py"],
    "ir_measures_speed": ["ir_measures_speed.py"],
    "pyterrier_speed": ["pyterrier_speed.py"],
    "ranx_speed": ["ranx_speed.py"],
    "files_speed": ["files_speed.py", "files_speed.py --huge"],
    "study_speed": ["study_speed.py --runs 12"],
    "frames_speed": ["frames_speed.py --only ap"],
    "frames_growth": ["frames_speed.py --only growth"],
    "growth": ["growth.py"],
    "spark_speed": ["spark_speed.py"],
}
DISTRIBUTIONS = (
    "pres-plugin numpy ir-measures pytrec-eval-terrier pyterrier ranx numba narwhals polars "
    "pandas duckdb pyspark"
)


def printed_by(command: str) -> str:
    """Run a script, and return what it prints."""
    print(f"{time.strftime('%H:%M:%S')} {command}", flush=True)
    words = [sys.executable, *command.split()]
    return subprocess.run(words, cwd=HERE, check=True, stdout=subprocess.PIPE, text=True).stdout


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
    """Run the scripts of one file of results, and write it."""
    about = machine()
    output = [printed_by(command).strip() for command in RUNS[name]]
    script = (HERE / RUNS[name][0].split()[0]).read_text(encoding="utf-8")
    title = (ast.get_docstring(ast.parse(script)) or "").splitlines()[0]
    parts = [f"# {title}", *output, "## Machine and versions", about]
    (HERE / "results" / f"{name}.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for asked in sys.argv[1:] or RUNS:
        measure(asked)
