"""Find the judgements and the runs at some paths: files, folders of files, and standard input."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from urllib.parse import unquote_to_bytes

from pres_plugin.escaping import text_of
from pres_plugin.families import PUBLICATIONS
from pres_plugin.messages import InputError, check_known, quoted, shortened, some
from pres_plugin.tables.base import DataFile, Reading, without_endings
from pres_plugin.tables.copies import on_disk
from pres_plugin.tables.excel import ExcelFile, opened_workbook
from pres_plugin.tables.file_sets import FileSet
from pres_plugin.tables.mappings import mapping_of, read_table
from pres_plugin.tables.opening import is_folder, os_errors, start_of
from pres_plugin.tables.parquet import ParquetFile
from pres_plugin.tables.recognition import cannot_be_run, check_opened, open_file
from pres_plugin.tables.run_names import own_names
from pres_plugin.tables.sources import Sources


class RunFiles:
    """The judgements and the runs in some sources, with a unique name for each run.

    Where names coincide, folders are added: to the names of files, and to those of runs in files
    that contain several. Names that the user gave to files stay as they are. `files` follows the
    order of the paths; the files of a folder are sorted by name. Raise an InputError if a folder
    cannot be read, two runs have the same name, one name is given to several runs, ``-`` is given
    twice, or no file contains a sheet or column that was asked for.
    """

    def __init__(self, sources: Sources) -> None:
        if sources.paths.count("-") > 1:
            raise InputError("standard input can be read only once, as QRELS or as a RUN")
        others: list[DataFile] = []
        reading = sources.run_reading
        if isinstance(reading.families, str) and reading.families != PUBLICATIONS:
            file, rows = read_table(reading.families, "family", reading.columns)
            reading = replace(reading, families=mapping_of(file, rows))
            sources = replace(sources, run_reading=reading)
            others.append(file)
        self.sources = sources
        self.qrels: FileSet = judged(sources.qrels, sources.qrels_reading)
        found = [
            runs
            for label, path in sources.runs
            for runs in _labelled(label, path, _runs_in(path, reading))
        ]
        opened = [file for files in (self.qrels, *found) for file in files.files]
        check_opened([*opened, *others])
        unnamed = [runs for runs in found if not (runs.has_runs or runs.labelled)]
        names = own_names([(str(runs.name), runs.path) for runs in unnamed])
        self.files: list[FileSet] = [
            runs if runs.labelled else replace(runs, name=names.get((runs.name, runs.path)))
            for runs in selected(found, sources.run_names)
        ]
        self._paths: dict[str, str] = {}
        for runs in self.files:
            if runs.name is not None:
                self.check_name(runs.name, runs.path)

    def check_name(self, name: str, path: str) -> None:
        """Raise an InputError if a run has the same name as one before it."""
        if name in self._paths:
            raise InputError(
                f"two runs are called {shortened(name)}: {self._paths[name]} and {path}; "
                "give each run once, or a name of its own (NAME=FILE)"
            )
        self._paths[name] = path


def _labelled(label: str | None, path: str, found: list[FileSet]) -> list[FileSet]:
    """Give the only run at a path the user's name for it, if there is one."""
    if label is None:
        return found
    [runs, *others] = found
    if others or (runs.has_runs and len(runs.run_names()) > 1):
        raise InputError(
            f"{path}: there are several runs, which cannot all be called {shortened(label)}; give "
            "the path without a name"
        )
    return [replace(runs, name=label, labelled=True)]


def selected(files: list[FileSet], names: Sequence[str]) -> list[FileSet]:
    """Select the runs with these names from files that contain several, and tell them apart.

    Files that contain one run are kept. Without names, all runs are kept. Runs with the same name
    in different files get names of their own. Raise an InputError if no file contains a run of
    one of the names.
    """
    several = [runs for runs in files if runs.has_runs]
    if not names and len(several) < 2:
        return files
    # The names are in the rows, so finding them takes as long as reading the runs.
    found = [(name, runs.path) for runs in several for name in runs.run_names()]
    for name in names:
        check_known("the run", name, dict(found), "runs that are named in files")
    chosen: dict[str, dict[str, str]] = {runs.path: {} for runs in several}
    for (name, path), file in own_names(found).items():
        if not names or name in names:
            # Runs of MTEB are already called after the file: Task/en/test in model/Task.
            own = f"{file}/{name.removeprefix(f'{PurePath(file).name}/')}"
            chosen[path][name] = name if file == name else own
    return [
        replace(runs, chosen=chosen.get(runs.path, {}))
        for runs in files
        if chosen.get(runs.path, True)
    ]


def judged(path: str, reading: Reading, name: str | None = None) -> FileSet:
    """Return the judgements, or a run, at a path that messages call `name`.

    They are a file, a folder of parts such as Spark writes, or files or sheets that are topics.
    """
    if is_folder(path):
        if reading.topics_in == "files":
            return _topics_in(path, reading)
        if path.rstrip("/\\").lower().endswith(".parquet"):
            return FileSet(path, _parts(Path(path), reading), reading)
    return _opened(path, reading, name)


def _opened(path: str, reading: Reading, name: str | None = None) -> FileSet:
    """Return the judgements, or the run or runs, in a file."""
    copy, name = on_disk(path, reading), name or path
    has_sheets = reading.topics_in == "sheets" and reading.sheet is None
    if has_sheets and ExcelFile.recognises(start_of(copy, name), reading):
        with opened_workbook(copy, name) as workbook:
            sheets = workbook.sheet_names
        parts = (replace(reading, sheet=sheet, topic=sheet) for sheet in sheets)
        files: tuple[DataFile, ...] = tuple(ExcelFile(copy, name, part) for part in parts)
    else:
        files = (open_file(copy, name, reading),)
    return FileSet(name, files, reading, None if files[0].has_runs else files[0].run_name)


def _topics_in(path: str, reading: Reading) -> FileSet:
    """Return a folder whose files are topics, which are called after the files."""
    files = tuple(
        open_file(str(entry), None, replace(reading, topic=text_of(without_endings(entry.name))))
        for entry in _data_in(path, reading)
    )
    return FileSet(path, files, reading, text_of(Path(path).resolve().name))


def _runs_in(path: str, reading: Reading) -> list[FileSet]:
    """Find the runs in a file or a folder.

    In a folder each file is a run, in any format. Files with a column `run` are parts of one
    table. A folder called ``run=…`` is one run: all Parquet files in it and its subfolders
    are its parts. If files are topics, the folder is one run.
    """
    if not is_folder(path):
        return [_opened(path, reading)]
    if Path(path).name.startswith("run="):
        return [_partition(Path(path), reading)]
    if reading.topics_in == "files":
        return [_topics_in(path, reading)]
    found = [
        _partition(entry, reading) if is_folder(str(entry)) else _opened(str(entry), reading)
        for entry in _data_in(path, reading)
    ]
    if tables := [file for runs in found if runs.has_runs for file in runs.files]:
        found = [runs for runs in found if not runs.has_runs]
        found.append(FileSet(path, tuple(tables), reading, None))
    return found


def _data_in(path: str, reading: Reading) -> list[Path]:
    """Return the entries of a folder, and warn about files that are skipped.

    Raise an InputError for an empty folder. If nothing would be left, the errors about the files
    say more.
    """
    entries = _visible(Path(path))
    if not entries:
        raise InputError(f"{path}: there are no runs in this folder")
    # os.path.isfile is False where the system refuses to look. Opening the entry then says why.
    skipped = [
        entry for entry in entries if os.path.isfile(entry) and cannot_be_run(str(entry), reading)
    ]
    found = [entry for entry in entries if entry not in skipped] or entries
    if len(found) < len(entries):
        names = some([entry.name for entry in skipped])
        warnings.warn(f"{path}: skipped, because they cannot be runs: {names}", stacklevel=2)
    return found


def _partition(folder: Path, reading: Reading) -> FileSet:
    if not folder.name.startswith("run="):
        raise InputError(
            f"{folder}: a folder among runs must be called run=NAME and contain the Parquet files "
            "of this run; score other folders separately"
        )
    name = text_of(unquote_to_bytes(os.fsencode(folder.name.removeprefix("run="))))
    runs = FileSet(str(folder), _parts(folder, reading), reading, name)
    # Some writers repeat the folder's name in a column.
    named = tuple(file for file in runs.files if file.has_runs)
    others = replace(runs, files=named, name=None).run_names().keys() - {name} if named else ()
    if others:
        raise InputError(
            f"{folder}: column run contains {quoted(min(others))}, but the folder is that of run "
            f"{quoted(name)}"
        )
    return runs


def _visible(folder: Path) -> list[Path]:
    """Return the entries of a folder by name, except names that begin with ``.`` or ``_``.

    Spark, Hive and editors give such names to files that are not data, or not yet complete.
    """
    with os_errors(str(folder)):
        entries = sorted(folder.iterdir())
    return [entry for entry in entries if not entry.name.startswith((".", "_"))]


def _parts(folder: Path, reading: Reading) -> tuple[DataFile, ...]:
    """Return the parts of a table: all Parquet files in a folder and its subfolders.

    Raise an InputError if there is anything else in the folder.
    """
    found: list[DataFile] = []
    for entry in _visible(folder):
        if is_folder(str(entry)):
            if entry.is_symlink() or entry.name.startswith("run="):
                raise InputError(
                    f"{entry}: not a part of {folder}, but a link or a run; move it out"
                )
            found += _parts(entry, reading)
        elif isinstance(file := open_file(str(entry), None, reading), ParquetFile):
            found.append(file)
        else:
            raise InputError(f"{entry}: only Parquet files belong in {folder}; move it elsewhere")
    return tuple(found)
