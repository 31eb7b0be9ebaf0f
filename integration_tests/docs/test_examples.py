"""The made-up example is what its script makes."""

import gzip
import importlib.util
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def test_the_script_makes_the_files_that_are_there():
    spec = importlib.util.spec_from_file_location("patents", EXAMPLES / "patents.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    folder = EXAMPLES / "patents"
    found = {}
    for path in folder.iterdir():
        data = path.read_bytes()
        found[path.name] = gzip.decompress(data) if path.suffix == ".gz" else data
    assert found == {name: "".join(lines).encode() for name, lines in script.files().items()}
