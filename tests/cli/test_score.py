"""``pres-eval score`` as its users run it."""

import json
import re
import shutil
from functools import partial
from itertools import product

import command
import pytest
from command import on_a_terminal, pres_eval

QRELS = "q1 0 a 1\nq1 0 b 2\nq1 0 c 0\nq2 0 a 1\nq3 0 z 1\n"
RUN = "q1 Q0 x 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 a 3 1 t\nq2 Q0 a 1 9 t\nq3 Q0 y 1 9 t\n"

scored = partial(command.table_of, "score")
refused = partial(command.refused, "score", "qrels")


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "a.run").write_text(RUN)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "measures"),
    [
        (None, ["PRES@100", "AP@100", "R@100"]),
        ("map recall_1,2 ndcg_cut.5", ["AP", "R@1", "R@2", "nDCG@5"]),
        ("Rnorm(N=9, rel=2)@3  AP  AP", ["Rnorm(N=9,rel=2)@3", "AP"]),
    ],
)
def test_measures_are_read_as_written(files, text, measures):
    printed = pres_eval("score", "qrels", "a.run", "-f", "tsv", *(["-m", text] if text else []))
    assert [row.split("\t")[1] for row in printed.stdout.splitlines()[1:]] == measures


FORMATS = {
    "tsv": "run\tmeasure\tvalue\n007\tPRES@2\t0.417\n007\tAP\t0.528\n",
    "csv": "run,measure,value\n007,PRES@2,0.417\n007,AP,0.528\n",
    "json": json.dumps(
        [{"run": "007", "measure": m, "value": v} for m, v in (("PRES@2", 0.417), ("AP", 0.528))],
        indent=2,
    )
    + "\n",
    "table": "run      PRES@2     AP\n-----  --------  -----\n007       0.417  0.528\n",
}


@pytest.mark.parametrize("fmt", FORMATS)
def test_a_format_is_printed(files, fmt):
    shutil.copy("a.run", "007")  # a name that looks like a number
    options = ("-m", "PRES@2 AP", "-p", 3, "-f", fmt)
    assert pres_eval("score", "qrels", "007", *options).stdout == FORMATS[fmt]


@pytest.mark.parametrize(
    ("measures", "sort", "order"),
    [
        ("nDCG R@2", "R@2", ["top", "late", "low"]),
        ("AP LastRel", "LastRel", ["low", "top", "late"]),  # the means are 0, 1 and 4/3
    ],
)
def test_runs_are_printed_in_the_order_of_a_measure(files, measures, sort, order):
    for name, docs in {"low": "xc", "late": "xa", "top": "ab"}.items():
        lines = [f"{q} Q0 {doc} 1 {-i} t\n" for q in ("q1", "q2") for i, doc in enumerate(docs)]
        (files / name).write_text("".join(lines) + "q3 Q0 y 1 1 t\n")
    rows = scored("qrels", "low", "late", "top", "-m", measures, "--sort", sort, "-q")
    found = dict.fromkeys(tuple(row[:2]) for row in rows)
    assert list(found) == list(product(order, ["q1", "q2", "q3", "all"]))
    line = refused("low", "-m", measures, "--sort", f"{sort}0")
    assert line.startswith(f"--sort '{sort}0' is not among the measures")
    assert line.endswith(f"did you mean {sort!r}?")


def test_tables_for_papers_mark_the_best_values_of_each_topic(files):
    (files / "b.run").write_text(RUN.replace(" a ", " z "))
    options = ("-m", "AP LastRel", "-f", "markdown")
    table = pres_eval("score", "qrels", "a.run", "b.run", "-q", *options).stdout
    bold = [
        tuple(line.replace("|", " ").split()[:2]) for line in table.splitlines() if "**" in line
    ]
    # On q3, both score 0.
    assert bold == [("a", topic) for topic in ("q1", "q2", "q3", "all")] + [("b", "q3")]
    assert "neither high nor low values are better" in table
    # A single value is not bold.
    assert "**" not in pres_eval("score", "qrels", "a.run", *options).stdout


def test_judgements_are_read_from_standard_input(files):
    assert scored("-", "a.run", "-m", "AP", stdin=QRELS) == [["a", "AP", "0.5278"]]
    line = command.refused("score", "-", "a.run", stdin=f"{QRELS}q4 0 a\n")
    assert line.startswith("standard input, line 6: ")


def test_topics_on_one_side_only_get_a_warning(files):
    (files / "b.run").write_text("q1 Q0 a 1 1 t\nother Q0 a 1 1 t\n")
    result = pres_eval("score", "qrels", "b.run", "-m", "AP", "-f", "tsv")
    assert result[:2] == (0, "run\tmeasure\tvalue\nb\tAP\t0.1667\n")
    assert result.stderr == (
        "pres-eval: warning: b.run: the run lacks 2 of the 3 topics in the qrels; missing topics "
        "count as topics without results: q2, q3\n"
        "pres-eval: warning: b.run: the qrels lack 1 of the 2 topics in the run; extra topics are "
        "ignored: other\n"
    )


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("PRSE@10", r"measure 'PRSE@10' is unknown \(did you mean PRES@10\?\)"),
        ("PRES(", r"measure 'PRES\(' cannot be read; measures are written as 'PRES@100'"),
        ("Rnorm(N=2)", r"a.run: Rnorm\(N=2\): topic 'q1' has 3 documents"),
        ("nDCG(dcg='x')@5", r"measure .*nDCG.*: invalid param dcg='x'"),
    ],
)
def test_a_wrong_measure_is_named(files, measure, said):
    line = refused("a.run", "-m", measure)
    assert re.match(said, line), line


def test_wrong_usage_takes_one_line():
    assert command.refused("score") == "Missing argument 'QRELS'. (see pres-eval score --help)"
    assert command.refused("exlpain").startswith("No such command 'exlpain'.")
    line = command.refused("score", "qrels", "a.run", "-p", "-2")
    assert "-2 is not in the range -1<=x<=20" in line
    assert pres_eval("--version").stdout.startswith("pres-eval, version ")


@pytest.mark.ci
def test_several_files_show_progress_on_a_terminal(files):
    shutil.copy("a.run", "b.run")
    code, shown = on_a_terminal("score", "qrels", "a.run", "b.run", "-m", "AP", cwd=files)
    assert code == 0
    assert {"0%", "100%"} <= {*re.findall(r"\d+%", shown)}
    assert on_a_terminal("score", "qrels", "a.run", "-m", "AP", cwd=files) == (0, "")
