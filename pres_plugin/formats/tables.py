"""Tables with named columns: what their columns mean, and a base class of their formats."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence

import polars as pl

from pres_plugin.formats.base import DataFile, FileError, Reading, Value
from pres_plugin.formats.values import typed
from pres_plugin.remedy import RemediedError, Remedy, listed, quoted, shortened, some

#: What a column contains, and the names that ir-measures, PyTerrier, ranx and BEIR give it.
NAMES: dict[str, tuple[str, ...]] = {
    "run": ("run",),
    "query_id": ("query_id", "qid", "q_id", "query-id"),
    "doc_id": ("doc_id", "docno", "corpus-id", "corpus_id"),
    "relevance": ("relevance", "label", "rel"),
    "score": ("score",),
    "rank": ("rank",),
}

#: What people call such columns in spreadsheets. These names count only if a table has none of
#: the names above. Case, blanks and punctuation make no difference.
EVERYDAY_NAMES: dict[str, tuple[str, ...]] = {
    "query_id": ("topic", "topic id", "query"),
    "doc_id": (
        *("document", "document id", "document number"),
        *("publication", "publication number", "publication no", "patent number"),
    ),
    "relevance": ("relevant",),
    "rank": ("ranking", "position"),
    "family": ("family", "family id"),
    "group": ("group",),
}

#: The kind of a column and its name in the file, as the user has given them.
GivenNames = tuple[tuple[str, str], ...]

#: How many rows may precede the header, such as titles of reports.
ROWS_ABOVE = 20

# What people write for a relevance of 1 and of 0, in English and German.
_RELEVANCE = {
    **dict.fromkeys(("yes", "y", "true", "ja", "j", "wahr"), "1"),
    **dict.fromkeys(("no", "n", "false", "nein", "falsch"), "0"),
}


class TableFile(DataFile):
    """A table whose columns have names; columns with unknown names are ignored."""

    #: The names of the columns.
    names: Sequence[str] = ()
    #: Whether people edit such tables, so that ids may contain blanks by mistake.
    by_hand: bool = False
    #: Whether a comma in a number means the same as a decimal point.
    decimal_comma: bool = False

    @abstractmethod
    def tables(self, columns: dict[str, str]) -> Iterator[pl.DataFrame]:
        """Yield the rows in batches; `columns` maps the names of their columns to the file's."""

    def batches(self, value: Value) -> Iterator[pl.DataFrame]:
        """Yield the rows with the columns that are needed."""
        with self.located():
            columns = self.columns(value)
        for rows in self.tables(columns):
            with self.located():
                yield self.typed(rows)

    def typed(self, rows: pl.DataFrame, *, replaced: bool = False) -> pl.DataFrame:
        """Check the rows as :func:`.values.typed` does; a relevance may also be yes or no."""
        if rows.schema.get("relevance") == pl.String:
            word = pl.col("relevance").str.strip_chars().str.to_lowercase()
            number = word.replace_strict(_RELEVANCE, default=None, return_dtype=pl.String)
            rows = rows.with_columns(relevance=number.fill_null(pl.col("relevance")))
        comma = self.decimal_comma
        return typed(rows, by_hand=self.by_hand, decimal_comma=comma, replaced=replaced)

    def selected(self, rows: pl.DataFrame, columns: dict[str, str]) -> pl.DataFrame:
        """Select columns by position, because names of columns may occur twice."""
        at = list(self.names).index
        return rows.select(pl.nth(at(column)).alias(name) for name, column in columns.items())

    def set_names(self, names: Sequence[str]) -> None:
        """Set the names of the columns."""
        self.names = names
        self.has_runs: bool = bool(named(names, "run", self.reading.columns))

    def columns(self, value: Value) -> dict[str, str]:
        """Choose the columns to read; raise a RemediedError if one is missing.

        Return the names that the table uses for `query_id`, `doc_id` and one of `relevance`,
        `score` and `rank`. If a table of runs contains the names of runs, include `run`.
        """
        given = self.reading.columns
        numbers = ["score", "rank"]
        if value == "relevance":
            # ranx and BEIR call a relevance a score. With ranks or names of runs, the table is a
            # run.
            is_run = self.has_runs or named(self.names, "rank", given)
            numbers = ["relevance", *([] if is_run else ["score"])]
        # The user may prefer ranks to scores.
        numbers.sort(key=lambda kind: not _given(self.names, kind, given))
        runs = [["run"]] if value == "score" and self.has_runs else []
        chosen = self.chosen(["query_id"], ["doc_id"], numbers, *runs)
        return {value if kind == "score" else kind: name for kind, name in chosen.items()}

    def chosen(self, *choices: Sequence[str]) -> dict[str, str]:
        """Return the name of the column of the first kind that is there, for each choice of kinds.

        Raise a RemediedError if there is no column of any of these kinds, or more than one.
        """
        chosen: dict[str, str] = {}
        missing = []
        for kinds in choices:
            found = {kind: named(self.names, kind, self.reading.columns) for kind in kinds}
            kind = next((kind for kind in kinds if found[kind]), None)
            if kind is None:
                missing.append(kinds)
            else:
                chosen[kind] = _only(kind, found[kind])
        if missing:
            lacking = "there is no column" if len(missing) == 1 else "these columns are missing:"
            known = some([*filter(plain, self.names)], 20) or "none"
            hint = "" if chosen else "; the first row must name the columns"
            raise RemediedError(
                f"{lacking} {listed([' or '.join(kinds) for kinds in missing])}; the columns are "
                f"{known}{hint}",
                Remedy("for other names, write {}", "columns", ({k[0]: "NAME" for k in missing},)),
            )
        return chosen

    def column_of_runs(self, query_id: str) -> str | None:
        """Return the column whose values tell repeated documents or ranks of a topic apart.

        It has few different values, as the names of tools have.
        """
        used = self.columns("score")
        known = {name for kind in NAMES for name in named(self.names, kind, self.reading.columns)}
        others = {name: name for name in self.names if plain(name) and name not in known}
        is_wanted = pl.col("query_id") == query_id
        rows = pl.concat(batch.filter(is_wanted) for batch in self.tables(used | others))
        key = "rank" if "rank" in used else "doc_id"

        def n_repeated(*names: str) -> int:
            return int(rows.select(names).is_duplicated().sum())

        n_values = {name: rows[name].n_unique() for name in others}
        for name in sorted(others, key=lambda name: n_values[name]):
            # Not quite all, because a run may also contain a document twice.
            if (
                1 < n_values[name] <= max(2, rows.height // 2)
                and 2 * n_repeated(name, key) < n_repeated(key)
                and 2 * n_repeated(name, "doc_id") <= n_repeated("doc_id")
            ):
                return name
        return None


def plain(name: str) -> str:
    """Return a name without blanks and punctuation, in lower case."""
    return re.sub(r"[\W_]+", "", name).casefold()


def named(found: Sequence[str], kind: str, columns: GivenNames = ()) -> list[str]:
    """Return the columns of a kind: those that the user names, otherwise those with known names.

    A name that is written exactly as expected comes before others.
    """
    names = NAMES.get(kind, ())
    return (
        _given(found, kind, columns)
        or [name for name in found if name in names]
        or _alike(found, names)
        or _alike(found, EVERYDAY_NAMES.get(kind, ()))
    )


def _given(found: Sequence[str], kind: str, columns: GivenNames) -> list[str]:
    names = [name for of_kind, name in columns if of_kind == kind]
    return [name for name in found if name in names] or _alike(found, names)


def _alike(found: Sequence[str], names: Iterable[str]) -> list[str]:
    same = set(map(plain, names)) - {""}
    return [name for name in found if plain(name) in same]


def likeness(names: Sequence[str], columns: GivenNames) -> tuple[bool, bool]:
    """Return whether a row is a header of topics and documents, and whether it may be another one.

    The title of a report is alone in its row.
    """
    is_header = all(named(names, kind, columns) for kind in ("query_id", "doc_id"))
    return is_header, sum(map(bool, map(plain, names))) > 1


def given_names(columns: Mapping[str, str | Iterable[str]] | None) -> GivenNames:
    """Return the kinds and names of columns, or raise a ValueError for an unknown kind."""
    pairs = []
    for kind, names in (columns or {}).items():
        if kind not in NAMES:
            raise ValueError(f"columns must have keys among {', '.join(NAMES)}, got {kind!r}")
        pairs += [(kind, name) for name in ([names] if isinstance(names, str) else names)]
    return tuple(pairs)


def check_columns(reading: Reading | None, files: Iterable[DataFile]) -> None:
    """Raise a FileError if the user names a column that no file contains."""
    tables = [file for file in files if isinstance(file, TableFile)]
    for kind, name in reading.columns if reading else ():
        if not any(_given(table.names, kind, ((kind, name),)) for table in tables):
            known = dict.fromkeys(each for table in tables for each in table.names if plain(each))
            raise FileError(
                f"no file contains a column {quoted(name)}; the columns are "
                f"{some(known, 20) or 'none'}"
            )


def _only(kind: str, names: list[str]) -> str:
    if len(names) > 1:
        both = listed(list(map(shortened, names)))
        values = tuple({kind: name} for name in dict.fromkeys(names))
        remedy = Remedy("or choose one with {}", "columns", values) if len(values) > 1 else None
        raise RemediedError(f"columns {both} have the same meaning; keep one of them", remedy)
    return names[0]
