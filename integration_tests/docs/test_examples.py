"""The made-up example is what its script makes."""

import gzip
from pathlib import Path

import patents

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def test_the_script_makes_the_files_that_are_there():
    folder = EXAMPLES / "patents"
    found = {}
    for path in folder.iterdir():
        data = path.read_bytes()
        found[path.name] = gzip.decompress(data) if path.suffix == ".gz" else data
    assert found == {name: "".join(lines).encode() for name, lines in patents.files().items()}
