"""The tables of spellings: all tools read what a row shows, and score the same."""

import json
import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import ir_measures
import pytest
from command import EXAMPLES, pres_eval
from forks import run_with_ranx

import pres_plugin

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


# The page says where ranx differs.
OTHERWISE_IN_RANX = {"RBP *", "bpref *"}

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


QRELS, RUN = str(EXAMPLES / "qrels.txt"), str(EXAMPLES / "system-2.run")


@pytest.fixture(scope="module")
def score():
    """A function that scores system 2 as ir-measures does."""
    qrels, run = list(ir_measures.read_trec_qrels(QRELS)), list(ir_measures.read_trec_run(RUN))
    return lambda text: ir_measures.parse_measure(text).calc_aggregate(qrels, run)


@pytest.fixture(scope="module")
def by_ranx():
    """The score of each spelling of ranx."""
    if find_spec("ranx") is None:
        pytest.skip("ranx is not installed")
    names = sorted({name for row in ROWS.values() for name in spelt(row, RANX)})
    printed = run_with_ranx(
        f"""
        import json, ranx, pres_plugin
        qrels = ranx.Qrels.from_file({QRELS!r}, kind="trec")
        run = ranx.Run.from_file({RUN!r}, kind="trec")
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


CARDS = sorted((DOCS / "reference" / "measures").glob("*.md"))


@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem)
def test_the_calls_on_a_measures_page_have_the_results_that_it_shows(path):
    (calls,) = [rows for heads, rows in tables(path) if heads == ["case", "call", "result"]]
    for row in calls:
        call, message = row["call"].strip("`"), row["result"].partition("`ValueError`: ")[2]
        if message:
            with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
                eval(call, {**vars(pres_plugin)})
        else:
            value = eval(call, {**vars(pres_plugin)})
            assert value == pytest.approx(float(row["result"]), abs=5e-5)


SCORES = {
    "PRES": pres_plugin.pres,
    "PRES_est": pres_plugin.pres_est,
    "AP": pres_plugin.average_precision,
    "Recall": pres_plugin.recall,
}


@pytest.mark.parametrize(
    ("page", "head"),
    [("explained/pres-ap-recall.md", "ranks of relevant documents"), ("try.md", "Ranks")],
)
def test_tables_of_rankings_show_the_scores_of_their_ranks(page, head):
    rows = [row for heads, rows in tables(page) if head in heads for row in rows]
    assert rows
    for row in rows:
        found = [int(rank) for rank in re.findall(r"\d+", row[head])]
        if "…" in row[head]:
            found = range(found[0], found[-1] + 1)
        sizes = int(row.get("n", 4)), int(row.get("Nmax", 100))
        for name in row:
            if score := SCORES.get(name.partition("@")[0]):
                assert row[name] == f"{score(found, *sizes):.4f}"


COMMANDS = [row["write"].strip("`") for _, rows in tables(PAGE) for row in rows if "write" in row]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_run(command, tmp_path):
    for file in [*EXAMPLES.glob("system-*.run"), EXAMPLES / "qrels.txt"]:
        (tmp_path / file.name).symlink_to(file)
    runs = " ".join(sorted(path.name for path in tmp_path.glob("*.run")))
    program, *arguments = shlex.split(command.replace("*.run", runs))
    result = pres_eval(*arguments, cwd=tmp_path)
    assert (program, result.returncode) == ("pres-eval", 0), result.stderr
