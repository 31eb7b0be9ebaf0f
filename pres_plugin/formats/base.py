"""What every file format defines, and the errors that reading raises."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal, get_args

from pres_plugin.escaping import text_of
from pres_plugin.formats.dicts import Duplicates as Duplicates
from pres_plugin.formats.dicts import Topics
from pres_plugin.formats.ranks import check_ranks
from pres_plugin.remedy import NAN, RemediedError, Remedy, in_topic

if TYPE_CHECKING:
    import polars as pl

    from pres_plugin.formats.dicts import Dicts

#: The last column to read: ``relevance`` for judgements, ``score`` for runs.
Value = Literal["relevance", "score"]


class FileError(RemediedError):
    """A file is missing or its content is wrong; the message says where and why."""

    __module__ = "pres_plugin.formats"  # so that tracebacks show where to import it from


class UnclearError(RemediedError):
    """Reading in pieces failed; reading the file line by line may work, or name the wrong line."""

    def __init__(self, problem: str = "", remedy: Remedy | None = None) -> None:
        super().__init__(problem, remedy)


@dataclass(frozen=True)
class Reading:
    """Options for reading files, in addition to their paths.

    `format` is a name in :data:`.recognition.FORMATS`; None to recognise it. `topic_field` and
    `qrels_field` name fields of JSON lines: the topic's id, and its relevant documents.
    """

    format: str | None = None
    topic_field: str | None = None
    qrels_field: str | None = None


class DataFile(ABC):
    """A file of judgements or runs. Each format is a subclass.

    Error messages refer to the file as `name`. The module of a subclass can be imported without
    polars, unless the whole format requires polars.
    """

    has_runs: bool = False  # whether the file contains several runs, named in a column `run`
    works_without_polars: bool = False  # whether :meth:`dicts` works without polars
    can_be_part: bool = False  # whether several files of this format can make up one run
    #: Removed from the end of a file name to get the name of the run; the first one that fits.
    endings: tuple[str, ...] = ()

    def __init__(self, path: str, name: str | None = None, reading: Reading | None = None) -> None:
        self.path = path
        self.name: str = name or path
        self.reading: Reading = reading or Reading()

    @abstractmethod
    def pieces(self, value: Value) -> Iterator[pl.DataFrame]:
        """Yield the rows in pieces of any length.

        The columns are `query_id`, `doc_id` (String), and `relevance` (Int64) or `score`
        (Float64); if the file has several runs, `run` (String) too. If the order of a run's
        documents follows from their ranks, there is a column `rank` (Int64), and the score is
        minus the rank. A judged topic without documents is one row with nulls. Raise a
        FileError, or an UnclearError if :meth:`carefully` can read the file or find a better
        message.
        """

    def dicts(self, value: Value, duplicates: Duplicates, run: str | None = None) -> Dicts:
        """Return the relevance or score of each document, by topic, or raise a FileError.

        `run` is the run to read from a file that contains several. Formats that do not require
        polars override this, so that it works without polars.
        """
        topics = Topics(duplicates)
        has_ranks = False
        pieces = self.pieces(value) if run is None else self.rows_of([run])
        try:
            for piece in pieces:
                has_ranks = "rank" in piece.columns
                rows = piece.select("query_id", "doc_id", value).iter_rows()
                for query_id, doc_id, number in rows:
                    if number != number:
                        raise RemediedError(f"{in_topic(query_id, doc_id)}: {NAN}")
                    topics.add(query_id, doc_id, number)
            if has_ranks:
                check_ranks(topics.dicts)
        except FileError:
            raise
        except RemediedError as error:
            raise FileError(f"{self.name}: {error.problem}", error.remedy) from None
        if not topics.dicts:
            raise FileError(f"{self.name}: the file contains no rows")
        return topics.dicts

    def carefully(self, value: Value, duplicates: Duplicates) -> pl.DataFrame | None:
        """Return all rows, each document once, or raise a FileError that names the line.

        The default returns None, which means that the first error cannot be improved.
        """
        return None

    def run_sizes(self) -> Counter[str]:
        """Count the rows of each run in a file that contains several, in the file's order."""
        sizes: Counter[str] = Counter()
        for piece in self.pieces("score"):
            sizes.update(dict(piece.group_by("run", maintain_order=True).len().iter_rows()))
        return sizes

    def rows_of(self, runs: Collection[str]) -> Iterator[pl.DataFrame]:
        """Yield the rows of some of the runs in a file that contains several, in pieces."""
        for piece in self.pieces("score"):
            yield piece.filter(piece["run"].is_in(list(runs)))

    @property
    def run_name(self) -> str:
        """The name of the file's run in results."""
        name = PurePath(self.name).name.removesuffix(".gz")
        ending = next((each for each in self.endings if name.endswith(each)), "")
        return text_of(name.removesuffix(ending))


def check_duplicates(duplicates: Any) -> None:
    """Raise a ValueError for a value other than those of :data:`Duplicates`."""
    if duplicates not in get_args(Duplicates):
        raise ValueError(f"duplicates must be 'error', 'first' or 'last', got {duplicates!r}")
