"""Write a folder of results so that it contains all files of a report, or none of them.

The files are written into a hidden folder first. When all are complete, they are moved to
where they belong. If anything fails before that, the hidden folder is removed, and an older
report stays as it was.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pres_plugin.remedy import Remedy
from pres_plugin.study.inputs import StudyError

#: The file that lists all files of a report, under "files", before anything else.
RESULTS = "results.json"

# Hidden folders begin with this. A process that is killed leaves one behind.
_HIDDEN = ".pres-eval-"

# Only one process at a time can give its hidden folder this name, and only it may move files.
_MOVING = f"{_HIDDEN}moving"

# A file that an older report lists is removed only if it is of one of these types.
_OURS = {".html", ".json", ".md", ".png", ".svg", ".tex", ".tsv"}

# The pattern of the list of files at the start of an older report. The whole list must be within
# the first _HEAD bytes.
_LISTED = re.compile(r'\s*\{\s*"files":\s*(\[[^\[\]]*\])')
_HEAD = 1 << 20


def check_folder(folder: Path, *, force: bool) -> None:
    """Raise a StudyError unless results may be written into this folder."""
    with _writing(folder):
        nearest: Path | None = folder
        if not _is_there(folder):
            nearest = next(filter(_exists, folder.parents), None)
        elif not force and _has_files(folder):
            raise _refusal(folder)
        # Find out now rather than after a long computation.
        if nearest is not None and not os.access(nearest, os.W_OK | os.X_OK):
            raise StudyError(f"{folder}: cannot be written (no permission to write to {nearest})")


@contextmanager
def filled(folder: Path, *, force: bool) -> Iterator[Path]:
    """Provide a new folder to write into; at the end, its files become those of `folder`.

    If `folder` does not exist, it is created. Otherwise, files with the same names are
    replaced, files that only an older report lists are removed, and others are kept.
    Symbolic links inside are replaced too. If `folder` itself is a link, its target is used.

    Parameters
    ----------
    folder : Path
        The folder, which may be missing.
    force : bool
        Whether `folder` may contain files.

    Raises
    ------
    StudyError
        If `folder` contains files and `force` is not set, if it cannot be written to, or
        if another process writes into it at the same time.
    """
    check_folder(folder, force=force)
    with _writing(folder), _parents_made(folder):
        existed = _is_there(folder)
        # If the folder exists, work inside it: it may be a mount point, and files cannot be
        # renamed across file systems.
        hidden = (folder if existed else folder.parent) / f"{_HIDDEN}{secrets.token_hex(8)}"
        try:
            hidden.mkdir()
            new = hidden / "new"
            new.mkdir()
            yield new
            if existed or not _renamed(new, folder):
                hidden = _claimed(hidden, folder)
                _move_in(hidden, folder, force=force)
        except BaseException:
            shutil.rmtree(hidden / "new", ignore_errors=True)
            # A folder "old" that is not empty contains files that could not be moved back.
            for path in (hidden / "old", hidden):
                with suppress(OSError):
                    path.rmdir()
            raise
        shutil.rmtree(hidden, ignore_errors=True)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Turn errors of the operating system into StudyErrors about this folder."""
    try:
        yield
    except OSError as error:
        raise StudyError(f"{folder}: cannot be written ({error.strerror or error})") from error


def _is_there(folder: Path) -> bool:
    """Return whether the folder exists; raise an error if it cannot be a folder."""
    try:
        mode = folder.stat().st_mode
    except FileNotFoundError:
        if folder.is_symlink():
            raise StudyError(f"{folder}: this link leads to a folder that does not exist") from None
        return False
    except ValueError as error:  # a null character
        raise StudyError(f"{folder}: cannot be written ({error})") from error
    if not stat.S_ISDIR(mode):
        raise StudyError(f"{folder}: this is a file, not a folder")
    return True


def _exists(path: Path) -> bool:
    """Return whether a path exists; unlike `Path.exists`, raise any other error."""
    try:
        path.stat()
    except FileNotFoundError:
        return False
    return True


def _has_files(folder: Path) -> bool:
    return any(not name.startswith(_HIDDEN) for name in os.listdir(folder))


def _refusal(folder: Path) -> StudyError:
    remedy = Remedy("write into it with {}", "force", (True,))
    return StudyError(f"{folder}: the folder contains files already", remedy)


@contextmanager
def _parents_made(folder: Path) -> Iterator[None]:
    """Create the missing folders above, and remove them again if the block fails."""
    missing = [parent for parent in folder.parents if not _exists(parent)]
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for parent in missing:
            with suppress(OSError):  # somebody else has put something there
                parent.rmdir()
        raise


def _renamed(new: Path, folder: Path) -> bool:
    """Rename `new` to `folder`; return False if that fails because `folder` exists."""
    try:
        new.rename(folder)
    except OSError:
        if not _is_there(folder):
            raise
        return False
    return True


def _claimed(hidden: Path, folder: Path) -> Path:
    """Rename the hidden folder to the name that allows this process to move files.

    Return the new path. Raise a StudyError if another process uses the name.
    """
    moving = folder / _MOVING
    try:
        hidden.rename(moving)
    except OSError:
        if not moving.is_dir():
            raise
        raise StudyError(
            f"{folder}: another process is writing into this folder; if it was killed, move "
            f"the files that you need out of {moving}, then remove that folder"
        ) from None
    return moving


def _move_in(hidden: Path, folder: Path, *, force: bool) -> None:
    """Move the new files into a folder, and old ones out of it: all or none."""
    if not force and _has_files(folder):
        raise _refusal(folder)
    new, old = hidden / "new", hidden / "old"
    old.mkdir()
    names = sorted(os.listdir(new))
    replaced = [name for name in names if os.path.lexists(folder / name)]
    for name in replaced:
        if _is_real_folder(folder / name):
            raise StudyError(f"{folder / name}: this is a folder, and a file must be written there")
    replaced += [name for name in _files_of_older_report(folder) if name not in names]
    moves = [(folder / name, old / name) for name in replaced]
    moves += [(new / name, folder / name) for name in names]
    begun: list[tuple[Path, Path]] = []
    try:
        for source, target in moves:
            begun.append((source, target))
            source.rename(target)
    except BaseException:
        for source, target in reversed(begun):
            # The last move may not have happened. If one fails, still try the others.
            if not os.path.lexists(source):
                with suppress(OSError):
                    target.rename(source)
        raise


def _is_real_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _files_of_older_report(folder: Path) -> list[str]:
    """Return the names of an older report's files that are still in the folder.

    The list is read from a file that anybody may have written, so only plain names count.
    """
    results = folder / RESULTS
    try:
        if not stat.S_ISREG(results.lstat().st_mode):
            return []
        with results.open("rb") as file:
            head = file.read(_HEAD).decode(errors="replace")
        listed = json.loads(match[1]) if (match := _LISTED.match(head)) else []
    except (OSError, ValueError):  # there is no older report, or it is not one of ours
        return []
    return [
        name
        for name in dict.fromkeys(filter(lambda name: isinstance(name, str), listed))
        if Path(name).name == name
        and Path(name).suffix in _OURS
        and "\0" not in name
        and os.path.lexists(folder / name)
        and not _is_real_folder(folder / name)
    ]
