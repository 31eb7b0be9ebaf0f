"""Files in an empty folder, and both ways to read a run."""

import gzip
from pathlib import Path

import pytest

from pres_plugin.files import read_run, score


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Change to an empty folder, and return a function that writes a file and returns its name."""
    monkeypatch.chdir(tmp_path)

    def write_file(content, name="file"):
        content = content if isinstance(content, bytes) else content.encode()
        Path(name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return name

    return write_file


@pytest.fixture(params=["read_run", "score"])
def read(request, write):
    """Return each public function that reads runs, for files whose topic is ``q1``."""
    if request.param == "read_run":
        return read_run
    write("q1 0 a 1\n", "qrels")
    return lambda path, format=None: score("qrels", path, "R@1", run_format=format)
