"""Read the projects and simulations that ASReview 2 and 3 write: ``.asreview`` files.

Such a file is a zip archive with ``project.json`` and SQLite databases. Version 3 has one
database, version 2 has one for the data and one for the review. The archive may come from
anybody, so only these members are read, up to a limit, and no name in it becomes a path.
"""

from __future__ import annotations

import json
import sqlite3
import struct
import zipfile
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from io import BufferedIOBase
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, cast

from pres_plugin.formats.base import FileError
from pres_plugin.formats.input.opening import opened, shown_as
from pres_plugin.remedy import quoted

#: The versions of project files that can be read; ASReview 2 writes 2, and ASReview 3 writes 3.
_VERSIONS = (2, 3)

# The most bytes of project.json, which lists settings but no records.
_LARGEST_CONFIG = 1 << 24

# A database may be up to 64 MiB, or up to 100 times its compressed size if that is more, but at
# most 2 GiB. Only an archive that is made to fill the disk compresses texts a hundredfold.
_SMALL_DATABASE, _LARGEST_DATABASE, _LARGEST_RATIO = 1 << 26, 1 << 31, 100
_CHUNK = 1 << 20

# What opening or reading a damaged or encrypted archive or database may raise.
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, sqlite3.Error),
    *(NotImplementedError, OverflowError, RuntimeError, ValueError),
)

# The longest name of a dataset. Datasets are named after files; a damaged database may contain
# much longer texts.
_LONGEST_NAME = 4096

# The maximum number of SQLite's steps to look up a table. A few hundred are enough.
_SCHEMA_STEPS = 1_000_000

_RECORDS = "SELECT record_id, dataset_id, included FROM record ORDER BY record_id"
# ASReview calls records prior knowledge if no querier has chosen them.
_RESULTS = "SELECT record_id, label, querier IS NULL FROM results ORDER BY rowid"
_COLUMNS = {"record_id", "dataset_id", "included", "label", "querier", "rowid"}


@dataclass(frozen=True)
class Screening:
    """How the records of one dataset were screened.

    Attributes
    ----------
    priors : list of str
        The ids of the records that were prior knowledge, in the order of their labelling.
    screened : list of str
        The ids of the other labelled records, in the order in which they were screened.
    labels : dict of str to int
        1 for each relevant record and 0 for the others. It contains all records of a
        simulation. In any other review, it contains only the records that have been labelled,
        priors included.
    simulated : bool
        Whether this is a simulation.
    """

    priors: list[str] = field(default_factory=list)
    screened: list[str] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    simulated: bool = True


def read_screening(path: str, name: str | None = None) -> dict[str, Screening]:
    """Read how each dataset of an ASReview project or simulation was screened.

    Record ids are ASReview's ``record_id`` as strings, which are the same in all projects with
    the same data. Records with identical texts count separately, as they do in ASReview's loss.

    Parameters
    ----------
    path : str
        An ``.asreview`` file of version 2 or 3, which may be compressed with gzip.
    name : str, optional
        The file's name in errors; its path if not given.

    Returns
    -------
    dict of str to Screening
        One per dataset, by the dataset's file name; projects of ASReview 2 and 3 have one.

    Raises
    ------
    FileError
        If the file cannot be read, is not an ASReview project, or is damaged or too large; if
        its version is not supported; or if no record has been screened.

    Examples
    --------
    >>> from pres_plugin.formats.asreview import read_screening
    >>> read_screening("missing.asreview")
    Traceback (most recent call last):
    pres_plugin.formats.FileError: missing.asreview: there is no such file
    """
    shown = shown_as(name or path)
    with opened(path, name) as file, _archive(file, shown) as archive:
        project = _Project(archive, shown)
        with (
            project.databases() as (data, results),
            closing(_rows(data, _RECORDS, "record", f"{shown}: {project.data}")) as records,
            closing(_rows(results, _RESULTS, "results", f"{shown}: {project.results}")) as labelled,
        ):
            return _screening(records, labelled, project)


@contextmanager
def _damage_of(what: str) -> Iterator[None]:
    """Raise a FileError that begins with `what` if the content cannot be read."""
    try:
        yield
    except FileError:
        raise
    except _DAMAGE as error:
        raise FileError(f"{what} ({error})") from None


@contextmanager
def _archive(file: BufferedIOBase, shown: str) -> Iterator[zipfile.ZipFile]:
    if not file.seekable():
        raise FileError(f"{shown}: an ASReview project cannot be read from a pipe; name a file")
    with _damage_of(f"{shown}: not an ASReview project, or an incomplete one"):
        archive = zipfile.ZipFile(cast(IO[bytes], file))
    with archive:
        yield archive


class _Project:
    """The members of an archive and the settings in its ``project.json``."""

    def __init__(self, archive: zipfile.ZipFile, shown: str) -> None:
        self._archive = archive
        self.shown = shown
        config = self._config()
        self.simulated: bool = config.get("mode") == "simulate"
        self.dataset_names: dict[str, str] = self._dataset_names(config)
        version = self._version(config)
        self.data, self.results = "results.db", "results.db"
        if version == 2:
            self.data, self.results = "data_store.db", self._results_of_version_2(config)

    def error(self, problem: str) -> FileError:
        """Return an error that names the file."""
        return FileError(f"{self.shown}: {problem}")

    def _config(self) -> dict[str, Any]:
        if "project.json" not in self._archive.namelist():
            raise self.error("not an ASReview project: the archive contains no project.json")
        with self._member("project.json", _LARGEST_CONFIG) as member:
            text = b"".join(member)
        try:
            config = json.loads(text)
        except (ValueError, RecursionError):
            raise self.error("project.json is not valid JSON") from None
        if not isinstance(config, dict):
            raise self.error("project.json must contain a JSON object")
        return config

    def _version(self, config: dict[str, Any]) -> int:
        found = config.get("project_file_version")
        if found is None:  # ASReview 2 wrote only its own version
            found = str(config.get("version", "")).partition(".")[0]
        if str(found) in map(str, _VERSIONS):
            return int(found)
        remedy = (
            "import it into ASReview LAB 3 and export it again"
            if str(found) in ("0", "1")
            else "versions 2 and 3 are supported"
        )
        raise self.error(f"project files of version {quoted(str(found))} cannot be read; {remedy}")

    def _dataset_names(self, config: dict[str, Any]) -> dict[str, str]:
        """Return the names of datasets by their ids."""
        datasets = config.get("datasets", [])
        try:
            names = {dataset["id"]: dataset["name"] for dataset in datasets}
        except (KeyError, TypeError):
            names = {None: None}
        if not all(isinstance(text, str) for pair in names.items() for text in pair):
            raise self.error("project.json → datasets: each needs an id and a name, as strings")
        if len(set(names.values())) < len(names):
            raise self.error("project.json → datasets: two have the same name")
        return names

    def _results_of_version_2(self, config: dict[str, Any]) -> str:
        reviews = config.get("reviews") or []
        if not isinstance(reviews, list) or not all(
            isinstance(review, dict) and isinstance(review.get("id"), str) for review in reviews
        ):
            raise self.error("project.json → reviews: each needs an id, as a string")
        if not reviews:
            raise self.error("the project contains no review or simulation yet")
        if len(reviews) > 1:
            raise self.error(f"the project contains {len(reviews)} reviews; it must contain one")
        return f"reviews/{reviews[0]['id']}/results.db"

    @contextmanager
    def _member(self, member: str, limit: int) -> Iterator[Iterator[bytes]]:
        """Yield the content of a member in pieces; raise a FileError if it exceeds the limit."""
        method = self._archive.getinfo(member).compress_type
        if method not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise self.error(f"{member} is compressed with a method that ASReview does not use")
        with (
            _damage_of(f"{self.shown}: {member} is damaged"),
            self._archive.open(member) as content,
        ):
            yield self._limited(member, content, limit)

    def _limited(self, member: str, content: IO[bytes], limit: int) -> Iterator[bytes]:
        size = 0
        while piece := content.read(_CHUNK):
            # What the archive says about its size may be wrong.
            size += len(piece)
            if size > limit:
                raise self.error(f"{member} is larger than the maximum of {limit >> 20} MiB")
            yield piece

    @contextmanager
    def databases(self) -> Iterator[tuple[sqlite3.Connection, sqlite3.Connection]]:
        """Open the databases of the data and of the results, which may be the same."""
        with ExitStack() as until:
            data = until.enter_context(self._database(self.data))
            same = self.results == self.data
            yield data, data if same else until.enter_context(self._database(self.results))

    @contextmanager
    def _database(self, member: str) -> Iterator[sqlite3.Connection]:
        """Open a copy of a database; raise a FileError if it cannot be read."""
        if member not in self._archive.namelist():
            raise self.error(f"the archive contains no {quoted(member)}")
        packed = self._archive.getinfo(member).compress_size
        limit = min(_LARGEST_DATABASE, max(_SMALL_DATABASE, _LARGEST_RATIO * packed))
        with TemporaryDirectory(prefix="pres-plugin-") as folder:
            copy = Path(folder, "copy.db")
            with copy.open("wb") as file, self._member(member, limit) as content:
                file.writelines(content)
            # SQLite then neither writes to the copy nor looks for journals.
            uri = f"{copy.as_uri()}?mode=ro&immutable=1"
            with closing(sqlite3.connect(uri, uri=True)) as connection:
                yield connection


def _rows(
    connection: sqlite3.Connection, query: str, table: str, shown: str
) -> Generator[tuple[Any, ...], None, None]:
    """Yield the rows of a query on one table."""
    with _damage_of(f"{shown} is damaged or not a database of ASReview"):
        # Queries on a view, a virtual table, a computed column or a damaged schema might never end.
        connection.set_progress_handler(lambda: 1, _SCHEMA_STEPS)
        made = connection.execute(
            "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)
        ).fetchone()
        if made is None or not str(made[0]).upper().startswith("CREATE TABLE"):
            raise FileError(f"{shown} contains no table {table!r}")
        columns = connection.execute(f"PRAGMA table_xinfo({table})")
        if _COLUMNS & {name for _, name, *_, hidden in columns if hidden}:
            raise FileError(f"{shown}: table {table!r} contains computed values")
        # No limit is needed for rows: endless ones would repeat a record, which raises an error.
        connection.set_progress_handler(None, 0)
        # One row at a time, since each may contain a long text.
        yield from connection.execute(query)


def _screening(
    records: Iterable[tuple[Any, ...]], results: Iterable[tuple[Any, ...]], project: _Project
) -> dict[str, Screening]:
    datasets: dict[str, Screening] = {}
    dataset_of: dict[int, Screening] = {}
    for record_id, dataset_id, included in records:
        if not isinstance(record_id, int) or record_id in dataset_of:
            raise project.error(f"record {record_id!r:.60} occurs twice or has an invalid id")
        if not isinstance(dataset_id, str) or len(dataset_id) > _LONGEST_NAME:
            raise project.error(f"record {record_id} belongs to no dataset with a valid name")
        name = project.dataset_names.get(dataset_id, dataset_id)
        dataset = datasets.setdefault(name, Screening(simulated=project.simulated))
        dataset_of[record_id] = dataset
        if project.simulated:
            dataset.labels[str(record_id)] = _label(record_id, included, project)
    seen: set[int] = set()
    for record_id, label, is_prior in results:
        if not isinstance(record_id, int) or record_id not in dataset_of:
            raise project.error(f"record {record_id!r:.60} was screened, but is not in the dataset")
        if record_id in seen:
            raise project.error(f"record {record_id} was screened twice")
        seen.add(record_id)
        if label is None:  # a user is reading the record
            continue
        dataset = dataset_of[record_id]
        dataset.labels[str(record_id)] = _label(record_id, label, project)
        (dataset.priors if is_prior else dataset.screened).append(str(record_id))
    if not any(dataset.priors or dataset.screened for dataset in datasets.values()):
        raise project.error("no record has been screened yet")
    return datasets


def _label(record_id: int, label: Any, project: _Project) -> int:
    if label is None:
        raise project.error(f"record {record_id} has no label; a simulation needs one for each")
    if label not in (0, 1):
        raise project.error(f"record {record_id} must be labelled 0 or 1, got {label!r:.60}")
    return int(label)
