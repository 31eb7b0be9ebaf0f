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
from tempfile import TemporaryDirectory

from pres_plugin.messages import InputError

#: The file that describes a report and lists its files, on its first line.
RESULTS = "results.json"


def check_folder(folder: Path, *, force: bool) -> None:
    """Raise an InputError unless a report may become this folder."""
    with _hidden_beside(folder) as (target, _):
        if not target.exists():
            return
        if others := sorted({*os.listdir(target)} - _files_of_report(target)):
            raise InputError(
                f"{folder}: the folder contains {others[0]}, which does not belong to a "
                "report of pres-eval; choose another folder"
            )
        if target.samefile("."):
            raise InputError(
                f"{folder}: a report replaces a whole folder, but this is the current one; "
                "choose a folder inside it"
            )
        if not force and os.listdir(target):
            raise InputError(
                f"{folder}: the folder contains a report already; replace it with force=True "
                "(--force)"
            )


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
    InputError
        If `folder` contains anything else, or if it cannot be written to.
    """
    with _hidden_beside(folder) as (target, hidden):
        new, old = hidden / "new", hidden / "old"
        new.mkdir()
        yield new
        check_folder(folder, force=force)  # other processes may have written into it
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            if target.exists():
                shutil.copymode(target, new)
                target.rename(old)
            new.rename(target)
        except BaseException:
            if old.exists():
                old.rename(target)
            raise


@contextmanager
def _hidden_beside(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Provide the path of a folder without links, and a temporary folder beside it.

    Errors of the operating system become InputErrors about the folder.
    """
    try:
        target = Path(os.path.realpath(folder))
        above = next(parent for parent in target.parents if parent.exists())
        # A process that is killed leaves this folder behind.
        with TemporaryDirectory(
            prefix=".pres-eval-", dir=above, ignore_cleanup_errors=True
        ) as hidden:
            yield target, Path(hidden)
    except OSError as error:
        # polars adds the number of the error.
        why = (error.strerror or str(error)).partition(" (os error")[0]
        raise InputError(f"{folder}: cannot be written ({why})") from error


def _files_of_report(folder: Path) -> set[str]:
    """Return the names of the files that belong to the report in a folder.

    Another tool may have written a file with the same name, so its first line must be like ours.
    """
    with suppress(FileNotFoundError, ValueError), (folder / RESULTS).open("rb") as file:
        match json.loads(file.readline().removesuffix(b",\n") + b"}"):
            case {"files": [*files], "versions": {"pres-plugin": _}}:
                return {*map(str, files)}
    return set()
