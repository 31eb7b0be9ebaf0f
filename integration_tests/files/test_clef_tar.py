"""``pres-eval score`` on real runs, read as frames: the digits of ir-measures, from dicts."""

import subprocess
import sysconfig
from pathlib import Path

import ir_measures
import pytest

from pres_plugin.trec import read_qrels, read_run, run_name

COMMAND = str(Path(sysconfig.get_path("scripts")) / "pres-eval")
MEASURES = [
    "PRES@100",
    "PRES(rel=2)@50",
    "PRES(judged_only=True)@100",
    "PRES_est@10",
    "AP",
    "AP@20",
    "AP(judged_only=True)",
    "R@50",
    "R(rel=2)@10",
    "Rnorm(N=11429000)",
    "Rnorm(judged_only=True)",
]


@pytest.mark.parametrize("level", ["abstract", "content"])
def test_scores_are_those_of_ir_measures_to_the_last_digit(clef_tar, level):
    qrels = clef_tar / f"qrels.{level}.txt.gz"
    words = [COMMAND, "score", qrels, clef_tar / "runs", "-m", " ".join(MEASURES)]
    words += ["-q", "-p", "-1", "-f", "tsv", "--duplicates", "last"]
    result = subprocess.run(words, capture_output=True, text=True, check=True)
    got = [tuple(line.split("\t")) for line in result.stdout.splitlines()]

    judged = read_qrels(str(qrels))
    measures = [ir_measures.parse_measure(text) for text in MEASURES]
    evaluator = ir_measures.evaluator(measures, judged)
    expected = []
    for path in sorted((clef_tar / "runs").iterdir()):
        run = run_name(str(path))
        results = evaluator.calc(read_run(str(path), duplicates="last"))
        values = {(m.query_id, m.measure): str(m.value) for m in results.per_query}
        expected += [(run, q, str(m), values[q, m]) for q in judged for m in measures]
        expected += [(run, "all", str(m), str(results.aggregated[m])) for m in measures]
    assert len(got) == 17 * 31 * len(MEASURES)
    assert got == expected
