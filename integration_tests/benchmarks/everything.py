"""All benchmarks, one after the other, and the page of their results.

Run it as ``python integration_tests/benchmarks/everything.py`` on a machine with
nothing else to do; it takes about half an hour and 8 GB of disk for a while, and
writes docs/benchmarks.md and the tables of docs/scaling-out.md. Only some:
``everything.py import_cost files_speed``. trec_eval is read from TREC_EVAL or
the PATH, and left out if it is in neither.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"
PAGE = DOCS / "benchmarks.md"

sys.path.append(str(DOCS))
from marked_parts import with_parts  # noqa: E402

# By the names of the page's sections: the scripts, and what they are called with.
RUNS = {
    "import_cost": [[]],
    "ir_measures_speed": [[]],
    "pyterrier_speed": [[]],
    "ranx_speed": [[]],
    "files_speed": [[], ["--huge"], ["--parquet", "100"]],
    "study_speed": [["--runs", "12"]],
    "frames_speed": [["--only", "ap"]],
}
# This one writes its other tables into a page of its own.
SCALING = ["frames_speed.py", "--write"]

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


def printed_by(script: str, arguments: list[str]) -> str:
    command = [sys.executable, str(HERE / script), *arguments]
    print(" ".join(command), flush=True)
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    print(output, flush=True)
    return output


def as_markdown(output: str) -> str:
    """Tables as they are, and each other line as a point of a list."""
    lines = list(filter(None, output.splitlines()))
    blocks: list[str] = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        is_row, is_head = line.startswith("|"), following.startswith("|--")
        text = line if is_row else f"- {line}"
        goes_on = blocks and blocks[-1].startswith("|") == is_row and not is_head
        blocks[-1:] = [f"{blocks[-1]}\n{text}"] if goes_on else [*blocks[-1:], text]
    return "\n\n".join(blocks)


def slower(page: str) -> str:
    """The rows of tables in which the other took less than we, and less of what."""
    found, of = [], ""
    for line in page.splitlines():
        if line.startswith("<!-- measured"):
            of = ""
        elif quantity := re.match("- (Elapsed time|Processor time|Peak memory)", line):
            of = f"{quantity[1]}, "
        elif row := re.match(r"\| (.+?) *\| +[\d.]+ \| +[\d.]+ \| +([\d.]+) \| *≤", line):
            found += [f"- {of}{row[1]}: {row[2]}"] if float(row[2]) > 1 else []
    return "\n".join(found) or "In none of these comparisons."


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


def main() -> None:
    asked = sys.argv[1:] or [*RUNS, "scaling"]
    for section in asked:
        if section == "scaling":
            printed_by(SCALING[0], SCALING[1:])
            continue
        about = machine()
        output = "\n".join(printed_by(f"{section}.py", words) for words in RUNS[section])
        # Written after each, since the last ones take long.
        page = PAGE.read_text(encoding="utf-8")
        page = with_parts(page, "measured", {section: as_markdown(output), "machine": about})
        page = with_parts(page, "measured", {"slower": slower(page)})
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
