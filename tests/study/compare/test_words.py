"""What the sentences about a comparison say."""

import numpy as np
from random_scores import comparison, scores_of

#: Scores on ten topics: `high` is 0.2 higher than `low`.
LOW = np.arange(10) / 20
HIGH = LOW + 0.2


def sentences(runs, measures=("PRES@100", "AP@100"), baselines=(), **options):
    """Return the sentences about runs, given the scores of each by each measure."""
    values = np.moveaxis(np.array(list(runs.values())), 1, 2)
    return comparison(scores_of(values, measures, runs), baselines, **options).sentences()


def test_measures_that_disagree():
    runs = {"bm25": [HIGH, LOW], "dense one": [LOW, HIGH], "c": [LOW, LOW]}
    assert sentences(runs) == [
        "bm25 has the highest mean PRES@100 (0.4250). 'dense one' has the highest mean AP@100 "
        "(0.4250).",
        "The difference in PRES@100 between bm25 and 'dense one' is 0.2000 (p < 0.0001): "
        "significant.",
        "Differences are significant for 2 of 3 pairs in PRES@100 and 2 in AP@100 (Student's "
        "paired t test at α = 0.05, with Holm's correction for 3 pairs; 10 topics).",
        "PRES@100 and AP@100 rank different runs first and disagree on 1 of 3 pairs.",
    ]


def test_a_difference_that_remains_open():
    mixed = LOW + np.array([0.2, -0.15] * 5)
    runs = {"a": [LOW, LOW], "b": [mixed, LOW], "c": [HIGH, LOW]}
    options = {"test": "wilcoxon", "correction": "none", "baselines": ["b"]}
    assert sentences(runs, **options)[1].endswith(
        "between c and b is 0.1750 (p = 0.0625): not significant, so it remains open which run is "
        "better."
    )


def test_identical_runs_are_called_identical():
    same = [HIGH, LOW]
    found = sentences({"a": same, "b": same, "c": [LOW, HIGH], "d": [LOW, HIGH]})
    assert found[1] == "Identical, with the same scores on every topic: a and b; c and d."
    assert not any("remains open" in sentence for sentence in found)
