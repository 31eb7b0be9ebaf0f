"""The tables of spellings: all tools read what a row shows, and score the same."""

import json
import math
import re
from pathlib import Path
from statistics import fmean

import ir_measures
import pytest
import pytrec_eval
from beginnings import raises
from command import EXAMPLES
from forks import run_with_ranx

import pres_plugin

DOCS = Path(__file__).parents[2] / "docs"
PAGE = "reference/measures.md"
#: Runs, with the ranks of the relevant documents.
RANKS = {"system-2": [50, 51, 53, 54], "system-4": [1, 98, 99, 100]}

# What the columns of the tables are called.
TREC_EVAL, RANX = "in the style of trec_eval", "ranx"
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


QRELS = str(EXAMPLES / "qrels.txt")
RUNS = [str(EXAMPLES / f"{name}.run") for name in RANKS]


@pytest.fixture(scope="module")
def score():
    """A function that scores the runs as ir-measures does."""
    qrels = list(ir_measures.read_trec_qrels(QRELS))
    runs = [list(ir_measures.read_trec_run(run)) for run in RUNS]
    return lambda text: [ir_measures.parse_measure(text).calc_aggregate(qrels, r) for r in runs]


@pytest.fixture(scope="module")
def by_ranx():
    """The scores of each spelling of ranx."""
    names = sorted({name for row in ROWS.values() for name in spelt(row, RANX)})
    printed = run_with_ranx(
        f"""
        import json, ranx, pres_plugin
        qrels = ranx.Qrels.from_file({QRELS!r}, kind="trec")
        runs = [ranx.Run.from_file(run, kind="trec") for run in {RUNS!r}]
        scores = [ranx.evaluate(qrels, run, {names!r}) for run in runs]
        print(json.dumps({{name: [float(of[name]) for of in scores] for name in {names!r}}}))
        """
    )
    return json.loads(printed)


@pytest.mark.ci
@pytest.mark.xdist_group("forks for ranx")
@pytest.mark.parametrize("name", ROWS)
def test_the_strings_of_all_tools_score_the_same(name, score, by_ranx):
    row = ROWS[name]
    expected = [score(text) for text in in_ir_measures(row)]
    if names := spelt(row, RANX):
        for found, of_text in zip(names, expected, strict=True):
            assert by_ranx[found] == pytest.approx(of_text)
    for text in spelt(row, TREC_EVAL):
        (measure,) = ir_measures.parse_trec_measure(text)
        assert score(str(measure)) == pytest.approx(expected[0])
    for code in spelt(row, RANK_FUNCTION):
        names = vars(pres_plugin)
        values = [eval(code, {**names, "ranks": ranks, "n": 4}) for ranks in RANKS.values()]
        assert values == pytest.approx(expected[0])


#: The formulas of measures that no tool computes, by the first word of the row.
FORMULAS = {
    row["measure"].split()[0].strip(":"): row["formula"].strip("`")
    for heads, rows in tables(PAGE)
    if "formula" in heads
    for row in rows
}


def computed(name, **values):
    return eval(FORMULAS[name], {**vars(math), "fmean": fmean, **values})


def test_the_beta_of_ir_measures_is_squared(score):
    p, r = 4 / 100, 1
    assert score("SetF(beta=4.0)") == pytest.approx([5 * p * r / (4 * p + r)] * len(RUNS))


def test_the_formulas_give_what_trec_eval_prints():
    relevant = {"q1": {"d2": 1, "d5": 1, "d9": 1}, "q2": {"d1": 1, "x": 1}, "q3": {"x": 1}}
    run = {topic: {f"d{rank}": -float(rank) for rank in range(1, 9)} for topic in relevant}
    wanted = {"11pt_avg", "gm_map", "map", "iprec_at_recall"}
    topics = pytrec_eval.RelevanceEvaluator(relevant, wanted).evaluate(run)
    for of in topics.values():
        precisions = [of[f"iprec_at_recall_{tenths / 10:.2f}"] for tenths in range(11)]
        assert computed("11", precisions=precisions) == pytest.approx(of["11pt_avg"])
    logs = [of["gm_map"] for of in topics.values()]
    mean = pytrec_eval.compute_aggregated_measure("gm_map", logs)
    assert computed("GMAP", aps=[of["map"] for of in topics.values()]) == pytest.approx(mean)


def test_the_formulas_count_documents():
    # The example of lecture slides: one of ten relevant documents was retrieved, and nothing else.
    assert computed("accuracy", k=1, P=1, n=10, N=1000) == 0.991
    n, n_docs = 4, 100
    for ranks in RANKS.values():
        for k in (*ranks, 99):
            found = sum(rank <= k for rank in ranks)
            of = {"k": k, "P": found / k, "n": n, "N": n_docs}
            fallout = computed("fallout", **of)
            assert fallout == pytest.approx((k - found) / (n_docs - n))
            rejected = n_docs - n - (k - found)
            assert computed("accuracy", **of) == pytest.approx((found + rejected) / n_docs)
            if k in ranks:  # TNR is the specificity where a recall is reached
                specificity = pres_plugin.tnr(ranks, n, n_docs, found / n)
                assert specificity == pytest.approx(1 - fallout)


def test_ndcg_has_two_discounts():
    judged, grades = {"d4": 2, "d3": 2, "d2": 1, "d1": 0}, [2, 1, 2, 0]
    run = {"q": dict(zip(["d3", "d2", "d4", "d1"], [4.0, 3.0, 2.0, 1.0], strict=True))}
    in_ir_measures = ir_measures.nDCG.calc_aggregate({"q": judged}, run)

    def dcg(grades):
        return sum(grade / max(1, math.log2(rank)) for rank, grade in enumerate(grades, 1))

    of_slides = dcg(grades) / dcg(sorted(grades, reverse=True))
    page = (DOCS / "which-measure.md").read_text(encoding="utf-8")
    assert f"{in_ir_measures:.4f}" in page
    assert f"{of_slides:.4f}" in page


CARDS = sorted((DOCS / "reference" / "measures").glob("*.md"))


@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem)
def test_the_calls_on_a_measures_page_have_the_results_that_it_shows(path):
    (calls,) = [rows for heads, rows in tables(path) if heads == ["case", "call", "result"]]
    for row in calls:
        call, message = row["call"].strip("`"), row["result"].partition("`ValueError`: ")[2]
        if message:
            with raises(ValueError, f"{re.escape(message)}$"):
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
