"""A report is complete or not there, and only an older report is ever replaced."""

import json
import os
import stat
from pathlib import Path

import pytest

from pres_plugin.study.inputs import StudyError
from pres_plugin.study.output.folder import filled

OLD = {"a.tsv": "old", "gone.tsv": "old"}
NEW = {"a.tsv": "new", "b.tsv": "new", "c.png": "new"}


def first_line(files, versions=("pres-plugin",)):
    """Return how ``results.json`` of a report begins."""
    head = {"files": files, "title": "", "command": "", "versions": dict.fromkeys(versions, "1")}
    return json.dumps(head).removesuffix("}") + ',\n"tables": {}}\n'


def write(folder, files, force=False):
    with filled(folder, force=force) as new:
        (new / "results.json").write_text(first_line([*files, "results.json", "report.html"]))
        for name, text in {**files, "report.html": "page"}.items():
            (new / name).write_text(text)


def contents(folder):
    """Return the text of each file in a folder, hidden or not, except those that all have."""
    all_have = {"results.json", "report.html"}
    return {p.name: p.read_text() for p in folder.iterdir() if p.name not in all_have}


def prepared(case, tmp_path):
    """Return a folder for results in one of the states in which a user may have it."""
    folder = tmp_path / "out"
    if case == "missing with its parents":
        return tmp_path / "a" / "b" / "c"
    if case == "empty":
        folder.mkdir()
    elif case == "link":
        (tmp_path / "target").mkdir()
        folder.symlink_to("target")
    elif case == "link to a missing folder":
        folder.symlink_to("target")
    return folder


@pytest.mark.parametrize(
    "case",
    ["missing with its parents", "empty", "link", "link to a missing folder"],
)
def test_files_are_there_at_the_end_and_nothing_is_there_before(tmp_path, case):
    folder = prepared(case, tmp_path)
    with filled(folder, force=False) as new:
        (new / "a.tsv").write_text("new")
        assert not folder.exists() or not (folder / "a.tsv").exists()
    assert (folder / "a.tsv").read_text() == "new"
    assert folder.is_symlink() == case.startswith("link")
    assert [p.name for p in folder.iterdir()] == ["a.tsv"]
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]


@pytest.mark.parametrize("case", ["missing", "link"])
def test_a_failure_leaves_everything_as_it_was(tmp_path, case):
    folder = prepared(case, tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(TypeError):
        write(folder, {"a.tsv": "new", "b.tsv": None})  # fails at the second file
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_a_private_folder_stays_private(tmp_path):
    (tmp_path / "out").mkdir(mode=0o700)
    write(tmp_path / "out", NEW)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o700


def test_force_replaces_an_older_report(tmp_path):
    write(tmp_path / "out", OLD)
    with pytest.raises(StudyError, match=r"contains a report already; replace it with force=True"):
        write(tmp_path / "out", NEW)
    assert contents(tmp_path / "out") == OLD
    write(tmp_path / "out", NEW, force=True)
    assert contents(tmp_path / "out") == NEW
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("failing", [0, 1])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_while_folders_are_renamed_keeps_the_older_report(
    tmp_path, monkeypatch, failing, error
):
    folder = tmp_path / "out"
    write(folder, OLD)
    rename, renamed = Path.rename, []

    def fails(source, target):
        renamed.append(source)
        if len(renamed) == failing + 1:
            raise error
        return rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", fails)
        with pytest.raises((StudyError, KeyboardInterrupt)) as caught:
            write(folder, NEW, force=True)
    if isinstance(error, OSError):
        assert str(caught.value) == f"{folder}: cannot be written (No space left on device)"
    assert contents(folder) == OLD
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


OURS = ["results.json", "report.html", "thesis.md"]
ANOTHER_TOOLS = {
    '{"files": ["results.json", "report.html", "thesis.md"],\n': "only a list",
    first_line(OURS, versions=("x",)): "other versions",
    '{"files": [': "cut",
    '{"files": ["\xff': "not UTF-8",
}


@pytest.mark.parametrize("results", ANOTHER_TOOLS, ids=ANOTHER_TOOLS.values())
def test_a_folder_of_another_tool_is_refused(tmp_path, results):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "results.json").write_bytes(results.encode("latin-1"))
    for name in ("report.html", "thesis.md"):
        (tmp_path / "out" / name).write_text("precious")
    with pytest.raises(StudyError, match=r"contains .*, which does not belong to a report of pres"):
        write(tmp_path / "out", NEW, force=True)
    assert contents(tmp_path / "out") == {"thesis.md": "precious"}


def test_an_older_report_beside_something_else_is_refused(tmp_path):
    folder = tmp_path / "out"
    write(folder, OLD)
    (folder / "a.tsv").unlink()
    (folder / "a.tsv").symlink_to("gone.tsv")
    with pytest.raises(StudyError, match=r"contains a\.tsv, which does not belong to a report"):
        write(folder, NEW, force=True)
    assert (folder / "gone.tsv").read_text() == "old"
