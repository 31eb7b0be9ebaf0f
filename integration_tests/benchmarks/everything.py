"""Run all benchmarks one after the other, and write what they print into ``results``.

Run it as ``python integration_tests/benchmarks/everything.py`` on a machine with
nothing else to do. It takes more than half an hour and up to 8 GB of disk, and writes
one file per benchmark. Name some to run only those: ``everything.py import_cost
files_speed``. The path of trec_eval is read from TREC_EVAL or the PATH, and its
comparisons are left out if it is in neither. Afterwards, ``python
docs/benchmark_picture.py`` updates the page on benchmarks.
"""

from __future__ import annotations

import argparse
import ast
import os
import platform
import re
import subprocess
import sys
import time
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE / "results"

# For each file of results: the script, and the arguments of each of its calls.
RUNS = {
    "import_cost": ("import_cost", [[]]),
    "ir_measures_speed": ("ir_measures_speed", [[]]),
    "pyterrier_speed": ("pyterrier_speed", [[]]),
    "ranx_speed": ("ranx_speed", [[]]),
    "files_speed": ("files_speed", [[], ["--huge"]]),
    "study_speed": ("study_speed", [["--runs", "12"]]),
    "frames_speed": ("frames_speed", [["--only", "ap"]]),
    "frames_growth": ("frames_speed", [["--only", "growth"]]),
    "growth": ("growth", [[]]),
    "spark_speed": ("spark_speed", [[]]),
}

DISTRIBUTIONS = (
    "pres-plugin",
    "numpy",
    "ir-measures",
    "pytrec-eval-terrier",
    "pyterrier",
    "ranx",
    "numba",
    "narwhals",
    "polars",
    "pandas",
    "duckdb",
    "pyspark",
)


def printed_by(script: str, *arguments: str) -> str:
    """Run a script; return what it prints, and print it with the time."""
    command = [sys.executable, str(HERE / script), *arguments]
    print(f"{time.strftime('%H:%M:%S')} {' '.join(command)}", flush=True)
    start = time.monotonic()
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    print(
        f"{output}\n{time.strftime('%H:%M:%S')} after {time.monotonic() - start:.0f} s", flush=True
    )
    return output


def machine() -> str:
    cpu = re.search(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    lines = [
        f"- {date.today():%d %B %Y}",
        f"- {cpu[1] if cpu else platform.processor()}, {len(os.sched_getaffinity(0))} cores, "
        f"{memory:.0f} GiB, {platform.system()}",
        f"- load before the last script: {os.getloadavg()[0]:.1f}",
        f"- Python {platform.python_version()}",
    ]
    for name in DISTRIBUTIONS:
        try:
            lines.append(f"- {name} {version(name)}")
        except PackageNotFoundError:
            continue
    return "\n".join(lines)


def measure(name: str) -> None:
    """Run a script, and write what it prints."""
    script, calls = RUNS[name]
    about = machine()
    output = [printed_by(f"{script}.py", *words) for words in calls]
    text = (HERE / f"{script}.py").read_text(encoding="utf-8")
    title = (ast.get_docstring(ast.parse(text)) or "").splitlines()[0]
    parts = [f"# {title}", *map(str.strip, output), "## Machine and versions", about]
    (RESULTS / f"{name}.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    names = list(RUNS)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names)}")
    asked = parser.parse_args().names or names
    if unknown := [name for name in asked if name not in names]:
        parser.error(f"unknown: {', '.join(unknown)}; there are {', '.join(names)}")
    start, failed = time.monotonic(), []
    for name in asked:
        # A script that fails does not stop the others.
        try:
            measure(name)
        except subprocess.CalledProcessError as error:
            print(f"{time.strftime('%H:%M:%S')} {name} failed: {error}", flush=True)
            failed.append(name)
    print(f"{len(asked)} benchmarks in {(time.monotonic() - start) / 60:.0f} minutes")
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
