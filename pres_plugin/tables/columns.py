"""Tables with named columns: what their columns mean, and a base class of their formats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
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
    "query_id": ("topic", "topic id", "query", "query text", "search term", "Thema"),
    "doc_id": (
        *("document", "document id", "document number", "openalex id", "control number"),
        *("publication", "publication number", "publication no", "patent number", "display key"),
        *("Dokument", "Veröffentlichungsnummer"),
    ),
    "relevance": (
        *("relevant", "rating", "relevant docs", "qrels", "judgements", "judgments"),
        *("label included", "included label", "asreview label", "included", "include"),
    ),
    "score": ("results", "scores"),
    "rank": ("ranking", "position", "Rang"),
    "family": (
        *(
            "family",
            "family id",
            "family number",
            "simple family",
            "inpadoc family",
            "simple family id",
            "extended family id",
        ),
        *("inpadoc family id", "docdb family id"),
    ),
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
        known, given = meanings(names, {}), self.reading.names.items()
        unknown = ((kind, name) for kind, of in given for name in of if name not in known[kind])
        if any(name in names and is_value(kind, name) for kind, name in unknown):
            raise self.error(_unnamed(names, self.reading.value, self.where))
        self.has_runs: bool = "run" in self.columns
        self.others: bool = len(names) > 3
        is_named = "query_id" in self.columns or self.reading.topic is not None
        self.has_topics: bool = is_named or self.reading.value in _PAIRS
        self.notes: Sequence[str] = ()
        number = self.columns.keys() & {"score", "rank", "relevance"}
        if self.reading.value == "score" and not number:
            note = "there is no score or rank, so the rows are in order, best first"
            if set(names) > set(self.columns.values()):
                note += f"; if a column contains scores, write {_option({'score': 'NAME'})}"
            self.notes = (note,)
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
    names: Sequence[str],
    reading: Reading,
    where: str = "",
    *,
    nested: bool = False,
    in_frame: bool = False,
) -> dict[str, str]:
    """Choose the columns to read; raise an InputError if one is missing.

    Return the table's names of the columns by what they contain: `query_id`, `doc_id`, and one of
    `relevance`, `score` and `rank`; for tables of runs, also `run`, if there is one. A file may
    lack topics, and runs in order lack scores and ranks. If a file contains only documents and
    topics, all are relevant. Other tables have two columns. `nested` states whether a row may
    contain all documents of its topic, so that there is no `doc_id`, and `in_frame` whether this is
    a dataframe, which must not lack any.
    """
    value, found = reading.value, meanings(names, reading.columns)
    is_pair = value in _PAIRS
    if is_pair:
        about = [each for each in ("run", "query_id", "measure") if found[each]]
        needed = [[kind] for kind in (*(about if value == "value" else ()), *_PAIRS[value])]
    else:
        topics = ["query_id"] if reading.topic is None else []
        needed = [topics, ["doc_id"], _numbers(found, reading)]
        if value == "score" and found["run"] and not in_frame:
            needed.append(["run"])
    columns, missing = {}, []
    for kinds in needed:
        if there := [kind for kind in kinds if found[kind]]:
            columns[there[0]] = _only(there[0], found[there[0]], in_frame)
        elif kinds:
            missing.append(kinds)
    if not (is_pair or in_frame):
        missing = _without_optional(missing, names, columns, reading, nested=nested)
        if missing and not any(found.values()) and any(map(plain, names)):
            raise InputError(_unnamed(names, value, where))
    if missing:
        raise InputError(_lacking(missing, names, where, is_file=not (is_pair or in_frame)))
    # BEIR calls a relevance a score.
    return {value if kind == "score" else kind: name for kind, name in columns.items()}


def _numbers(found: Mapping[str, Sequence[str]], reading: Reading) -> list[str]:
    """Return what the numbers of a run or of judgements may be, the best one first."""
    if reading.value == "score":
        # The user may prefer ranks to scores.
        return ["rank", "score"] if "rank" in reading.columns else ["score", "rank"]
    if reading.all_relevant:
        return []
    # With ranks or names of runs, the table is a run.
    return ["relevance"] if found["rank"] or found["run"] else ["relevance", "score"]


def _without_optional(
    missing: list[list[str]],
    names: Sequence[str],
    columns: Mapping[str, str],
    reading: Reading,
    *,
    nested: bool,
) -> list[list[str]]:
    """Return the missing columns of a file that it must not lack."""
    may_lack = ["query_id"]
    if nested and columns.keys() & {"relevance", "score", "rank"} and "doc_id" not in columns:
        may_lack = ["doc_id"]
    # Some tools order judged documents by relevance, so that the order is no ranking.
    in_order = reading.value == "score" and not meanings(names, reading.columns)["relevance"]
    if in_order or set(filter(plain, names)) == set(columns.values()):
        may_lack += ["score", "rank", "relevance"]
    return [kinds for kinds in missing if kinds[0] not in may_lack]


def _lacking(
    missing: Sequence[Sequence[str]], names: Sequence[str], where: str, *, is_file: bool
) -> str:
    """Return the problem with a table that lacks columns, and what to do."""
    lacking = "there is no column" if len(missing) == 1 else "these columns are missing:"
    kinds = listed([" or ".join(kinds) for kinds in missing])
    known = some([*filter(plain, names)], 20) or "none"
    problem = f"{lacking} {kinds}; the columns{where} are {known}"
    if is_file and known == "none":
        return f"{problem}; the first row must name the columns"
    if is_file:
        problem += f"; for other names, write {_option({kind: 'NAME' for kind, *_ in missing})}"
    if is_file and "relevance" in missing[0]:
        problem += "; if all documents are relevant, write all_relevant=True (--all-relevant)"
    return problem


def _unnamed(row: Sequence[str], value: Value, where: str) -> str:
    """Return the problem with a run or judgements without known names, and two remedies."""
    fields = row[0].split() if len(row) == 1 else row
    kinds = ["query_id", "doc_id", value][len(fields) < 2 :][: len(fields)]
    if len(fields) > 2 and fields[2].strip().isdecimal() and value == "score":
        kinds[2] = "rank"
    at = {kind: position for position, kind in enumerate(kinds, 1)}
    trec = "runs have 6" if value == "score" else "judgements have 4"
    return (
        f"no row names the columns, and this is not TREC's format, in which {trec} fields; found "
        f"{some(fields, 20)}{where}: if these are names, write "
        f"{_option(dict.fromkeys(kinds, 'NAME'))}; if they are values, write {_option(at)}"
    )


def _option(names: Mapping[str, str | int]) -> str:
    """Return how to name columns: as an argument, and as an option of the command."""
    texts = {kind: f'"{name}"' if isinstance(name, str) else name for kind, name in names.items()}
    option = " ".join(f"{kind}={text}" for kind, text in texts.items())
    return f"columns={dict(names)} (--columns {option})"


def plain(name: str) -> str:
    """Return a name in lower case, without blanks and punctuation unless there is nothing else."""
    return re.sub(r"[\W_]+", "", name).casefold() or name.strip()


def positions(row: Sequence[str]) -> list[str]:
    """Return the names of the columns of a table without a header, given a row."""
    return [str(position) for position in range(1, len(row) + 1)]


def _spellings(names: Names) -> dict[str, tuple[set[str], set[str]]]:
    """Return the names of each kind, as they are and plain."""
    return {kind: ({*of}, {*map(plain, of)}) for kind, of in names.items()}


# Made once, because the rows above the header of each file are compared with them.
_KNOWN = _spellings(NAMES), _spellings(EVERYDAY_NAMES)


def meanings(found: Sequence[str], columns: Names) -> dict[str, list[str]]:
    """Return the columns of each kind: those that the user names, or those with known names.

    Exact names come first, then their variants in spelling, and everyday names come last.
    """
    sources = (_spellings(columns), *_KNOWN)
    plain_names = [*map(plain, found)]

    def alike(exact: set[str], same: set[str]) -> list[str]:
        return [name for name in found if name in exact] or [
            name for name, each in zip(found, plain_names, strict=True) if each in same
        ]

    return {
        kind: next(filter(None, (alike(*of[kind]) for of in sources if kind in of)), [])
        for kind in NAMES | EVERYDAY_NAMES
    }


def likeness(names: Sequence[str], columns: Names) -> tuple[bool, int, bool, int, int]:
    """Return how much a row looks like a header; larger tuples look more like one.

    The tuple states whether the row names columns of topics and documents, how many kinds of
    columns it names for certain, whether it has several cells, unlike a title, how many kinds it
    may name, and if it names none, how many cells it has. A single name may be a value, unless the
    user gives a name of this kind.
    """
    n_cells = sum(map(bool, map(plain, names)))
    is_row = n_cells > 1
    found = meanings(names, columns)
    kinds = [kind for kind in found if found[kind]]
    are_names = is_row and (len(kinds) > 1 or any(columns.get(kind) for kind in kinds))
    both = is_row and bool(found["query_id"] and found["doc_id"])
    return both, len(kinds) * are_names, is_row, len(kinds), 0 if kinds else n_cells


def header_in(rows: Sequence[Sequence[str]], reading: Reading) -> int | None:
    """Return the index of the first of the rows that are most likely to name the columns.

    Return None if no row names any, and the user gives positions of columns.
    """
    likely = [likeness(row, reading.names) for row in rows]
    at = max(range(len(rows)), key=likely.__getitem__, default=0)
    return None if reading.has_positions and not (likely and likely[at][1]) else at


def given_names(columns: Mapping[str, str | int | Iterable[str]] | None) -> Names:
    """Return the names of each kind of column, or raise a ValueError for an unknown kind."""
    for kind in columns or ():
        if kind not in KINDS:
            raise ValueError(f"columns must have keys among {', '.join(KINDS)}, got {kind!r}")
    return {
        kind: [str(name)] if isinstance(name, str | int) else [*name]
        for kind, name in (columns or {}).items()
    }


def _only(kind: str, names: list[str], in_frame: bool) -> str:
    if len(names) > 1:
        choose = f"choose one with {_option({kind: names[0]})}"
        advice = "rename all but one of them" if in_frame else choose
        raise InputError(
            f"columns {listed(list(map(shortened, names)))} have the same meaning; {advice}"
        )
    return names[0]
