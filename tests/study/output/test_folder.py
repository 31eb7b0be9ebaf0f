"""A report is complete or not there, and only an older report is ever replaced."""

import json
import os
import stat

import pytest
from beginnings import raises

from pres_plugin import InputError
from pres_plugin.study.output.folder import filled

OLD = {"a.tsv": "old", "gone.tsv": "old"}
NEW = {"a.tsv": "new", "b.tsv": "new", "c.png": "new"}


def first_line(files, version="pres-plugin"):
    """Return how ``results.json`` of a report begins."""
    return json.dumps({"files": files, "versions": {version: "1"}}).removesuffix("}") + ",\n"


def write(folder, files, force=False):
    with filled(folder, force=force) as new:
        (new / "results.json").write_text(first_line([*files, "results.json"]))
        for name, text in files.items():
            (new / name).write_text(text)


def contents(folder):
    """Return the text of each file in a folder but ``results.json``, hidden or not."""
    return {p.name: p.read_text() for p in folder.iterdir() if p.name != "results.json"}


@pytest.mark.parametrize("case", ["missing with its parents", "empty", "link"])
def test_files_are_there_at_the_end_and_nothing_is_there_before(tmp_path, case):
    folder = tmp_path / "out"
    if case == "missing with its parents":
        folder = tmp_path / "a" / "b"
    elif case == "empty":
        folder.mkdir()
    else:
        folder.symlink_to("target")
    with filled(folder, force=False) as new:
        (new / "a.tsv").write_text("new")
        assert not folder.exists() or not (folder / "a.tsv").exists()
    assert contents(folder) == {"a.tsv": "new"}
    assert folder.is_symlink() == (case == "link")
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]


def test_a_failure_leaves_everything_as_it_was(tmp_path):
    with raises(TypeError, "data must be str, not NoneType"):
        write(tmp_path / "out", {"a.tsv": "new", "b.tsv": None})  # fails at the second file
    assert not list(tmp_path.iterdir())


def test_force_replaces_an_older_report_and_keeps_who_may_read_it(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir(mode=0o700)
    write(folder, OLD)
    with raises(
        InputError, f"{folder}: the folder contains a report already; replace it with force=True"
    ):
        write(folder, NEW)
    assert contents(folder) == OLD
    write(folder, NEW, force=True)
    assert contents(folder) == NEW
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert os.name == "nt" or stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with raises(InputError, rf"{tmp_path}/file/out: cannot be written \("):
        write(tmp_path / "file" / "out", NEW)


ANOTHER_TOOLS = {
    first_line(["results.json", "thesis.md"], version="x"): "other versions",
    first_line(["results.json"]): "another file",
    '{"files": [': "cut",
    '{"files": ["\xff': "not UTF-8",
}


@pytest.mark.parametrize("results", ANOTHER_TOOLS, ids=ANOTHER_TOOLS.values())
def test_a_folder_with_anything_else_is_refused(tmp_path, results):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "results.json").write_bytes(results.encode("latin-1"))
    (tmp_path / "out" / "thesis.md").write_text("precious")
    with raises(InputError, f"{tmp_path}/out: the folder contains .*, which does not belong"):
        write(tmp_path / "out", NEW, force=True)
    assert contents(tmp_path / "out") == {"thesis.md": "precious"}
