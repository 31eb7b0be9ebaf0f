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

import importlib.util
import os
import re
import shutil
import sysconfig
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

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
    "docs/how-to/screening.md": r"## (.*)",
    "docs/how-to/tune-for-pres.md": r"## (.*)",
    "docs/start.md": r'(?:=== "|## )(.*?)"?',
}
FENCE = (
    r"(?P<indent> *)(?P<fence>`{3,}) *(?P<language>\w*).*\n"
    r"(?P<text>(?:.*\n)*?)(?P=indent)(?P=fence)"
)

# What scores large files.
SLOW_PAGES = {"docs/how-to/large-data.md"}

# What takes long to import, warns and writes to stderr, whoever uses it.
HEAVY = {
    *("beir", "dspy", "haystack", "llama_index", "mlflow", "mteb", "pyspark", "ragas"),
    *("sentence_transformers", "tarexp"),
}

SETTINGS = {
    **forks.WITHOUT_COMPILER,
    "PATH": f"{sysconfig.get_path('scripts')}:{os.environ['PATH']}",
    "PYTHONPATH": python_path(Path(__file__).parent),
}


class Block(NamedTuple):
    """A fenced block of a page, and whether only blank lines are between it and the one before."""

    language: str
    text: str
    follows: bool


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
        """Each block that runs, with what the page shows that it prints."""
        for block, after in zip_longest(self.blocks, self.blocks[1:]):
            if block.language == "console":
                yield block, block.text
            elif block.language == "python":
                shown = after and after.follows and after.language in {"text", "latex"}
                yield block, after.text if shown else ""

    def modules(self):
        """The modules that the blocks import, or that the page says it needs."""
        code = "\n".join(block.text for block in self.blocks if block.language == "python")
        imported = re.findall(r"^\s*(?:from|import) (\w+)", code, flags=re.MULTILINE)
        return {*imported, *self.needs} - {"data"}

    def is_heavy(self):
        """Whether the blocks use something that is slow and writes messages of its own."""
        return not HEAVY.isdisjoint(self.modules())

    def marks(self):
        """Return the mark of the test: what takes longest runs before a release."""
        takes_long = self.is_heavy() or "data" in self.needs or self.page in SLOW_PAGES
        return pytest.mark.release if takes_long else pytest.mark.ci


def read_parts(path):
    """The parts of a page, with the blocks of each."""
    page = path.relative_to(PROJECT).as_posix()
    text = re.sub("<!--(?! needs:).*?-->", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    parts, end = [Part(page)], 0
    found = rf"^(?:{FENCE}| *<!-- needs: (?P<needs>.*) -->|{PARTS.get(page, '(?!)()')})$"
    for match in re.finditer(found, text, flags=re.MULTILINE):
        if match["fence"]:
            shown = re.sub(f"^{match['indent']}", "", match["text"], flags=re.MULTILINE)
            follows = not text[end : match.start()].strip()
            parts[-1].blocks.append(Block(match["language"], shown, follows))
            end = match.end()
        elif match["needs"]:
            parts[-1].needs.update(re.split(r",\s*", match["needs"]))
        else:
            parts.append(Part(page, match[match.lastindex]))
    return parts


ALL_PARTS = [part for path in PAGES for part in read_parts(path)]
# The commands of the README are run by .ci/run and looked at in test_readme.py.
for readme in ALL_PARTS:
    if readme.page == "README.md":
        readme.blocks = [block for block in readme.blocks if block.language != "console"]

PARTS_THAT_RUN = [pytest.param(part, marks=part.marks()) for part in ALL_PARTS if any(part.runs())]


@pytest.mark.parametrize("part", PARTS_THAT_RUN, ids=str)
def test_a_page_shows_what_its_blocks_print(part, tmp_path, request):
    if "data" in part.needs:
        (tmp_path / "data").symlink_to(request.getfixturevalue("clef_tar").resolve().parent)
    if missing := [name for name in part.modules() if importlib.util.find_spec(name) is None]:
        pytest.skip(f"not installed: {', '.join(missing)}")
    if "pyspark" in part.needs and not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        pytest.skip("Spark needs Java, which is not installed")
    for folder in ("examples", "vectors"):
        shutil.copytree(DOCS / folder, tmp_path / "docs" / folder)
    blocks, shown = zip(*part.runs(), strict=True)
    code = f"""
        import os, run_blocks
        os.chdir({str(tmp_path)!r})
        run_blocks.run({[block[:2] for block in blocks]!r})
    """
    # The other tools warn of their own accord.
    options = ["-Wignore"] if part.is_heavy() else STRICT
    stdout, stderr = forks.python(code, *options, modules=forks.OF_RANX, **SETTINGS)
    *printed, rest = stdout.split("\x1e")
    for expected, actual in zip(shown, printed, strict=True):
        pattern = ".*".join(map(re.escape, expected.split("…")))
        assert re.fullmatch(pattern, actual), f"shown:\n{expected}\nprinted:\n{actual}"
    assert (rest, stderr * (not part.is_heavy())) == ("", "")


@pytest.mark.parametrize("part", ALL_PARTS, ids=str)
def test_code_imports_the_package_before_its_measures(part):
    """An earlier command of the page must not have done so."""
    code = "\n".join(block.text for block in part.blocks if block.language == "python")
    before, *after = re.split(r"^from ir_measures import .*\bPRES\b", code, flags=re.MULTILINE)
    assert not after or re.search(r"^(import|from) pres_plugin\b", before, flags=re.MULTILINE)


def test_each_block_is_run_or_known_to_be_only_shown():
    languages = {block.language for part in ALL_PARTS for block in part.blocks}
    assert languages <= {"python", "console", "sh", "powershell", *SHOWN}
