"""``pres-eval score`` on real runs, with scores of all kinds and repeated documents."""

import ir_measures
import pytest
from command import pres_eval
from repetitions import every

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
    options = ("-m", " ".join(MEASURES), "-q", "-p", -1, "--duplicates", "last", "-f", "tsv")
    lines = pres_eval("score", qrels, clef_tar / "runs", *options).stdout.splitlines()
    found = dict(line.rsplit("\t", 1) for line in lines)

    measures = list(map(ir_measures.parse_measure, MEASURES))
    evaluator = ir_measures.evaluator(measures, ir_measures.read_trec_qrels(str(qrels)))
    expected = {}
    for path in (clef_tar / "runs").iterdir():
        # Of repeated documents, ir-measures keeps the last.
        results = evaluator.calc(ir_measures.read_trec_run(str(path)))
        values = {(m.query_id, m.measure): m.value for m in results.per_query}
        values |= {("all", measure): value for measure, value in results.aggregated.items()}
        for (query_id, measure), value in values.items():
            key = path.name.removesuffix(".gz"), query_id, str(measure)
            expected["\t".join(key)] = str(value)
    assert len(lines) == len(expected) == 17 * 31 * len(MEASURES)
    assert found == expected
