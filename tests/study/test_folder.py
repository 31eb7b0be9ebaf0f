"""A folder of results contains all files of a report, or none of them."""

import json
import os
import stat
from pathlib import Path

import pytest

from pres_plugin.study.folder import check_folder, filled
from pres_plugin.study.inputs import StudyError

OLD = {"a.tsv": "old", "gone.tsv": "old"}
NEW = {"a.tsv": "new", "b.tsv": "new", "c.png": "new"}


def write(folder, files, force=False):
    with filled(folder, force=force) as new:
        (new / "results.json").write_text(json.dumps({"files": [*files, "results.json"]}))
        for name, text in files.items():
            (new / name).write_text(text)


def contents(folder):
    """Return the text of each file in a folder, hidden or not, except the list of files."""
    return {p.name: p.read_text() for p in folder.iterdir() if p.name != "results.json"}


def prepared(case, tmp_path):
    """Return a folder for results in one of the states in which a user may have it."""
    folder = tmp_path / "out"
    if case == "missing with its parent":
        return tmp_path / "a" / "b"
    if case == "empty":
        folder.mkdir()
    elif case == "link":
        (tmp_path / "target").mkdir()
        folder.symlink_to("target")
    elif case == "only what a killed process left":
        (folder / ".pres-eval-1234" / "new").mkdir(parents=True)
    return folder


@pytest.mark.parametrize(
    "case",
    ["missing", "missing with its parent", "empty", "link", "only what a killed process left"],
)
def test_files_are_there_at_the_end_and_nothing_is_there_before(tmp_path, case):
    folder = prepared(case, tmp_path)
    with filled(folder, force=False) as new:
        (new / "a.tsv").write_text("new")
        assert not folder.exists() or not (folder / "a.tsv").exists()
    assert (folder / "a.tsv").read_text() == "new"
    assert folder.is_symlink() == (case == "link")
    assert {p.name for p in folder.iterdir()} <= {"a.tsv", ".pres-eval-1234"}
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]


@pytest.mark.parametrize("case", ["missing", "missing with its parent", "empty", "link"])
@pytest.mark.parametrize("failure", [KeyboardInterrupt, SystemExit(143), RuntimeError("drawing")])
def test_a_failure_leaves_everything_as_it_was(tmp_path, case, failure):
    folder = prepared(case, tmp_path)
    before = sorted(tmp_path.rglob("*"))

    def fails():
        with filled(folder, force=False) as new:
            (new / "a.tsv").write_text("new")
            raise failure

    with pytest.raises(failure if isinstance(failure, type) else type(failure)):
        fails()
    assert sorted(tmp_path.rglob("*")) == before


def test_a_new_folder_has_the_usual_permissions(tmp_path):
    (tmp_path / "usual").mkdir()
    write(tmp_path / "out", NEW)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == stat.S_IMODE(
        (tmp_path / "usual").stat().st_mode
    )


def test_force_leaves_no_mixture_of_two_reports_and_keeps_other_files(tmp_path):
    write(tmp_path / "out", OLD)
    (tmp_path / "out" / "notes.txt").write_text("mine")
    with pytest.raises(StudyError, match=r"contains files already; write into it with force=True"):
        write(tmp_path / "out", NEW)
    write(tmp_path / "out", NEW, force=True)
    assert contents(tmp_path / "out") == {**NEW, "notes.txt": "mine"}


@pytest.mark.parametrize("failing", range(7))
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("late", [False, True], ids=["before the move", "after the move"])
def test_a_failure_while_files_are_moved_restores_the_older_report(
    tmp_path, monkeypatch, failing, error, late
):
    folder = tmp_path / "out"
    write(folder, OLD)
    before = (folder / "results.json").read_text()
    rename, moved = Path.rename, []

    def fails(source, target):
        moved.append(source)
        if len(moved) == failing + 2:  # the first one renames the hidden folder
            if late:
                rename(source, target)
            raise error
        return rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", fails)
        with pytest.raises((StudyError, KeyboardInterrupt)) as caught:
            write(folder, NEW, force=True)
    if isinstance(error, OSError):
        assert str(caught.value) == f"{folder}: cannot be written (No space left on device)"
    assert contents(folder) == OLD
    assert (folder / "results.json").read_text() == before


def test_files_that_cannot_be_moved_back_are_kept(tmp_path, monkeypatch):
    folder = tmp_path / "out"
    write(folder, OLD)
    rename, calls = Path.rename, []

    def fails(source, target):
        calls.append(source)
        if len(calls) > 3:
            raise OSError(5, "Input/output error")
        return rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", fails)
        with pytest.raises(StudyError, match="Input/output error"):
            write(folder, NEW, force=True)
    assert contents(folder / ".pres-eval-moving" / "old") == {"a.tsv": "old"}
    with pytest.raises(StudyError, match=r"move the files that you need out of .*pres-eval-moving"):
        write(folder, NEW, force=True)


def test_links_inside_are_replaced_and_not_followed(tmp_path):
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "out").mkdir()
    for name in ("a.tsv", "b.tsv", "results.json"):
        (tmp_path / "out" / name).symlink_to(tmp_path / ("nothing" if name < "b" else "precious"))
    write(tmp_path / "out", NEW, force=True)
    assert (tmp_path / "precious").read_text() == "precious"
    assert not any(path.is_symlink() for path in (tmp_path / "out").iterdir())
    assert contents(tmp_path / "out") == NEW


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"files": names})
        for names in (
            ["../precious.tsv"], ["sub/precious.tsv"], ["sub"], [".."], [""], ["notes.txt"], [1],
            [None], ["\0.tsv"], ["x" * 300 + ".tsv"], "precious.tsv", {"precious.tsv": 1},
        )
    ]
    + ["", "[", "null", '{"files": [', '{"files": ["\\ud800.tsv"]}', "[" * 100_000],
    ids=lambda text: text[:30],
)  # fmt: skip
@pytest.mark.parametrize("absolute", [False, True])
def test_a_list_of_files_removes_nothing_else(tmp_path, text, absolute):
    folder = tmp_path / "out"
    (folder / "sub").mkdir(parents=True)
    others = [tmp_path / "precious.tsv", folder / "sub" / "precious.tsv", folder / "notes.txt"]
    for path in others:
        path.write_text("precious")
    if absolute:
        text = json.dumps({"files": [str(path) for path in others]})
    (folder / "results.json").write_text(text)
    write(folder, NEW, force=True)
    assert [path.read_text() for path in others] == ["precious"] * 3


def test_a_folder_in_the_place_of_a_file_is_an_error(tmp_path):
    (tmp_path / "out" / "b.tsv").mkdir(parents=True)
    (tmp_path / "out" / "a.tsv").write_text("old")
    with pytest.raises(StudyError, match=r"b\.tsv: this is a folder, and a file must be written"):
        write(tmp_path / "out", NEW, force=True)
    assert (tmp_path / "out" / "a.tsv").read_text() == "old"
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"a.tsv", "b.tsv"}


@pytest.mark.parametrize("existed", [False, True])
@pytest.mark.parametrize("force", [False, True])
def test_of_two_reports_written_together_one_wins(tmp_path, existed, force):
    folder = tmp_path / "out"
    if existed:
        folder.mkdir()

    def both():
        with filled(folder, force=force) as new:
            (new / "a.tsv").write_text("first")
            (new / "only-first.tsv").write_text("first")
            names = ["a.tsv", "only-first.tsv", "results.json"]
            (new / "results.json").write_text(json.dumps({"files": names}))
            write(folder, NEW, force)  # another process begins later, and ends earlier

    if force:
        both()
        assert contents(folder) == {"a.tsv": "first", "only-first.tsv": "first"}
    else:
        with pytest.raises(StudyError, match="contains files already"):
            both()
        assert contents(folder) == NEW


def test_only_one_process_moves_files_at_a_time(tmp_path):
    folder = tmp_path / "out"
    (folder / ".pres-eval-moving" / "new").mkdir(parents=True)
    with pytest.raises(StudyError, match="another process is writing into this folder"):
        write(folder, NEW)
    assert [path.name for path in folder.iterdir()] == [".pres-eval-moving"]


def odd(case, tmp_path):
    """Return a path that cannot become a folder."""
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("")
    if case == "loop of links":
        link.symlink_to(link)
        return link
    if case == "dangling link":
        link.symlink_to("nothing")
        return link
    return {
        "file": file,
        "in a file": file / "sub" / "out",
        "device": Path("/dev/full"),
        "long name": tmp_path / ("x" * 256),
        "long name below a missing folder": tmp_path / "new" / ("x" * 256),
        "null character": tmp_path / "a\0b",
    }[case]


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("file", "file: this is a file, not a folder"),
        ("in a file", "cannot be written (Not a directory)"),
        ("device", "this is a file, not a folder"),
        ("long name", "cannot be written (File name too long)"),
        ("long name below a missing folder", "cannot be written (File name too long)"),
        ("null character", "cannot be written ("),
        ("loop of links", "cannot be written (Too many levels of symbolic links)"),
        ("dangling link", "this link leads to a folder that does not exist"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="Windows describes these errors in its own words")
def test_a_path_that_cannot_be_a_folder_is_refused(tmp_path, case, said):
    folder = odd(case, tmp_path)
    before = sorted(tmp_path.rglob("*"))
    for force in (False, True):
        with pytest.raises(StudyError) as caught:
            write(folder, NEW, force)
        assert str(caught.value).startswith(f"{folder}: ")
        assert said in str(caught.value)
        assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_is_checked_before_anything_is_computed(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StudyError, match="Not a directory"):
        check_folder(tmp_path / "file" / "out", force=True)
    check_folder(tmp_path / "new" / "out", force=False)
    assert not (tmp_path / "new").exists()
