"""Retrieved documents are folded into families in PyTerrier as in dicts."""

import ir_measures
import pandas as pd
import pyterrier as pt
from written import rows_of

from pres_plugin.families import fold
from pres_plugin.frames import fold_families

RUN = {"q1": {"EP1234567A1": 2.0, "x": 2.0, "EP1234567B1": 3.0, "y": 1.0}, "q2": {"y": 1.0}}
QRELS = {"q1": {"EP1234567A1": 1, "y": 1}, "q2": {"x": 1, "y": 2}}
FAMILIES = {"EP1234567A1": "F", "EP1234567B1": "F", "x": "G"}


def rows(topics, value):
    return pd.DataFrame(rows_of(topics), columns=["qid", "docno", value])


def test_an_experiment_with_families_scores_as_folded_dicts():
    topics = pd.DataFrame({"qid": list(QRELS), "query": "valve"})
    system = pt.Transformer.from_df(rows(RUN, "score")) >> pt.pres.FoldFamilies(FAMILIES)
    names = {"query_id": "qid", "doc_id": "docno"}
    qrels = fold_families(rows(QRELS, "label"), FAMILIES, "label", **names)
    measures = [ir_measures.PRES @ 3, ir_measures.AP]
    table = pt.Experiment([system], topics, qrels, measures)
    folded = ir_measures.calc_aggregate(measures, fold(QRELS, FAMILIES), fold(RUN, FAMILIES))
    assert {str(m): table[str(m)][0] for m in measures} == {str(m): v for m, v in folded.items()}
