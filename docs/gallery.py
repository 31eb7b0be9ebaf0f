"""Write gallery.md: a thumbnail of each picture in docs, with its caption, page and command.

Run it as ``python docs/gallery.py``. It finds the pictures in all folders of docs, and the pages
that show them. The caption of a picture is its alternative text. FOLDERS names the script that
draws the pictures of a folder. If a new folder contains pictures, add it there.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path, PurePosixPath

from marked_parts import with_parts

DOCS = Path(__file__).parent
PAGE = DOCS / "gallery.md"

#: The files that count as pictures.
KINDS = {".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp"}

#: Folders whose pictures belong to the site, to the README or to examples.
SKIPPED = {"badges", "examples", "site", "vectors"}

#: The pictures of each folder and its subfolders: their heading, and the command that draws them,
#: run in the project's folder. None: they are drawn by hand.
FOLDERS: dict[str, tuple[str, str | None]] = {
    "explained": ("PRES explained", "python docs/explained_pictures.py"),
    "which-measure": ("Which measure to report", "python docs/random_ranking.py FOLDER"),
    "reference/measures": ("Measures", "python docs/measure_pictures.py"),
    "systematic-reviews": ("Systematic reviews", "python docs/systematic_reviews.py FOLDER"),
    "design": ("Design", None),
}

#: The command that draws a picture of the same kind from a user's files, by a pattern of the
#: picture's path without suffix.
COMMANDS = {
    r"explained/(one-score|four-systems)|.*/explain": "explain QRELS RUN --query TOPIC --out DIR",
    r".*/(agreement|places|scores)-\d+": "compare QRELS RUN... --out DIR",
    r".*/robustness-\d+": "robustness QRELS RUN... --out DIR",
    r".*/sweep": "sweep QRELS RUN... --out DIR",
}


class GalleryError(Exception):
    """A picture without a page, a caption or a script."""


@dataclass(frozen=True)
class Page:
    """A page of the documentation."""

    path: str
    text: str

    @property
    def title(self) -> str:
        """The first heading, or else the path."""
        heading = re.search(r"^# (.+)$", self.text, flags=re.MULTILINE)
        return heading[1] if heading else self.path

    def images(self) -> Iterator[tuple[str, str]]:
        """Yield the path of each image, relative to docs, and its alternative text."""
        images = re.findall(r"!\[([^\]]*)\]\(([^)\s]+)[^)]*\)", self.text)
        for tag in re.findall(r"<img\s[^>]*>", self.text):
            attributes = dict(re.findall(r'(\w+)="([^"]*)"', tag))
            images.append((attributes.get("alt", ""), attributes.get("src", "")))
        for text, target in images:
            path = (DOCS / self.path).parent.joinpath(target).resolve()
            if path.is_relative_to(DOCS.resolve()):
                yield path.relative_to(DOCS.resolve()).as_posix(), " ".join(text.split())


@dataclass(frozen=True)
class Picture:
    """A picture in docs: its path there, the page that explains it, and its caption."""

    path: str
    page: Page
    caption: str

    @property
    def folder(self) -> str:
        """The closest folder of the picture that FOLDERS contains.

        Raises
        ------
        GalleryError
            If it contains none.
        """
        for folder in PurePosixPath(self.path).parents:
            if folder.as_posix() in FOLDERS:
                return folder.as_posix()
        raise GalleryError(f"docs/{self.path}: add its folder to FOLDERS in docs/gallery.py")

    @property
    def command(self) -> str | None:
        """The `pres-eval` command that draws such a picture from a user's files, if any."""
        stem = PurePosixPath(self.path).with_suffix("").as_posix()
        found = (command for like, command in COMMANDS.items() if re.fullmatch(like, stem))
        return next((f"pres-eval {command}" for command in found), None)

    def card(self) -> str:
        """Return a list item: the picture, shown small and linked to its full size, and a text."""
        caption = re.sub(r"([\[\]*_|])", r"\\\1", escape(self.caption, quote=False)).rstrip(".")
        name = PurePosixPath(self.path).name
        _, script = FOLDERS[self.folder]
        lines = [
            f'[![{name} in full size]({self.path}){{ width="220" }}]({self.path})',
            f"{caption}.",
            f"Page: [{self.page.title}]({self.page.path})",
            f"Drawn by `{script}`" if script else "Drawn by hand",
        ]
        if self.command:
            lines.append(f"From your files: `{self.command}`")
        return "-   " + "\n\n    ".join(lines)


def files() -> list[str]:
    """Return the paths of all pictures, relative to docs."""
    paths = (path.relative_to(DOCS) for path in DOCS.rglob("*") if path.suffix.lower() in KINDS)
    return sorted(path.as_posix() for path in paths if path.parts[0] not in SKIPPED)


def pages() -> list[Page]:
    """Return all pages but the gallery, in the order of the site's navigation."""
    navigation = (DOCS / "site" / "mkdocs.yml").read_text(encoding="utf-8")
    order = {path: i for i, path in enumerate(re.findall(r"[\w/-]+\.md$", navigation, re.M))}
    paths = (path for path in DOCS.rglob("*.md") if path != PAGE)
    found = [Page(p.relative_to(DOCS).as_posix(), p.read_text(encoding="utf-8")) for p in paths]
    return sorted(found, key=lambda page: (order.get(page.path, len(order)), page.path))


def pictures() -> list[Picture]:
    """Return all pictures, in the order in which a user of the site meets them.

    Of several pages that show a picture, the page of the picture's own folder explains it.

    Raises
    ------
    GalleryError
        If no page shows or describes a picture.
    """
    shown: dict[str, tuple[Page, str]] = {}
    for page in pages():
        for path, caption in page.images():
            own = PurePosixPath(path).parts[0]
            if path not in shown or (
                page.path.startswith(own) and not shown[path][0].path.startswith(own)
            ):
                shown.pop(path, None)
                shown[path] = page, caption
    for path in files():
        if path not in shown:
            raise GalleryError(f"docs/{path}: no page shows this picture")
        page, caption = shown[path]
        if not caption:
            raise GalleryError(f"docs/{path}: add an alternative text in docs/{page.path}")
    existing = set(files())
    return [Picture(path, *found) for path, found in shown.items() if path in existing]


def cards() -> str:
    """Return the cards of all pictures, with a heading for each folder."""
    by_folder: dict[str, list[str]] = {folder: [] for folder in FOLDERS}
    for picture in pictures():
        by_folder[picture.folder].append(picture.card())
    parts = []
    for folder, found in by_folder.items():
        if found:
            heading, _ = FOLDERS[folder]
            parts += [f"## {heading}", '<div class="grid cards" markdown>', *found, "</div>"]
    return "\n\n".join(parts)


def main() -> str | None:
    """Write the cards into the page, or return what is wrong with a picture."""
    text = PAGE.read_text(encoding="utf-8")
    try:
        PAGE.write_text(with_parts(text, "pictures", {"all": cards()}), encoding="utf-8")
    except GalleryError as error:
        return str(error)
    return None


if __name__ == "__main__":
    sys.exit(main())
