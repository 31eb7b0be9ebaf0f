"""Write a folder with a report: completely, or not at all.

The files are written into a hidden folder beside the target, which is renamed at the end.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

from pres_plugin.remedy import Remedy
from pres_plugin.study.inputs import StudyError

#: The file that describes a report and lists its files, on its first line.
RESULTS = "results.json"

#: The page of a report.
PAGE = "report.html"

# A process that is killed leaves a hidden folder behind, whose name begins with this.
_HIDDEN = ".pres-eval-"

# The first line of another tool's file may be gigabytes long.
_LONGEST_LINE = 1 << 24


def check_folder(folder: Path, *, force: bool) -> None:
    """Raise a StudyError unless a report may become this folder."""
    with _writing(folder):
        target = _target(folder)
        places = [next(filter(_exists, target.parents), target.parent)]
        if _exists(target):
            places.append(target)
            if not target.is_dir():
                raise StudyError(f"{folder}: this is a file, not a folder")
            if target.samefile(".") or os.path.ismount(target):
                raise StudyError(
                    f"{folder}: a report replaces a whole folder, which is impossible for the "
                    "current folder and for a mount point; choose a folder inside it"
                )
            if other := _not_of_a_report(target):
                raise StudyError(
                    f"{folder}: the folder contains {other}, which does not belong to a report of "
                    "pres-eval; choose another folder"
                )
            if not force and os.listdir(target):
                remedy = Remedy("replace it with {}", "force", (True,))
                raise StudyError(f"{folder}: the folder contains a report already", remedy)
        # Find out now rather than after a long computation.
        for place in places:
            if not os.access(place, os.W_OK | os.X_OK):
                raise StudyError(f"{folder}: cannot be written (no permission to write to {place})")


@contextmanager
def filled(folder: Path, *, force: bool) -> Iterator[Path]:
    """Provide a new folder to write into, which becomes `folder` at the end.

    Missing parent folders are created. If `folder` is a symbolic link, its target is replaced.

    Parameters
    ----------
    folder : Path
        The folder, which may be missing or empty.
    force : bool
        Whether `folder` may contain an older report, which is replaced.

    Raises
    ------
    StudyError
        If `folder` contains anything else, or if it cannot be written to.
    """
    check_folder(folder, force=force)
    with _writing(folder):
        target = _target(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        hidden = Path(mkdtemp(prefix=_HIDDEN, dir=target.parent))
        new, old = hidden / "new", hidden / "old"
        try:
            new.mkdir()
            yield new
            check_folder(folder, force=force)  # it may have changed in the meantime
            _replace(target, new, old)
        finally:
            # If the older report could not be moved back, this is its only copy.
            if _exists(target) or not _exists(old):
                shutil.rmtree(hidden, ignore_errors=True)


def _replace(target: Path, new: Path, old: Path) -> None:
    """Rename `target`, if it exists, to `old`, and `new` to `target`; do both or neither."""
    try:
        if _exists(target):
            shutil.copymode(target, new)
            target.rename(old)
        new.rename(target)
    except BaseException:
        if _exists(old) and not _exists(target):
            old.rename(target)
        raise


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Turn errors of the operating system into StudyErrors about this folder."""
    try:
        yield
    except OSError as error:
        raise StudyError(f"{folder}: cannot be written ({error.strerror or error})") from error


def _target(folder: Path) -> Path:
    """Return the path to replace; a symbolic link itself is kept."""
    return Path(os.path.realpath(folder))


def _exists(path: Path) -> bool:
    """Return whether a path exists; unlike `Path.exists`, raise any other error."""
    try:
        path.stat()
    except FileNotFoundError:
        return False
    return True


def _not_of_a_report(folder: Path) -> str | None:
    """Return the name of something in a folder that is not a file of a report, if any."""
    entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    files = {entry.name for entry in entries if entry.is_file(follow_symlinks=False)}
    of_report = files & _files_of_report(folder) if {RESULTS, PAGE} <= files else set()
    return next((entry.name for entry in entries if entry.name not in of_report), None)


def _files_of_report(folder: Path) -> set[str]:
    """Return the names of the files that belong to the report in a folder.

    Another tool may have written a file with the same name, so its first line must be like ours.
    """
    with (folder / RESULTS).open("rb") as file:
        line = file.readline(_LONGEST_LINE)
    with suppress(ValueError, RecursionError):
        match json.loads(line.removesuffix(b",\n") + b"}"):
            case {"files": [*files], "title": _, "command": _, "versions": {"pres-plugin": _}}:
                return {*map(str, files)}
    return set()
