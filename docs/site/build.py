"""Build the site: python docs/site/build.py [prepare|build|serve|deploy] [--with zensical].

The generator does not read `docs/` itself. This script first writes a project for it into `build/`:
the pages with their pictures, the notebooks as Markdown, the changelog, and the site's own files.
MkDocs and Zensical both build that project into `build/site`. `mike` builds it too.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
SITE = DOCS / "site"
BUILD = ROOT / "build"

# Searching for one of these words finds the page first.
KEYWORDS = {
    "cite.md": ["cite"],
    "which-measure.md": ["bpref"],
    "reference/measures/wss.md": ["WSS"],
    "explained/choosing-nmax.md": ["Nmax"],
    "how-to/compare-systems.md": ["LaTeX"],
}

# The rest of docs/ is not copied, unless a page links to it.
_NOT_COPIED = re.compile(r"(^|/)([._]|__pycache__)|^(site|examples)/|\.(py|ipynb)$")
# Files that the generator reads, but does not publish.
_FOR_THE_GENERATOR = re.compile(r"^(mkdocs\.yml|sphinx_roles\.py|overrides/.*)$")
_FOR_THE_BROWSER = re.compile(r"\.(css|js|svg|woff2)$|^katex/LICENSE$")

_FENCE = re.compile(r"^([ \t]*)(`{3,}|~{3,})[^\n]*\n.*?^\1\2[ \t]*$", re.MULTILINE | re.DOTALL)
_TARGET = re.compile(
    r"""(?P<before>\]\(|^\[[^\]\n]+\]:[ ]|\b(?:href|src)=")(?P<target>[^)"\s]+)""", re.MULTILINE
)
_FRONT_MATTER = re.compile(r"\A---\n(.*?\n)---\n", re.DOTALL)

# A search engine's summary of a page.
_SHORTEST, _LONGEST = 50, 155


class Pages:
    """The files of the site before the generator runs, by their paths in `build/pages`."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def add_all(self) -> None:
        """Add everything the site shows."""
        for path in sorted(DOCS.rglob("*")):
            name = path.relative_to(DOCS).as_posix()
            if path.is_dir() or _NOT_COPIED.search(name):
                continue
            if path.suffix == ".md":
                self.add_page(name, path.read_text(encoding="utf-8"))
            else:
                self.files[name] = path.read_bytes()
        for path in sorted((DOCS / "notebooks").glob("*.ipynb")):
            self.add_notebook(path)
        for path in sorted(SITE.rglob("*")):
            name = path.relative_to(SITE).as_posix()
            if (
                path.is_file()
                and _FOR_THE_BROWSER.search(name)
                and not name.startswith("overrides")
            ):
                self.files[f"site/{name}"] = path.read_bytes()
        self.files["site/katex/katex.min.css"] = _katex_css()

    def add_page(self, name: str, text: str) -> None:
        """Add a page of Markdown, with its links adapted to the site."""
        settings, text = _front_matter(text)
        if name in KEYWORDS:
            settings += f"tags: {json.dumps(KEYWORDS[name])}\n"
        text = self._linked(text, DOCS / name, name)
        source = f"docs/{name}"
        if name == "changelog.md":
            source = "CHANGELOG.md"
            changes = (ROOT / source).read_text(encoding="utf-8")
            changes = re.sub(r"\A# .*\n+", "", changes)
            # What the page says instead of the changelog is for users of the repository.
            heading = re.search(r"^# .*$", text, re.MULTILINE)
            title = heading[0] if heading else "# Changelog"
            text = f"{title}\n\n{self._linked(changes, ROOT / source, name)}"
        self._store(name, source, settings, text)

    def add_notebook(self, path: Path) -> None:
        """Add a notebook as a page, and as a file to download."""
        file = path.relative_to(DOCS).as_posix()
        name = PurePosixPath(file).with_suffix(".md").as_posix()
        text, pictures, description = notebook_page(path)
        text = self._linked(text, path, name)
        heading, _, rest = text.partition("\n")
        download = f"[Download this notebook]({path.name}){{ download }}"
        settings = f"description: {json.dumps(description, ensure_ascii=False)}\n"
        self._store(name, f"docs/{file}", settings, f"{heading}\n\n{download}\n{rest}")
        self.files[file] = path.read_bytes()
        for picture, data in pictures.items():
            self.files[f"notebooks/{picture}"] = data

    def _store(self, name: str, source: str, settings: str, text: str) -> None:
        settings += f"edited_at: {source}\n"
        self.files[name] = f"---\n{settings}---\n\n{text.lstrip()}".encode()

    def _linked(self, text: str, source: Path, name: str) -> str:
        """The text with links that work on the page `name`, which is made from `source`."""

        def replaced(match: re.Match[str]) -> str:
            return match["before"] + self._target(match["target"], source, name)

        parts, end = [], 0
        for fence in _FENCE.finditer(text):
            parts += [_TARGET.sub(replaced, text[end : fence.start()]), fence[0]]
            end = fence.end()
        return "".join([*parts, _TARGET.sub(replaced, text[end:])])

    def _target(self, target: str, source: Path, name: str) -> str:
        address, hash_, anchor = target.partition("#")
        if not address or re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:|/", address):
            return target
        file = Path(os.path.normpath(source.parent / address))
        if not file.is_file() or not file.is_relative_to(ROOT):
            return target
        page = self._published(file)
        relative = os.path.relpath(page, PurePosixPath(name).parent).replace(os.sep, "/")
        return relative + hash_ + anchor

    def _published(self, file: Path) -> str:
        """Where the site shows a file of the repository; files outside `docs/` are copied."""
        if file == ROOT / "CHANGELOG.md":
            return "changelog.md"
        if file == ROOT / "README.md":
            return "index.md"
        if not file.is_relative_to(DOCS):
            name = f"files/{file.relative_to(ROOT).as_posix()}"
        elif file.suffix == ".ipynb" and file.parent == DOCS / "notebooks":
            return file.relative_to(DOCS).with_suffix(".md").as_posix()
        else:
            name = file.relative_to(DOCS).as_posix()
            if not _NOT_COPIED.search(name):
                return name
        self.files[name] = file.read_bytes()
        return name


def _front_matter(text: str) -> tuple[str, str]:
    match = _FRONT_MATTER.match(text)
    return (match[1], text[match.end() :]) if match else ("", text)


def _katex_css() -> bytes:
    """KaTeX's styles with the usual fonts inside, because Firefox loads no fonts from disk."""
    css = (SITE / "katex" / "katex.min.css").read_text(encoding="utf-8")
    css = re.sub(r",url\([^)]*\.(?:woff|ttf)\) format\(\"[a-z]+\"\)", "", css)

    def inside(match: re.Match[str]) -> str:
        data = base64.b64encode((SITE / "katex" / match[1]).read_bytes()).decode()
        return f"url(data:font/woff2;base64,{data})"

    usual = r"url\((fonts/KaTeX_(?:AMS|Main|Math|Size\d)-[A-Za-z]+\.woff2)\)"
    return re.sub(usual, inside, css).encode()


def notebook_page(path: Path) -> tuple[str, dict[str, bytes], str]:
    """Convert a notebook, with its outputs, to Markdown.

    Returns
    -------
    page : str
        The page.
    pictures : dict of str to bytes
        The pictures beside the page, by their paths relative to it.
    description : str
        The metadata `description` of the first cell, or the first sentences of the notebook.

    Raises
    ------
    ValueError
        If an output is of a kind that the site does not show.
    """
    notebook = json.loads(path.read_text(encoding="utf-8"))
    parts: list[str] = []
    pictures: dict[str, bytes] = {}
    heading = path.stem
    for number, cell in enumerate(notebook["cells"], start=1):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            headings = re.findall(r"^#+ (.*)", _FENCE.sub("", source), flags=re.MULTILINE)
            heading = headings[-1] if headings else heading
        elif cell["cell_type"] == "code":
            parts.append(f"```python\n{source}\n```")
            for count, output in enumerate(cell["outputs"], start=1):
                kind, data = _shown(output)
                if kind == "image/png":
                    name = f"{path.stem}/{number}-{count}.png"
                    pictures[name] = base64.b64decode(data)
                    alt = cell["metadata"].get("alt", f"The picture drawn by this code: {heading}")
                    parts.append(f"![{alt}]({name})")
                elif kind in ("image/svg+xml", "text/html"):
                    parts.append(_html(f'<div class="output">{data}</div>'))
                elif kind == "text/markdown":
                    parts.append(data)
                elif kind == "text/plain":
                    text = data.rstrip("\n")
                    parts.append(f"```{{ .text .output }}\n{text}\n```")
                else:
                    raise ValueError(f"{path.name}, cell {number}: cannot show {kind}")
    return "\n\n".join(parts) + "\n", pictures, _description(notebook["cells"][0])


def _shown(output: dict[str, Any]) -> tuple[str, str]:
    """The kind and the data that a page shows of an output."""
    if output["output_type"] == "stream":
        return "text/plain", "".join(output["text"])
    data = output.get("data", {})
    kinds = ("text/html", "image/svg+xml", "image/png", "text/markdown", "text/plain")
    for kind in kinds:
        if kind in data:
            return kind, "".join(data[kind])
    return str(output["output_type"]), ""


def _html(text: str) -> str:
    """HTML that Markdown leaves alone. Tables of dataframes take the style of the site."""
    if 'class="pres-plugin' not in text:  # the reports of studies bring their own style
        text = re.sub(r"<style\b.*?</style>", "", text, flags=re.DOTALL)
        text = re.sub(r'<table border="1" class="dataframe">', "<table>", text)
        text = re.sub(r'<tr style="text-align: right;">', "<tr>", text)
    return re.sub(r"\n\s*\n", "\n", text)


def _description(cell: dict[str, Any]) -> str:
    """A summary of the page from the first cell of its notebook."""
    written = cell["metadata"].get("description")
    if written:
        return str(written)
    text = re.sub(r"\A# .*\n+", "", "".join(cell["source"]))
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", text.split("\n\n")[0])
    description = ""
    for sentence in re.split(r"(?<=[.?!:]) ", " ".join(text.split())):
        longer = f"{description} {sentence}".strip()
        if len(longer) > _LONGEST:
            break
        description = longer
    if len(description) < _SHORTEST:
        description = " ".join(text.split())[: _LONGEST - 2].rsplit(" ", 1)[0].rstrip(",;:") + " …"
    return description.rstrip(":")


def prepare() -> None:
    """Write the project into `build/`, touching only files that change."""
    pages = Pages()
    pages.add_all()
    files = {f"pages/{name}": data for name, data in pages.files.items()}
    for path in sorted(SITE.rglob("*")):
        name = path.relative_to(SITE).as_posix()
        if path.is_file() and _FOR_THE_GENERATOR.search(name):
            files[name] = path.read_bytes()
    for name, data in files.items():
        target = BUILD / name
        if not target.is_file() or target.read_bytes() != data:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    for folder in (BUILD / "pages", BUILD / "overrides"):
        for path in sorted(folder.rglob("*"), reverse=True):
            if path.is_dir():
                if not any(path.iterdir()):
                    path.rmdir()
            elif path.relative_to(BUILD).as_posix() not in files:
                path.unlink()


def _newest(folders: list[Path]) -> float:
    def times() -> Iterator[float]:
        for folder in folders:
            for path in folder.rglob("*") if folder.is_dir() else [folder]:
                yield path.stat().st_mtime

    return max(times())


def _whenever_a_page_changes(act: Callable[[], None]) -> None:
    watched = [DOCS, ROOT / "CHANGELOG.md"]
    seen = _newest(watched)
    while True:
        time.sleep(1)
        try:
            now = _newest(watched)
            if now != seen:
                seen = now
                act()
        except (OSError, ValueError) as error:  # half-saved
            print(error, file=sys.stderr)


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = ["prepare", "build", "serve", "deploy"]
    parser.add_argument("command", nargs="?", choices=commands, default="build")
    parser.add_argument(
        "--with",
        dest="generator",
        choices=["mkdocs", "zensical"],
        default="mkdocs",
        help="which generator builds the site (default: mkdocs)",
    )
    parser.add_argument("options", nargs="*", help="arguments for the generator or mike, after --")
    arguments = parser.parse_args()
    prepare()
    if arguments.command == "prepare":
        return 0
    if arguments.command == "serve":
        threading.Thread(target=_whenever_a_page_changes, args=(prepare,), daemon=True).start()
    configuration = ["--config-file", str(BUILD / "mkdocs.yml")]
    # Material for MkDocs and a plugin warn of MkDocs 2, which the extra `docs` excludes.
    silent = {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
    environment = {**os.environ, **silent}
    if arguments.command == "deploy":
        environment["PRES_PLUGIN_VERSIONS"] = "mike"
        # mike runs mkdocs.
        environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        command = [sys.executable, "-c", "import mike.driver; mike.driver.main()", "deploy"]
    else:
        command = [sys.executable, "-m", arguments.generator, arguments.command]
    command += configuration
    if arguments.command == "build":
        command.append("--strict")
    return subprocess.run([*command, *arguments.options], cwd=ROOT, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
