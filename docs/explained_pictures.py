"""Makes the pictures of explained.md, reproduction.md and the README again.

Run it as ``python docs/explained_pictures.py``. They go into the folder
``explained`` beside it. All are of the systems in ``examples``, of those that a
block of the page itself makes, or of the theory alone, and need no other data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pres_plugin.study import gallery
from pres_plugin.study.explain import explain
from pres_plugin.study.pictures import explain as explain_pictures
from pres_plugin.study.pictures import gallery as gallery_pictures
from pres_plugin.study.pictures import style
from pres_plugin.study.pictures import sweep as sweep_pictures
from pres_plugin.study.sweep import sweep
from pres_plugin.trec import read_qrels, read_run

DOCS = Path(__file__).parent
EXAMPLES = DOCS / "examples"
PICTURES = DOCS / "explained"

CUTOFFS = range(10, 501, 10)


def made_on_the_page(picture: str) -> dict[str, Any]:
    """What the page's block for a picture defines."""
    page = (DOCS / "explained.md").read_text(encoding="utf-8")
    marked = rf"<!-- picture: {picture} -->\n\n```python\n(.*?)```"
    names: dict[str, Any] = {}
    exec(re.findall(marked, page, flags=re.DOTALL)[0], names)
    return names


def pictures() -> Iterator[tuple[str, Any]]:
    """The pictures by name."""
    qrels = read_qrels(str(EXAMPLES / "qrels.txt"))
    runs = {f"system {i}": read_run(str(EXAMPLES / f"system-{i}.run")) for i in range(1, 5)}
    explained = explain(qrels, runs, "PAT-1", 100)
    yield "one-score", explain_pictures.areas(explained[1:2])
    yield "four-systems", explain_pictures.areas(explained)
    made = made_on_the_page("sweep")
    swept = sweep(made["qrels"], made["runs"], ["PRES", "AP", "R"], CUTOFFS)
    yield "sweep", sweep_pictures.curves(swept)
    yield (
        "more-relevant-than-checked",
        gallery_pictures.more_relevant_than_checked(gallery.more_relevant_than_checked()),
    )
    yield "rnorm-and-recall", gallery_pictures.rnorm_and_recall(gallery.rnorm_and_recall())
    yield "pres-and-recall", gallery_pictures.pres_and_recall(gallery.pres_and_recall())
    yield (
        "pres-and-reciprocal-rank",
        gallery_pictures.pres_and_reciprocal_rank(gallery.pres_and_reciprocal_rank()),
    )


def main() -> None:
    """Make the pictures."""
    PICTURES.mkdir(exist_ok=True)
    for name, figure in pictures():
        with (PICTURES / f"{name}.png").open("wb") as file:
            style.save(figure, file, "png")


if __name__ == "__main__":
    main()
