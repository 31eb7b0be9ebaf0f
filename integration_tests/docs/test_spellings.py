"""The tables of spellings: all tools read what a row shows, and score the same."""

import json
import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import ir_measures
import polars as pl
import pytest
from command import EXAMPLES, pres_eval
from forks import run_with_ranx

import pres_plugin
from pres_plugin import frames

DOCS = Path(__file__).parents[2] / "docs"
PAGE = "reference/measures.md"
RANKS = [50, 51, 53, 54]  # of the relevant documents in system 2

# What the columns of the tables are called.
TREC_EVAL, RANX = "as in trec_eval", "ranx"
RANK_FUNCTION = "[Python](python.md), from ranks"


def tables(page):
    """Yield the tables of a page: for each row, the cells by the column's name."""
    for table in re.findall(r"(?:^\|.*\n)+", (DOCS / page).read_text(encoding="utf-8"), re.M):
        heads, _, *rows = (
            [cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()
        )
        yield heads, [dict(zip(heads, row, strict=True)) for row in rows]


# The page says where ranx differs. Names with a star are not measures of ours.
OTHERWISE_IN_RANX, STAR = {"RBP *", "bpref *"}, " *"

#: The rows by the measure, or the parameter, in the first column.
ROWS = {
    row[heads[0]]: row
    for heads, rows in tables(PAGE)
    if RANX in heads
    for row in rows
    if row[heads[0]] not in OTHERWISE_IN_RANX
}


def spelt(row, column):
    return re.findall(r"`([^`]+)`", row.get(column, ""))


def in_ir_measures(row):
    (column,) = [head for head in row if head.startswith("ir-measures")]
    return spelt(row, column)


@pytest.fixture(scope="module")
def example():
    """The judgements and the run of system 2."""
    qrels, run = str(EXAMPLES / "qrels.txt"), str(EXAMPLES / "system-2.run")
    return list(ir_measures.read_trec_qrels(qrels)), list(ir_measures.read_trec_run(run))


@pytest.fixture(scope="module")
def score(example):
    """A function that scores the run as ir-measures does."""
    return lambda text: ir_measures.parse_measure(text).calc_aggregate(*example)


@pytest.fixture(scope="module")
def by_ranx():
    """The score of each spelling of ranx."""
    if find_spec("ranx") is None:
        pytest.skip("ranx is not installed")
    names = sorted({name for row in ROWS.values() for name in spelt(row, RANX)})
    printed = run_with_ranx(
        f"""
        import json, ranx, pres_plugin
        qrels = ranx.Qrels.from_file({str(EXAMPLES / "qrels.txt")!r}, kind="trec")
        run = ranx.Run.from_file({str(EXAMPLES / "system-2.run")!r}, kind="trec")
        scores = ranx.evaluate(qrels, run, {names!r})
        print(json.dumps({{name: float(score) for name, score in scores.items()}}))
        """
    )
    return json.loads(printed)


@pytest.mark.xdist_group("forks for ranx")
@pytest.mark.parametrize("name", ROWS)
def test_the_strings_of_all_tools_score_the_same(name, score, by_ranx):
    row = ROWS[name]
    expected = [score(text) for text in in_ir_measures(row)]
    if names := spelt(row, RANX):
        assert [by_ranx[name] for name in names] == pytest.approx(expected)
    for text in spelt(row, TREC_EVAL):
        (measure,) = ir_measures.parse_trec_measure(text)
        assert score(str(measure)) == pytest.approx(expected[0])
    for code in spelt(row, RANK_FUNCTION):
        value = eval(code, {**vars(pres_plugin), "ranks": RANKS, "n": 4})
        assert value == pytest.approx(expected[0])


@pytest.mark.parametrize("name", [name for name in ROWS if not name.endswith(STAR)])
def test_frames_score_the_same(name, score, example):
    qrels, run = (pl.DataFrame(rows).rename(str) for rows in example)
    for text in in_ir_measures(ROWS[name]):
        (value,) = frames.score(run, qrels, text)["value"]
        assert value == pytest.approx(score(text))


CARDS = sorted((DOCS / "reference" / "measures").glob("*.md"))


@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem)
def test_the_calls_on_a_measures_page_have_the_results_that_it_shows(path):
    (calls,) = [rows for heads, rows in tables(path) if heads == ["case", "call", "result"]]
    for row in calls:
        call = compile(row["call"].strip("`"), path.name, "eval")
        if row["result"].startswith("`ValueError`: "):
            message = re.escape(row["result"].removeprefix("`ValueError`: "))
            with pytest.raises(ValueError, match=f"^{message}$"):
                eval(call, {**vars(pres_plugin)})
        else:
            value = eval(call, {**vars(pres_plugin)})
            assert value == pytest.approx(float(row["result"]), abs=5e-5)


SYSTEMS = {"Ranks", "ranks of relevant documents"}


def shown_scores():
    """Yield a page, ranks, n, Nmax and the values shown, from each table of systems."""
    for page in ("explained/ap-and-recall.md", "try.md"):
        shown = [rows for heads, rows in tables(page) if SYSTEMS & {*heads}]
        assert shown, f"{page} has no table of systems"
        for row in (row for rows in shown for row in rows):
            (head,) = SYSTEMS & {*row}
            yield pytest.param(row, row[head], id=f"{page} {[*row.values()]}")


SCORES = {
    "PRES": pres_plugin.pres,
    "PRES_est": pres_plugin.pres_est,
    "AP": pres_plugin.average_precision,
    "Recall": pres_plugin.recall,
}


@pytest.mark.parametrize(("row", "ranks"), [*shown_scores()])
def test_tables_of_rankings_show_the_scores_of_their_ranks(row, ranks):
    found = [int(rank) for rank in re.findall(r"\d+", ranks)]
    if "…" in ranks:
        found = list(range(found[0], found[-1] + 1))
    for head, text in row.items():
        if (name := head.partition("@")[0]) in SCORES:
            value = SCORES[name](found, int(row.get("n", 4)), int(row.get("Nmax", 100)))
            assert text == f"{value:.4f}"


COMMANDS = [row["write"].strip("`") for _, rows in tables(PAGE) for row in rows if "write" in row]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_run(command, tmp_path):
    for file in [*EXAMPLES.glob("system-*.run"), EXAMPLES / "qrels.txt"]:
        (tmp_path / file.name).symlink_to(file)
    runs = " ".join(sorted(path.name for path in tmp_path.glob("*.run")))
    program, *arguments = shlex.split(command.replace("*.run", runs))
    result = pres_eval(*arguments, cwd=tmp_path)
    assert (program, result.returncode) == ("pres-eval", 0), result.stderr
