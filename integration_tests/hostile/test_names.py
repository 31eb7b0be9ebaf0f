"""Each output format preserves any name: a parser of that format reads it unchanged."""

import csv
import io
import json
import re

import polars as pl
import pytest
from command import pres_eval, refused
from markdown_it import MarkdownIt
from odd_names import ODD_NAMES

from pres_plugin.cli.output import FORMATS, PAPERS


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Runs, topics and documents with odd names, in Parquet, which can hold any of them.

    Each run lacks the last topic, so there is a warning about each. Topics have one document,
    except the first one, in which documents have odd names too.
    """
    folder = tmp_path_factory.mktemp("names")
    documents = [f"EP{number:03}" for number in range(len(ODD_NAMES))]
    rows = [(topic, document, 1) for topic, document in zip(ODD_NAMES, documents, strict=True)]
    rows += [(ODD_NAMES[0], name, 1) for name in ODD_NAMES]
    schema = ["query_id", "doc_id", "relevance"]
    qrels = pl.DataFrame(rows, schema=schema, orient="row")
    qrels.write_parquet(folder / "qrels.parquet")
    found = qrels.filter(pl.col("query_id") != ODD_NAMES[-1]).rename({"relevance": "score"})
    runs = [found.with_columns(run=pl.lit(name)) for name in ODD_NAMES]
    pl.concat(runs).write_parquet(folder / "runs.parquet")
    runs[0].drop("run").write_parquet(folder / "run.parquet")
    return folder


def unescaped(text):
    """Read a name in which hidden characters are written as in Python."""
    return re.sub(r"\\(x[0-9a-f]{2}|u[0-9a-f]{4}|.)", character, text)


def character(match):
    code = match[1]
    return (
        chr(int(code[1:], 16))
        if len(code) > 1
        else {"t": "\t", "n": "\n", "r": "\r"}.get(code, code)
    )


def from_tsv(text):
    return [[unescaped(field) for field in line.split("\t")] for line in text.split("\n")[1:-1]]


def from_csv(text):
    return list(csv.reader(io.StringIO(text, newline="")))[1:]


def from_json(text):
    return [list(record.values()) for record in json.loads(text)]


def from_table(text):
    """Read the columns of a table, which the line below the header marks with dashes."""
    _, dashes, *lines = text.split("\n")[:-1]
    spans = [match.span() for match in re.finditer("-+", dashes)]
    # A wide character takes two columns, and an accent none.
    lines = [re.sub("([漢字😀])", "\\1\0", line).replace("e\u0301", "e") for line in lines]
    cells = ([line[start:end] for start, end in spans] for line in lines)
    return [[unescaped(cell.replace("\0", "").rstrip()) for cell in row] for row in cells]


def from_markdown(text):
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(text)
    cells = [
        "".join(child.content for child in tokens[i + 1].children)
        for i, token in enumerate(tokens)
        if token.type == "td_open"
    ]
    width = sum(token.type == "th_open" for token in tokens)
    cells = list(map(unescaped, cells))
    return [cells[i : i + width] for i in range(0, len(cells), width)]


TEX = {
    **{rf"\{c}": c for c in "&%$#_{}"},
    **{f"{{{c}}}": c for c in "[*-'"},
    r"\textasciicircum{}": "^",
    r"\textasciitilde{}": "~",
    r"\textasciigrave{}": "`",
    r"\textbackslash{}": "\\",
    r"\textbar{}": "|",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
}


def from_latex(text):
    rows = re.findall(r"^ (.*)\\\\$", text.split(r"\midrule")[1], re.MULTILINE)
    commands = re.compile("|".join(map(re.escape, sorted(TEX, key=len, reverse=True))))
    return [
        [unescaped(commands.sub(lambda found: TEX[found[0]], cell.strip())) for cell in cells]
        for cells in (re.split(r"(?<!\\)&", row) for row in rows)
    ]


READERS = {
    "table": from_table,
    "tsv": from_tsv,
    "csv": from_csv,
    "json": from_json,
    "markdown": from_markdown,
    "latex": from_latex,
}


def test_there_is_a_reader_for_each_format():
    assert set(READERS) == {*FORMATS, *PAPERS}


def names_in(fmt, text, column):
    found = [row[column] for row in READERS[fmt](text)]
    # An accent shares a column with its letter, so `from_table` leaves it out.
    return [
        name.replace("e", "e\u0301") if fmt == "table" and name == "e" else name for name in found
    ]


@pytest.mark.parametrize("fmt", READERS)
def test_runs(folder, fmt):
    result = pres_eval("score", "qrels.parquet", "runs.parquet", "-m", "R@9", "-f", fmt, cwd=folder)
    assert result.returncode == 0
    assert names_in(fmt, result.stdout, 0) == ODD_NAMES


@pytest.mark.parametrize("fmt", READERS)
def test_topics(folder, fmt):
    arguments = ("score", "qrels.parquet", "run.parquet", "-m", "R@9", "--by-query", "-f", fmt)
    result = pres_eval(*arguments, cwd=folder)
    assert result.returncode == 0
    assert names_in(fmt, result.stdout, 1)[:-1] == ODD_NAMES


def test_warnings_are_one_line_each(folder):
    result = pres_eval("score", "qrels.parquet", "runs.parquet", "-m", "PRES@99", cwd=folder)
    lines = result.stderr.removesuffix("\n").split("\n")
    # Each run lacks a topic, and has fewer documents than Nmax. There is one warning per kind.
    assert len(lines) == 2
    assert all(line.startswith("pres-eval: warning: runs.parquet, run ") for line in lines)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u202e]", "".join(lines))


def test_errors_are_one_line(folder):
    for name in ODD_NAMES:
        line = refused("explain", "qrels.parquet", "run.parquet", "--query", f"{name}?", cwd=folder)
        assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u202e]", line)
