"""Write a folder with a report.

The files are written into a hidden folder beside the target. Only when all are complete are they
moved, one by one. So if writing fails, the target stays as it was. If the process ends while the
files are moved, the target can contain files of both reports.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from pres_plugin.messages import InputError

#: The file that describes a report and lists its files, on its first line.
RESULTS = "results.json"


def check_folder(folder: Path, *, force: bool) -> set[str]:
    """Return the files in a folder, which are those of an older report.

    Raise an InputError unless a report may be written into it.
    """
    with _beside(folder):
        there = {*os.listdir(folder)} if folder.exists() else set()
        others = sorted(there - _files_of_report(folder))
    if others:
        raise InputError(
            f"{folder}: the folder contains {others[0]}, which does not belong to a "
            "report of pres-eval; choose another folder"
        )
    if there and not force:
        raise InputError(
            f"{folder}: the folder contains a report already; replace it with force=True (--force)"
        )
    return there


@contextmanager
def filled(folder: Path, *, force: bool) -> Iterator[Path]:
    """Provide a new folder to write into; its files are moved into `folder` at the end.

    Missing parent folders are created.

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
    old = check_folder(folder, force=force)
    with _beside(folder) as new:
        yield new
        target = Path(os.path.realpath(folder))
        target.mkdir(exist_ok=True)
        for name in os.listdir(new):
            (new / name).replace(target / name)
            old.discard(name)
        for name in old:
            (target / name).unlink(missing_ok=True)


@contextmanager
def _beside(folder: Path) -> Iterator[Path]:
    """Provide a temporary folder beside another one.

    Errors of the operating system become InputErrors about the other folder.
    """
    try:
        above = Path(os.path.realpath(folder)).parent
        above.mkdir(parents=True, exist_ok=True)
        # A process that is killed leaves this folder behind.
        with TemporaryDirectory(
            prefix=".pres-eval-", dir=above, ignore_cleanup_errors=True
        ) as hidden:
            yield Path(hidden)
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
