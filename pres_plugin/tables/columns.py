"""Tables with named columns: what their columns mean, and a base class of their formats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import starmap

import polars as pl

from pres_plugin.messages import InputError, listed, quoted, shortened, some
from pres_plugin.tables.base import DataFile, Names, Value
from pres_plugin.tables.values import is_value, number_columns, typed, without_words

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
    "query_id": ("topic", "topic id", "query", "Thema"),
    "doc_id": (
        *("document", "document id", "document number"),
        *("publication", "publication number", "publication no", "patent number"),
        *("Dokument", "Veröffentlichungsnummer"),
    ),
    "relevance": ("relevant",),
    "rank": ("ranking", "position", "Rang"),
    "family": ("family", "family id"),
    "group": ("group",),
    "N": ("N", "n_docs", "num_docs"),
    "measure": ("measure",),
    "value": ("value",),
}

# The columns of tables that are neither runs nor judgements.
_PAIRS: dict[Value, tuple[str, ...]] = {
    "family": ("doc_id", "family"),
    "group": ("query_id", "group"),
    "N": ("query_id", "N"),
    "value": ("value",),
}

#: How many rows may precede the header, such as titles of reports.
ROWS_ABOVE = 20


class TableFile(DataFile):
    """A table whose columns have names; columns with unknown names are ignored."""

    #: Whether people edit such tables, so that ids may contain blanks by mistake.
    by_hand: bool = False
    #: Whether numbers may have decimal commas.
    decimal_comma: bool = False
    #: The first decimal sign, which is that of all numbers.
    decimal_sign: str = ""

    #: Where the names of the columns are, for errors.
    where: str = ""

    def tables(self, columns: dict[str, str]) -> Iterator[pl.DataFrame]:
        """Yield the rows in batches; `columns` maps the names of their columns to the file's."""
        raise NotImplementedError

    def batches(self, value: Value) -> Iterator[pl.DataFrame]:
        """Yield the rows with the columns that are needed."""
        with self.located():
            columns = self.columns(value)
        for rows in self.tables(columns):
            with self.located():
                yield self.checked(rows)

    def checked(self, rows: pl.DataFrame, *, replaced: bool = False) -> pl.DataFrame:
        """Check the rows as :func:`.values.typed` does, after replacing commas and words."""
        for name in number_columns(rows):
            number = self._with_points(rows[name]) if self.decimal_comma else rows[name]
            rows = rows.with_columns(without_words(number))
        return typed(rows, by_hand=self.by_hand, replaced=replaced)

    def _with_points(self, numbers: pl.Series) -> pl.Series:
        """Replace decimal commas; raise an InputError if others have points.

        Then the commas may separate thousands.
        """
        signs = numbers.str.extract("([.,])")
        self.decimal_sign = self.decimal_sign or next(iter(signs.drop_nulls()), "")
        for other in numbers.filter(signs != self.decimal_sign).head(1):
            raise InputError(
                f"{quoted(other)} in column {numbers.name} and a number before it have different "
                "decimal signs, or separate thousands; write all numbers alike, without separators "
                "of thousands"
            )
        return numbers.str.replace(",", ".", literal=True)

    def selected(self, rows: pl.DataFrame, columns: dict[str, str]) -> pl.DataFrame:
        """Select columns by position, because names of columns may occur twice."""
        at = list(self.names).index
        return rows.select(pl.nth(at(column)).alias(name) for name, column in columns.items())

    def set_names(self, names: Sequence[str]) -> None:
        """Set the names of the columns, and what they mean."""
        self.names = names
        self.meanings: dict[str, list[str]] = meanings(names, self.reading.columns)
        self.has_runs: bool = bool(self.meanings["run"])

    def columns(self, value: Value) -> dict[str, str]:
        """Choose the columns to read; raise an InputError if one is missing.

        Return the names that the table uses for `query_id`, `doc_id` and one of `relevance`,
        `score` and `rank`. If a table of runs contains the names of runs, include `run`. Other
        tables have two columns.
        """
        if kinds := _PAIRS.get(value):
            if value == "value":
                about = ("run", "query_id", "measure")
                kinds = (*(kind for kind in about if self.meanings[kind]), *kinds)
            return self.chosen(*([kind] for kind in kinds))
        # The user may prefer ranks to scores.
        numbers = ["rank", "score"] if "rank" in self.reading.columns else ["score", "rank"]
        runs = [["run"]] if self.has_runs else []
        if value == "relevance":
            # ranx and BEIR call a relevance a score. With ranks or names of runs, the table is a
            # run.
            is_run = self.meanings["rank"] or self.has_runs
            numbers, runs = ["relevance", *([] if is_run else ["score"])], []
        chosen = self.chosen(["query_id"], ["doc_id"], numbers, *runs)
        return {value if kind == "score" else kind: name for kind, name in chosen.items()}

    def chosen(self, *choices: Sequence[str]) -> dict[str, str]:
        """Return the name of the column of the first kind that is there, for each choice of kinds.

        Raise an InputError if there is no column of any of these kinds, or more than one.
        """
        there = [[kind for kind in kinds if self.meanings[kind]] for kinds in choices]
        chosen = {kind: _only(kind, self.meanings[kind]) for kind, *_ in filter(None, there)}
        known = some([*filter(plain, self.names)], 20) or "none"
        # A row of data that is taken for names would be lost.
        if self.by_hand and any(starmap(is_value, chosen.items())):
            raise InputError(
                f"no row names the columns: {known}{self.where} are values; write a first row with "
                "names such as query_id, doc_id and score"
            )
        if len(chosen) == len(choices):
            return chosen
        missing = [kinds for kinds, found in zip(choices, there, strict=True) if not found]
        lacking = "there is no column" if len(missing) == 1 else "these columns are missing:"
        hint = "" if chosen else "; the first row must name the columns"
        if {"score", "relevance"} & {kind for kinds in choices for kind in kinds}:
            names = {kinds[0]: "NAME" for kinds in missing}
            options = " ".join(f'--columns {kind}="NAME"' for kind in names)
            hint += f"; for other names, write columns={names} ({options})"
        raise InputError(
            f"{lacking} {listed([' or '.join(kinds) for kinds in missing])}; the columns"
            f"{self.where} are {known}{hint}"
        )


def plain(name: str) -> str:
    """Return a name in lower case, without blanks and punctuation unless there is nothing else."""
    return re.sub(r"[\W_]+", "", name).casefold() or name.strip()


def meanings(found: Sequence[str], columns: Names) -> dict[str, list[str]]:
    """Return the columns of each kind: those that the user names, or those with known names.

    Exact names come first, then their variants in spelling, and everyday names come last.
    """
    sources: tuple[Names, ...] = (columns, NAMES, EVERYDAY_NAMES)

    def alike(names: Sequence[str]) -> list[str]:
        exact, same = [name for name in found if name in names], set(map(plain, names))
        return exact or [name for name in found if plain(name) in same]

    return {
        kind: next(filter(None, (alike(of.get(kind, ())) for of in sources)), [])
        for kind in NAMES | EVERYDAY_NAMES
    }


def likeness(names: Sequence[str], columns: Names) -> tuple[bool, int, bool]:
    """Return how much a row looks like a header; larger tuples look more like one.

    The tuple states whether the row names columns of topics and documents, how many kinds of
    columns it names, and whether it has several cells, unlike a title. A single name may be a
    value, unless the user gives a name of this kind.
    """
    if sum(map(bool, map(plain, names))) < 2:
        return False, 0, False
    found = meanings(names, columns)
    kinds = [kind for kind in found if found[kind]]
    are_names = len(kinds) > 1 or any(kind in columns for kind in kinds)
    return bool(found["query_id"] and found["doc_id"]), len(kinds) * are_names, True


def given_names(columns: Mapping[str, str | Iterable[str]] | None) -> Names:
    """Return the names of each kind of column, or raise a ValueError for an unknown kind."""
    for kind in columns or ():
        if kind not in NAMES:
            raise ValueError(f"columns must have keys among {', '.join(NAMES)}, got {kind!r}")
    return {k: [n] if isinstance(n, str) else [*n] for k, n in (columns or {}).items()}


def _only(kind: str, names: list[str]) -> str:
    if len(names) > 1:
        both = listed(list(map(shortened, names)))
        raise InputError(
            f"columns {both} have the same meaning; choose one with columns={ {kind: names[0]} } "
            f'(--columns {kind}="{names[0]}")'
        )
    return names[0]
