"""The table at the top of docs/reference/errors.md leads to the messages that it names."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGE = (DOCS / "reference" / "errors.md").read_text(encoding="utf-8")
ROWS = re.findall(
    r"^\| (`.*`) \| (.*) \|$", PAGE.split("## Find your message")[1].split("\n## ")[0], re.M
)


def anchor(title):
    """Return a heading's anchor, as the site writes it."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower())


def sections():
    """Return the blocks of each section, and of all its subsections, by anchor."""
    found, open_sections = {}, {}
    for part in re.split(r"^(?=##)", PAGE, flags=re.M)[1:]:
        heading, _, text = part.partition("\n")
        level = len(heading) - len(heading.lstrip("#"))
        open_sections = {k: v for k, v in open_sections.items() if k < level}
        open_sections[level] = anchor(heading)
        for name in open_sections.values():
            found[name] = found.get(name, "") + "".join(
                re.findall(r"^```.*?^```", text, re.M | re.S)
            )
    return found


@pytest.mark.parametrize(("words", "links"), ROWS, ids=[words for words, _ in ROWS])
def test_each_word_of_the_table_is_in_a_section_that_it_links_to(words, links):
    blocks = sections()
    linked = [blocks[name] for name in re.findall(r"\(#([^)]+)\)", links)]
    for word in re.findall(r"`([^`]+)`", words):
        assert any(word in text for text in linked), word
    for text in linked:
        assert any(word in text for word in re.findall(r"`([^`]+)`", words))


def test_the_table_has_rows():
    assert len(ROWS) > 15
