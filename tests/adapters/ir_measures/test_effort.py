"""WSS, TNR and LastRel of random runs, ranked and scored by hand."""

import effort_by_hand as by_hand
import pytest
from hypothesis import given
from hypothesis import strategies as st

ir_measures = pytest.importorskip(
    "ir_measures", reason="ir-measures is not installed: pip install 'pres-plugin[ir-measures]'"
)

from ir_measures import TNR, WSS, LastRel  # noqa: E402

import pres_plugin  # noqa: E402, F401

DOCS = st.sampled_from([f"d{i}" for i in range(30)])
JUDGED = st.dictionaries(DOCS, st.sampled_from([-1, 0, 0, 1, 2]), min_size=1, max_size=30)
# Few scores, so that many documents tie.
RETRIEVED = st.dictionaries(DOCS, st.sampled_from([0.0, 1.0, 2.0, 2.5]), max_size=30)
N = 60


@given(
    st.dictionaries(st.sampled_from("abcd"), JUDGED, min_size=1),
    st.dictionaries(st.sampled_from("abcd"), RETRIEVED),
    st.sampled_from([0.95, 0.5, 1.0, 0.3]),
    st.sampled_from(["up", "nearest"]),
    st.sampled_from([1, 2]),
)
def test_scores_are_those_by_hand(qrels, run, recall, rounding, rel):
    asked = {"recall": recall, "rounding": rounding, "rel": rel}
    measures = [
        *(WSS(N=N, **asked), WSS(judged_only=True, **asked)),
        *(TNR(N=N, **asked), TNR(judged_only=True, **asked)),
        *(LastRel(rel=rel), LastRel(rel=rel, judged_only=True), LastRel(rel=rel) @ 5),
    ]
    values = {(m.query_id, m.measure): m.value for m in ir_measures.iter_calc(measures, qrels, run)}
    for topic, judged in qrels.items():
        retrieved = run.get(topic, {})
        ranking = sorted(retrieved, key=lambda doc: (retrieved[doc], doc), reverse=True)
        only_judged = [doc for doc in ranking if judged.get(doc, -1) >= 0]
        relevant = {doc for doc, relevance in judged.items() if relevance >= rel}
        n_judged = sum(relevance >= 0 for relevance in judged.values())
        ranks, ranks_of_judged = (
            [rank for rank, doc in enumerate(order, 1) if doc in relevant]
            for order in (ranking, only_judged)
        )
        everything = ranks, len(relevant), N, recall, rounding
        of_judged = ranks_of_judged, len(relevant), n_judged, recall, rounding
        expected = [
            *(by_hand.wss(*everything), by_hand.wss(*of_judged)),
            *(by_hand.tnr(*everything), by_hand.tnr(*of_judged)),
            *(by_hand.last_rel(ranks), by_hand.last_rel(ranks_of_judged)),
            by_hand.last_rel(ranks, 5),
        ]
        assert [values[topic, m] for m in measures] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("measure", [WSS(N=3), TNR(N=3) @ 0.5])
def test_a_collection_must_have_room_for_the_known_documents(measure):
    qrels = {"q1": {"a": 1, "b": 1}}
    run = {"q1": {"a": 3.0, "x": 2.0, "y": 1.0}}
    with pytest.raises(ValueError, match=r"topic 'q1' has 4 documents .* more than N; set N to"):
        measure.calc_aggregate(qrels, run)


def test_ir_measures_describes_the_parameters():
    assert (WSS.AT_PARAM, TNR.AT_PARAM, LastRel.AT_PARAM) == ("recall", "recall", "cutoff")
    assert (WSS["recall"], WSS["rounding"]) == (0.95, "up")
    assert (WSS(N=9) @ 1)["recall"] == 1.0
    info = WSS.SUPPORTED_PARAMS["rounding"]
    assert info.validate("nearest")
    assert not info.validate("down")
