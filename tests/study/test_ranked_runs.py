"""Runs that were ranked before, as the command line does, give what dicts give."""

import pandas as pd
import pytest
from random_runs import random_runs

from pres_plugin.study.compare import compare
from pres_plugin.study.ranks import RelevantDocuments
from pres_plugin.study.robustness import robustness
from pres_plugin.study.sweep import sweep

MEASURES = ["PRES@8", "AP(rel=2)"]
STUDIES = {
    "compare": lambda *given: compare(*given, MEASURES).pairs,
    "sweep": lambda *given: sweep(*given, ["PRES", "AP(rel=2)"], [2, 8]).table(),
    "robustness": lambda *given: robustness(*given, MEASURES, [0.5]).taus,
}


@pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES)
def test_ranked_runs_give_what_dicts_give(study):
    qrels, runs = random_runs(n_runs=3)
    relevant = RelevantDocuments(qrels)
    ranked = (relevant.rank(name, run) for name, run in runs.items())
    pd.testing.assert_frame_equal(study(relevant, ranked), study(qrels, runs))
