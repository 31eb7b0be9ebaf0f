"""``pres-eval score`` on real runs, read as frames: the digits of ir-measures, from dicts."""

import ir_measures
import pytest
from command import pres_eval
from repetitions import every

from pres_plugin.formats import read_qrels, read_run

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


@pytest.mark.parametrize("level", every(2, ["abstract", "content"]))
def test_scores_are_those_of_ir_measures_to_the_last_digit(clef_tar, level):
    qrels = clef_tar / f"qrels.{level}.txt.gz"
    options = ("-m", " ".join(MEASURES), "-q", "-p", "-1", "--duplicates", "last", "-f", "tsv")
    result = pres_eval("score", qrels, clef_tar / "runs", *options)
    got = [tuple(line.split("\t")) for line in result.stdout.splitlines()]

    judged = read_qrels(str(qrels))
    measures = [ir_measures.parse_measure(text) for text in MEASURES]
    evaluator = ir_measures.evaluator(measures, judged)
    expected = []
    for path in sorted((clef_tar / "runs").iterdir()):
        run = path.name.removesuffix(".gz")
        results = evaluator.calc(read_run(str(path), duplicates="last"))
        values = {(m.query_id, m.measure): str(m.value) for m in results.per_query}
        expected += [(run, q, str(m), values[q, m]) for q in judged for m in measures]
        expected += [(run, "all", str(m), str(results.aggregated[m])) for m in measures]
    assert len(got) == 17 * 31 * len(MEASURES)
    assert got == expected
