"""Many samples of the judgements are scored at once as each is by itself."""

import numpy as np
import pytest

from pres_plugin.measures import AP, PRES, LastRel, R, Rnorm
from pres_plugin.study.ranks import RelevantDocuments


@pytest.mark.parametrize("measure", [PRES @ 20, AP(rel=2), R @ 5, LastRel, Rnorm(N=200)], ids=str)
def test_samples_score_as_judgements_without_the_other_documents(measure):
    rng = np.random.default_rng(0)
    qrels = {f"q{t}": {f"d{i}": int(rng.integers(-1, 3)) for i in range(30)} for t in range(9)}
    qrels["none"] = {"d1": 0}
    run = {
        topic: {f"d{i}": float(rng.integers(0, 9)) for i in rng.permutation(60)[:40]}
        for topic in qrels
        if topic != "q3"
    }
    relevant = RelevantDocuments(qrels)
    keep = rng.random((7, len(relevant.relevance))) < 0.4
    ranked = relevant.rank("run", run)
    together = relevant.ranked(ranked, measure.rel, keep).score(measure)
    ids = [(topic, doc_id) for topic in relevant.topics for doc_id in relevant.doc_ids[topic]]
    for sample, scores in zip(keep, together.reshape(len(keep), -1), strict=True):
        kept = {topic: {} for topic in qrels}
        for (topic, doc_id), stays in zip(ids, sample, strict=True):
            if stays:
                kept[topic][doc_id] = qrels[topic][doc_id]
        alone = RelevantDocuments(kept)
        expected = alone.ranked(alone.rank("run", run), measure.rel).score(measure)
        assert scores.tolist() == expected.tolist()
