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

# A process that is killed leaves a hidden folder behind, whose name begins with this.
_HIDDEN = ".pres-eval-"

# The first line of another tool's file may be gigabytes long.
_LONGEST_LINE = 1 << 24


def check_folder(folder: Path, *, force: bool) -> None:
    """Raise a StudyError unless a report may become this folder."""
    with _writing(folder):
        target = Path(os.path.realpath(folder))
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
            if others := _others(target):
                raise StudyError(
                    f"{folder}: the folder contains {others[0]}, which does not belong to a "
                    "report of pres-eval; choose another folder"
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
    with _writing(folder):
        target = Path(os.path.realpath(folder))  # a symbolic link itself is kept
        target.parent.mkdir(parents=True, exist_ok=True)
        hidden = Path(mkdtemp(prefix=_HIDDEN, dir=target.parent))
        new, old = hidden / "new", hidden / "old"
        try:
            new.mkdir()
            yield new
            check_folder(folder, force=force)  # other processes may have written into it
            if target.exists():
                shutil.copymode(target, new)
                target.rename(old)
            new.rename(target)
        finally:
            # If this fails, the hidden folder is kept: it contains the only copy.
            if old.exists() and not target.exists():
                old.rename(target)
            shutil.rmtree(hidden, ignore_errors=True)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Turn errors of the operating system into StudyErrors about this folder."""
    try:
        yield
    except OSError as error:
        raise StudyError(f"{folder}: cannot be written ({error.strerror or error})") from error


def _exists(path: Path) -> bool:
    """Return whether a path exists; unlike `Path.exists`, raise any other error."""
    try:
        path.stat()
    except FileNotFoundError:
        return False
    return True


def _others(folder: Path) -> list[str]:
    """Return the names of everything in a folder that is not a file of a report."""
    entries = {entry.name: entry.is_file(follow_symlinks=False) for entry in os.scandir(folder)}
    of_report = _files_of_report(folder) if entries.get(RESULTS) else set()
    return sorted(name for name in entries if not (entries[name] and name in of_report))


def _files_of_report(folder: Path) -> set[str]:
    """Return the names of the files that belong to the report in a folder.

    Another tool may have written a file with the same name, so its first line must be like ours.
    """
    with (folder / RESULTS).open("rb") as file:
        line = file.readline(_LONGEST_LINE)
    with suppress(ValueError, RecursionError):
        match json.loads(line.removesuffix(b",\n") + b"}"):
            case {"files": [*files], "versions": {"pres-plugin": _}}:
                return {*map(str, files)}
    return set()
