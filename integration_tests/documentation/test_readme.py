"""What the README shows is what its commands and its code print."""

import re
import subprocess
import sysconfig
from pathlib import Path

import ir_measures
import pandas as pd
import pytest
from forks import run_with_ranx

import pres_plugin
import pres_plugin.frames
from pres_plugin import average_precision, pres, recall

PROJECT = Path(__file__).parents[2]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
QRELS, RUN = (str(PROJECT / "docs" / "examples" / name) for name in ("qrels.txt", "system-2.run"))

SYSTEMS = [
    [cell.strip() for cell in row.split("|")[1:-1]]
    for row in re.findall(r"^\| \d .*\|$", README, flags=re.MULTILINE)
]
LINES = dict(re.findall(r"^\| \[?([\w, -]+)(?:\]\S+)? \| `(.+)` \|$", README, flags=re.MULTILINE))
#: AP, recall and PRES of system 2.
EXPECTED = [float(value) for value in SYSTEMS[1][2:]]


def test_the_table_has_the_scores_of_its_ranks():
    for _, ranks, *shown in SYSTEMS:
        ranks = [int(rank) for rank in ranks.split(", ")]
        computed = (average_precision(ranks, 4), recall(ranks, 4), pres(ranks, 4, 100))
        assert shown == [f"{value:.4f}" for value in computed]


@pytest.mark.ci
def test_the_first_command_prints_the_table():
    (command, _) = re.findall(r"```console\n(.*?)\n```", README, flags=re.DOTALL)
    scoring = command.split(" && ")[-1].replace(".venv/bin", sysconfig.get_path("scripts"))
    result = subprocess.run(scoring, shell=True, cwd=PROJECT, capture_output=True, text=True)
    columns, _, *lines = (line.split() for line in result.stdout.splitlines())
    assert (columns, result.stderr) == (["run", "PRES@100", "AP@100", "R@100"], "")
    assert sorted(lines) == [[f"system-{n}", score, ap, r] for n, _, ap, r, score in SYSTEMS]


def by_ir_measures(line):
    qrels, run = list(ir_measures.read_trec_qrels(QRELS)), list(ir_measures.read_trec_run(RUN))
    names = {"ir_measures": ir_measures, **vars(ir_measures), "qrels": qrels, "run": run}
    return {str(measure): score for measure, score in eval(line, names).items()}


def by_pyterrier(line):
    pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")
    qrels, system = pt.io.read_qrels(QRELS), pt.io.read_results(RUN)
    topics = qrels[["qid"]].drop_duplicates()
    names = {"pt": pt, "qrels": qrels, "system": system, "topics": topics}
    return eval(line, vars(pt.measures) | names).loc[0]


def by_ranx(line):
    printed = run_with_ranx(
        f"""
        import ranx, pres_plugin
        qrels = ranx.Qrels.from_file({QRELS!r}, kind="trec")
        run = ranx.Run.from_file({RUN!r}, kind="trec")
        print({{k: float(v) for k, v in ({line}).items()}})
        """
    )
    names = {"map@100": "AP@100", "recall@100": "R@100", "pres@100": "PRES@100"}
    return {names[name]: value for name, value in eval(printed).items()}


def by_frames(line):
    qrels, run = (
        pd.DataFrame(read(path))
        for read, path in ((ir_measures.read_trec_qrels, QRELS), (ir_measures.read_trec_run, RUN))
    )
    scores = eval(line, {"pres_plugin": pres_plugin, "qrels": qrels, "run": run})
    return scores.set_index("measure")["value"]


@pytest.mark.xdist_group("forks for ranx")
@pytest.mark.parametrize(
    ("tool", "score"),
    [
        ("ir-measures", by_ir_measures),
        ("PyTerrier", by_pyterrier),
        pytest.param("ranx", by_ranx, marks=pytest.mark.ci),
        ("dataframes", by_frames),
    ],
)
def test_the_line_for_a_tool(tool, score):
    found = score(LINES[tool])
    assert [found[m] for m in ("AP@100", "R@100", "PRES@100")] == pytest.approx(EXPECTED, abs=5e-5)


def test_the_lines_for_python():
    ranking = [row.doc_id for row in ir_measures.read_trec_run(RUN)]
    relevant = {row.doc_id for row in ir_measures.read_trec_qrels(QRELS)}
    names = {"pres_plugin": pres_plugin, "ranking": ranking, "relevant": relevant, "pres": pres}
    for line in ("Python, from a list of ids", "Python, from ranks"):
        assert eval(LINES[line], dict(names)) == EXPECTED[-1]
