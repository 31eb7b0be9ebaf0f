"""docs/glossary.md: terms in order, each with an anchor of its own and at most a few sentences."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "glossary.md").read_text(encoding="utf-8")
TERMS = re.findall(
    r"^(\S.*?) \{ #([\w-]+) \}\n:   (.*?)\n(?:\n|\Z)", PAGE, re.MULTILINE | re.DOTALL
)


def test_terms_are_in_order_and_have_anchors():
    names = [name.lower() for name, _, _ in TERMS]
    anchors = [anchor for _, anchor, _ in TERMS]
    assert len(TERMS) == PAGE.count("\n:   ")
    assert names == sorted(names)
    assert len(set(anchors)) == len(anchors)
    assert set(re.findall(r"\(#([\w-]+)\)", PAGE)) <= set(anchors)


def test_explanations_are_short():
    for name, _, text in TERMS:
        prose = re.split(r"See \[", text)[0]
        assert len(re.findall(r"[.](?:\s|$)", prose)) <= 3, name
