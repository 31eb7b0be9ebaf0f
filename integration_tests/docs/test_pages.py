"""What the pages show is what their code and their commands print.

A block in ``python`` prints what the block in ``text`` or ``latex`` right behind
it shows: nothing, if there is none; of an error, the last line of its traceback.
Where the page shows ``…``, anything may stand in that line, as a version does.
A block in ``console`` is a transcript: commands behind ``$``, and what they
print. The blocks of a page run in order, in a process and a folder of their own,
which holds ``docs/examples`` and ``docs/vectors``. A page says in a comment,
``<!-- needs: ... -->``, which modules it needs besides those that it imports, or
that it needs ``data``, the folder of test data, which it then finds by that name.

Blocks in ``sh`` and ``powershell`` install something and are not run. Those in the
languages of SHOWN are only shown. Comments hide blocks from here as they do from
readers.
"""

import difflib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass, field
from importlib import metadata
from itertools import zip_longest
from pathlib import Path

import forks
import pytest
from interpreter import STRICT, python_path

PROJECT = Path(__file__).parent.parent.parent
DOCS = PROJECT / "docs"
PAGES = [PROJECT / "README.md", *sorted(DOCS.rglob("*.md"))]

SHOWN = {"bibtex", "html", "json", "latex", "text", "toml", "xml", "yaml"}

# Where the blocks of a page do not build on each other: what each part begins with.
PARTS = {
    "README.md": r"## (.*)",
    "docs/how-to/large-data.md": r"## (Spark)",
    "docs/how-to/other-tools.md": r"## (.*)",
    "docs/how-to/tune-for-pres.md": r"## (.*)",
    "docs/start.md": r'(?:=== "|## )(.*?)"?',
}

# What scores large files.
SLOW_PAGES = {"docs/how-to/large-data.md"}

# What takes long to import, warns and writes to stderr, whoever uses it.
HEAVY = {
    *("beir", "dspy", "haystack", "llama_index", "mlflow", "mteb", "pyspark", "ragas"),
    *("sentence_transformers", "tarexp"),
}


@dataclass
class Block:
    """A fenced block of a page."""

    language: str
    line: int
    text: str = ""
    #: Whether it stands right behind another, with nothing but blank lines between.
    follows: bool = False


@dataclass
class Part:
    """Blocks that run in one process, one after the other."""

    page: str
    name: str = ""
    blocks: list[Block] = field(default_factory=list)
    needs: set[str] = field(default_factory=set)

    def __str__(self):
        return f"{self.page} {self.name}".strip()

    def runs(self):
        """Each block that runs, with the block or part of it that shows what it prints."""
        for block, after in zip_longest(self.blocks, self.blocks[1:]):
            if block.language == "console":
                yield block, block
            elif block.language == "python":
                shown = after and after.follows and after.language in {"text", "latex"}
                yield block, after if shown else Block("text", block.line)

    def modules(self):
        """The modules that the blocks import, or that the page says it needs."""
        code = "\n".join(block.text for block in self.blocks if block.language == "python")
        imported = re.findall(r"^\s*(?:from|import) (\w+)", code, flags=re.MULTILINE)
        return {*imported, *self.needs} - {"data"}

    def missing(self):
        """The modules that are not installed."""
        return sorted(name for name in self.modules() if importlib.util.find_spec(name) is None)

    def is_heavy(self):
        """Whether the blocks use something that is slow and writes messages of its own."""
        return not HEAVY.isdisjoint(self.modules())

    def marks(self):
        """Return the marks of the test: what takes long runs before a release."""
        takes_long = self.is_heavy() or "data" in self.needs or self.page in SLOW_PAGES
        return [pytest.mark.release] * takes_long


def read_parts(path):
    """The parts of a page, with the blocks of each."""
    page = path.relative_to(PROJECT).as_posix()
    parts = [Part(page)]
    block = fence = None
    hidden = between = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if block is not None:
            if line.strip() == fence.strip():
                block, between = None, True
            else:
                block.text += line.removeprefix(fence[: fence.index("`")]).rstrip("\n") + "\n"
        elif hidden:
            hidden = "-->" not in line
        elif match := re.match(r"( *`{3,}) *(\w*)", line):
            fence, language = match.groups()
            block = Block(language, number + 1, follows=between)
            parts[-1].blocks.append(block)
        elif match := re.fullmatch(r"\s*<!-- needs: (.*) -->", line):
            parts[-1].needs.update(re.split(r",\s*", match[1]))
        elif page in PARTS and (match := re.fullmatch(PARTS[page], line)):
            parts.append(Part(page, match[1]))
        else:
            hidden = "<!--" in line and "-->" not in line
            between = between and not line.strip()
    assert block is None, f"{page}: the block at line {block.line} has no end"
    return parts


ALL_PARTS = [part for path in PAGES for part in read_parts(path)]
# The commands of the README are run by .ci/run and looked at in integration_tests/test_readme.py.
for readme in ALL_PARTS:
    if readme.page == "README.md":
        readme.blocks = [block for block in readme.blocks if block.language != "console"]


SETTINGS = {
    # Interpreted, ranx's metrics compute the same, and need not be compiled.
    "NUMBA_DISABLE_JIT": "1",
    "MPLBACKEND": "agg",
    "PATH": f"{sysconfig.get_path('scripts')}:{os.environ['PATH']}",
}

#: Modules that many pages import, directly or through the package.
SLOW_IMPORTS = (
    *("ir_datasets", "matplotlib.pyplot", "numba.typed", "pandas", "scipy.stats", "seaborn"),
)

PARTS_THAT_RUN = [pytest.param(part, marks=part.marks()) for part in ALL_PARTS if any(part.runs())]


@pytest.mark.parametrize("part", PARTS_THAT_RUN, ids=str)
def test_a_page_shows_what_its_blocks_print(part, tmp_path, request):
    if "data" in part.needs:
        (tmp_path / "data").symlink_to(request.getfixturevalue("data").resolve())
    if missing := part.missing():
        pytest.skip(f"not installed: {', '.join(missing)}")
    if "pyspark" in part.needs and not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        pytest.skip("Spark needs Java, which is not installed")
    for folder in ("examples", "vectors"):
        shutil.copytree(DOCS / folder, tmp_path / "docs" / folder)
    blocks, shown = zip(*part.runs(), strict=True)
    texts = [(block.language, block.text) for block in blocks]
    if part.is_heavy():
        # The other tools warn of their own accord.
        options = STRICT if "pyspark" in part.needs else []
        stdout, stderr = run_in_a_process(texts, tmp_path, options)
    else:
        stdout, stderr = run_in_a_fork(texts, tmp_path)
    printed = stdout.split("\x1e")
    differences = [
        difference(part.page, expected, actual)
        for expected, actual in zip(shown, printed, strict=False)
        if not is_shown(actual, expected.text)
    ]
    if differences:
        pytest.fail("\n\n".join(differences), pytrace=False)
    assert (len(printed) - 1, stderr * (not part.is_heavy())) == (len(blocks), "")


def run_in_a_process(blocks, folder, options):
    result = subprocess.run(
        [sys.executable, *options, Path(__file__).with_name("run_blocks.py")],
        input=json.dumps(blocks),
        cwd=folder,
        env={**os.environ, **SETTINGS},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout, result.stderr


def run_in_a_fork(blocks, folder):
    """Run blocks in a fork of an interpreter that has imported what many pages need."""
    code = f"""
        import os, run_blocks
        os.chdir({str(folder)!r})
        run_blocks.run({blocks!r})
    """
    settings = {**SETTINGS, "PYTHONPATH": python_path(Path(__file__).parent)}
    return forks.python(code, *STRICT, modules=SLOW_IMPORTS, **settings)


def is_shown(printed, shown):
    """Whether something printed is what a page shows, line for line."""
    pattern = ".*".join(re.escape(part) for part in shown.split("…"))
    return re.fullmatch(pattern, printed) is not None


def difference(page, shown, printed):
    """Which lines of a page are not what was printed."""
    lines = difflib.unified_diff(
        shown.text.splitlines(),
        printed.splitlines(),
        f"{page}, line {shown.line}: shown",
        "printed",
        lineterm="",
    )
    return "\n".join(lines)


ALL_BLOCKS = [block for part in ALL_PARTS for block in part.blocks]


def test_each_block_is_run_or_known_to_be_only_shown():
    languages = {block.language for block in ALL_BLOCKS}
    assert languages <= {"python", "console", "sh", "powershell", *SHOWN}


def test_the_extras_that_pages_install_exist():
    commands = [
        line for block in ALL_BLOCKS for line in block.text.splitlines() if "install" in line
    ]
    named = re.findall(r"(?:pres-plugin|\.whl\)|(?<=[\s'\"])\.)\[([\w,-]+)\]", "\n".join(commands))
    assert len(named) > 5
    extras = set(metadata.metadata("pres-plugin").get_all("Provides-Extra"))
    assert {extra for names in named for extra in names.split(",")} <= extras
