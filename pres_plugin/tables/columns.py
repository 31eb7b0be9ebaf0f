"""Tables with named columns: what their columns mean, and a base class of their formats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import starmap
from typing import Any

import polars as pl

from pres_plugin.messages import InputError, listed, quoted, shortened, some
from pres_plugin.tables.base import DataFile, Names, Reading, Value
from pres_plugin.tables.values import Words, is_value, number_columns, typed

#: What a column contains, and the names that ir-measures, PyTerrier, ranx and BEIR give it. Case,
#: blanks and punctuation make no difference, so `corpus-id` is also known.
NAMES: dict[str, tuple[str, ...]] = {
    "run": ("run",),
    "query_id": ("query_id", "qid"),
    "doc_id": ("doc_id", "docno", "corpus_id", "record_id"),
    "relevance": ("relevance", "label", "rel"),
    "score": ("score",),
    "rank": ("rank",),
}

#: What people and other tools call such columns. These names count only if a table has none of the
#: names above.
EVERYDAY_NAMES: dict[str, tuple[str, ...]] = {
    "query_id": ("topic", "topic id", "query", "Thema"),
    "doc_id": (
        *("document", "document id", "document number", "doi", "pmid", "id"),
        *("publication", "publication number", "publication no", "patent number", "display key"),
        *("Dokument", "Veröffentlichungsnummer"),
    ),
    "relevance": (
        *("relevant", "label included", "included", "rating", "relevant docs", "qrels"),
        *("judgements", "judgments"),
    ),
    "score": ("results", "scores"),
    "rank": ("ranking", "position", "Rang"),
    "family": ("family", "family id", "inpadoc family id", "simple family id", "docdb family id"),
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

#: The kinds of columns that users may name.
KINDS = (*NAMES, "family")

#: The topic of all rows if no file names topics.
ONE_TOPIC = "topic"

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

    def set_names(self, names: Sequence[str], *, nested: bool = False) -> None:
        """Choose the columns to read; raise an InputError if one is missing.

        `nested` states whether a row may contain all documents of its topic.
        """
        self.names = names
        self.words: Words = Words(self.reading.grades)
        with self.located():
            #: The table's names of the columns to read, by what they contain.
            self.columns: dict[str, str] = chosen(names, self.reading, self.where, nested=nested)
        # A row of data that is taken for names would be lost.
        has_header = self.by_hand and not is_positions(names)
        if has_header and any(starmap(is_value, self.columns.items())):
            raise self.error(unnamed(names, self.reading.value))
        self.has_runs: bool = "run" in self.columns
        self.others: bool = len(names) > 3
        self.has_topics: bool = "query_id" in self.columns or self.reading.topic is not None
        number = self.columns.keys() & {"score", "rank", "relevance"}
        if self.reading.value == "score" and not number:
            self.notes = ("there is no score or rank, so the rows are in order, best first",)
        elif self.reading.value == "relevance" and not (number or self.reading.all_relevant):
            self.notes = ("there is no relevance, so all documents are relevant",)

    def checked(self, rows: pl.DataFrame, **how: Any) -> pl.DataFrame:
        """Check the rows as :func:`.values.typed` does, after replacing commas and words."""
        for name in number_columns(rows):
            number = self._with_points(rows[name]) if self.decimal_comma else rows[name]
            rows = rows.with_columns(self.words.replaced(number))
        rows = typed(rows, by_hand=self.by_hand, words=self.words, **how)
        if self.reading.value == "relevance" and "relevance" not in rows.columns:
            rows = rows.with_columns(relevance=pl.lit(1, pl.Int64))
        if self.reading.value not in ("relevance", "score") or "query_id" in self.columns:
            return rows
        return rows.with_columns(query_id=pl.lit(self.reading.topic or ONE_TOPIC))

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

    def selected(self, rows: pl.DataFrame, columns: Mapping[str, str]) -> pl.DataFrame:
        """Select columns by position, because names of columns may occur twice."""
        at = list(self.names).index
        return rows.select(pl.nth(at(column)).alias(name) for name, column in columns.items())


def chosen(
    names: Sequence[str], reading: Reading, where: str = "", *, nested: bool = False
) -> dict[str, str]:
    """Choose the columns to read; raise an InputError if one is missing.

    Return the table's names of the columns by what they contain: `query_id`, `doc_id`, and one of
    `relevance`, `score` and `rank`; for tables of runs, also `run`, if there is one. A table may
    lack topics, and runs in order lack scores and ranks. If a table contains only documents and
    topics, all are relevant. Other tables have two columns. `nested` states whether a row may
    contain all documents of its topic, so that there is no `doc_id`.
    """
    value, found = reading.value, meanings(names, reading.columns)
    if value in _PAIRS:
        about = [each for each in ("run", "query_id", "measure") if found[each]]
        needed = [[kind] for kind in (*(about if value == "value" else ()), *_PAIRS[value])]
    else:
        needed = [["doc_id"], _numbers(found, reading)]
    there = {kind: found[kind] for kinds in needed for kind in kinds if found[kind]}
    first = (next((kind for kind in kinds if kind in there), None) for kinds in needed)
    columns = {kind: _only(kind, there[kind]) for kind in first if kind}
    if value in _PAIRS:
        missing = [kinds for kinds in needed if not there.keys() & set(kinds)]
    else:
        topics = found["query_id"] and reading.topic is None
        optional = {"query_id": topics, "run": value == "score" and found["run"]}
        columns |= {kind: _only(kind, found[kind]) for kind, there in optional.items() if there}
        missing = _missing(names, columns, reading, nested=nested)
    if missing:
        raise _lacking(missing, names, reading, where, empty=not any(found.values()))
    # BEIR calls a relevance a score.
    return {value if kind == "score" else kind: name for kind, name in columns.items()}


def _numbers(found: Mapping[str, Sequence[str]], reading: Reading) -> list[str]:
    """Return the kinds of numbers to look for in a run or in judgements, the best one first."""
    if reading.value == "score":
        # The user may prefer ranks to scores.
        return ["rank", "score"] if "rank" in reading.columns else ["score", "rank"]
    if reading.all_relevant:
        return []
    # With ranks or names of runs, the table is a run.
    return ["relevance"] if found["rank"] or found["run"] else ["relevance", "score"]


def _missing(
    names: Sequence[str], columns: dict[str, str], reading: Reading, *, nested: bool
) -> list[list[str]]:
    """Return the kinds of columns that a run or judgements lack."""
    has_number = columns.keys() & {"relevance", "score", "rank"}
    if "doc_id" not in columns:
        return [] if nested and has_number else [["doc_id"]]
    only_ids = set(filter(plain, names)) == set(columns.values())
    if reading.value == "score" or reading.all_relevant or has_number or only_ids:
        return []
    return [["relevance"]]


def _lacking(
    missing: list[list[str]], names: Sequence[str], reading: Reading, where: str, *, empty: bool
) -> InputError:
    """Return the error about missing columns."""
    known = some([*filter(plain, names)], 20) or "none"
    if empty and known != "none" and reading.value in ("relevance", "score"):
        return InputError(unnamed(names, reading.value))
    lacking = "there is no column" if len(missing) == 1 else "these columns are missing:"
    there = {kinds[0]: "NAME" for kinds in missing if kinds[0] in KINDS}
    options = " ".join(f'--columns {kind}="NAME"' for kind in there)
    hint = f"; for other names, write columns={there} ({options})" if there else ""
    if known == "none":
        hint = "; the first row must name the columns"
    if missing == [["relevance"]]:
        hint += "; if all documents are relevant, write all_relevant=True (--all-relevant)"
    return InputError(
        f"{lacking} {listed([' or '.join(kinds) for kinds in missing])}; the columns{where} are "
        f"{known}{hint}"
    )


def unnamed(row: Sequence[str], value: Value) -> str:
    """Return the problem with a run or judgements without names, and positions as a remedy."""
    fields = [field for cell in row for field in cell.split()] if len(row) == 1 else row
    kinds = ["query_id", "doc_id"][len(fields) < 2 :]
    if len(fields) > 2:
        is_rank = fields[2].strip().isdecimal() and value == "score"
        kinds.append("rank" if is_rank else value)
    at = {kind: position for position, kind in enumerate(kinds, 1)}
    options = " ".join(f"{kind}={position}" for kind, position in at.items())
    trec = "runs have 6" if value == "score" else "judgements have 4"
    return (
        f"no row names the columns, and this is not TREC's format, in which {trec} fields; if "
        f"{some(fields, 20)} are values, say which columns they are in, for instance columns={at} "
        f'(--columns "{options}")'
    )


def plain(name: str) -> str:
    """Return a name in lower case, without blanks and punctuation unless there is nothing else."""
    return re.sub(r"[\W_]+", "", name).casefold() or name.strip()


def is_positions(names: Sequence[str]) -> bool:
    """Return whether a table has no header, so that its columns are called 1, 2, …."""
    return list(names) == positions(names)


def positions(row: Sequence[str]) -> list[str]:
    """Return the names of the columns of a table without a header, given a row."""
    return [str(position) for position in range(1, len(row) + 1)]


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


def likeness(names: Sequence[str], columns: Names) -> tuple[bool, int, bool, int]:
    """Return how much a row looks like a header; larger tuples look more like one.

    The tuple states whether the row names columns of topics and documents, how many kinds of
    columns it names for certain, whether it has several cells, unlike a title, and how many kinds
    it may name. A single name may be a value, unless the user gives a name of this kind.
    """
    is_row = sum(map(bool, map(plain, names))) > 1
    found = meanings(names, columns)
    kinds = [kind for kind in found if found[kind]]
    are_names = is_row and (len(kinds) > 1 or any(columns.get(kind) for kind in kinds))
    both = is_row and bool(found["query_id"] and found["doc_id"])
    return both, len(kinds) * are_names, is_row, len(kinds)


def header_in(rows: Sequence[Sequence[str]], reading: Reading) -> int | None:
    """Return the index of the first of the rows that are most likely to name the columns.

    Return None if no row names any, and the user gives positions of columns.
    """
    likely = [likeness(row, reading.names) for row in rows]
    best = max(likely, default=(False, 0, False, 0))
    if not best[1] and reading.names != reading.columns:
        return None
    return likely.index(best) if likely else 0


def given_names(columns: Mapping[str, str | int | Iterable[str]] | None) -> Names:
    """Return the names of each kind of column, or raise a ValueError for an unknown kind."""
    for kind in columns or ():
        if kind not in KINDS:
            raise ValueError(f"columns must have keys among {', '.join(KINDS)}, got {kind!r}")
    return {
        kind: [str(name)] if isinstance(name, str | int) else [*name]
        for kind, name in (columns or {}).items()
    }


def _only(kind: str, names: list[str]) -> str:
    if len(names) > 1:
        both = listed(list(map(shortened, names)))
        raise InputError(
            f"columns {both} have the same meaning; choose one with columns={ {kind: names[0]} } "
            f'(--columns {kind}="{names[0]}")'
        )
    return names[0]
