"""A measure string means the same to every reader: what it means in ir-measures."""

import pickle

import ir_measures
import pytest
from by_definition import OF_RECALL
from hypothesis import event, example, given
from hypothesis import strategies as st

import pres_plugin
from pres_plugin import frames
from pres_plugin.measures import MeasureError
from pres_plugin.measures.declared import OURS
from pres_plugin.measures.parsing import parse, parse_any
from pres_plugin.measures.trec_names import parse_text

pytestmark = pytest.mark.filterwarnings("ignore:.*:SyntaxWarning")  # of strings like 1if 2

QRELS = {"q1": {"a": 2, "b": 1, "c": 0, "d": 3, "e": -1}, "q2": {"a": 1, "z": 1}, "q3": {"a": 0}}
RUN = {
    "q1": {"x": 6.0, "a": 5.0, "b": 5.0, "c": 4.0, "d": 3.0},
    "q2": {"y": 2.0, "a": 1.0},
    "q3": {"a": 1.0},
}
REFUSED = "refused"

# The grammar, with values that are right, wrong and at the limits.
NUMBERS = st.one_of(
    st.integers(-3, 12),
    st.sampled_from([30, 10**10, 10**10 + 1, 2**31 - 1, 2**31, 2**63 - 1, 2**63, 10**25]),
)
VALUES = st.one_of(
    NUMBERS.map(str),
    st.sampled_from(["True", "False", "None", "2.0", "1e2", "0x10", "1_0", "5j", "(5)", "'2'"]),
    st.sampled_from(["{0: 1}", "[1]", "(1, 2)", "b'5'", "...", "1 + 1", "x", "-x", "- 1", "+1"]),
)
NAMES = st.sampled_from(
    [
        "PRES",
        "PRES_est",
        "Rnorm",
        "WSS",
        "TNR",
        "Effort",
        "LastRel",
        "AP",
        "MAP",
        "R",
        "Recall",
        "PRESS",
    ]
)
KEYS = st.sampled_from([*["cutoff", "rel", "judged_only"] * 3, "N", "recall", "cutof"])
BLANKS = st.sampled_from(["", " "])


RIGHT = {
    "cutoff": st.integers(1, 9).map(str),
    "rel": st.sampled_from(["1", "2", "True"]),
    "judged_only": st.sampled_from(["True", "False"]),
    "N": st.sampled_from(["6", "30"]),
    "recall": st.sampled_from(["0.5", "0.95", "1", "1e-3"]),
    "rounding": st.sampled_from(["'up'", "'nearest'"]),
    "cutof": VALUES,
}


@st.composite
def measure_strings(draw):
    name = draw(NAMES)
    text = name
    keys = draw(st.lists(KEYS, max_size=3))
    at = "cutoff"
    if name in ("Rnorm", *OF_RECALL) and draw(st.booleans()):
        keys.append("N")
    if name in OF_RECALL and draw(st.booleans()):
        keys = [key for key in keys if key != "cutoff"]
        keys += draw(st.sampled_from([[], ["recall"], ["rounding"]]))
        at = "recall"
    wrong = draw(st.sampled_from([None, None, None, *keys, "@"]))  # at most one value, mostly
    params = [
        f"{key}{draw(BLANKS)}={draw(BLANKS)}{draw(VALUES if key == wrong else RIGHT[key])}"
        for key in keys
    ]
    if draw(st.integers(0, 19)) == 0:
        params.append(draw(st.sampled_from(["5", "**{'rel': 1}"])))
    if params or draw(st.integers(0, 3)) == 0:
        text += f"({f',{draw(BLANKS)}'.join(params)})"
    if draw(st.integers(0, 4)):
        text += f"{draw(BLANKS)}@{draw(BLANKS)}{draw(VALUES if wrong == '@' else RIGHT[at])}"
    around = [*["{}"] * 20, "({})", "{};", "{}@3", "{}()", "{};AP", "{}=1", "*{}"]
    return draw(st.sampled_from(around)).format(text)


def by_ir_measures(text):
    """What ir-measures computes: the measure's name and the score of each topic."""
    try:
        measure = ir_measures.parse_measure(text)
        if any(_ends_the_process(measure.params.get(name, 1)) for name in ("cutoff", "rel")):
            return REFUSED
        found = list(ir_measures.iter_calc([measure], QRELS, RUN))
    except (AssertionError, KeyError, NameError, TypeError, ValueError):
        return REFUSED
    return str(measure), {metric.query_id: metric.value for metric in found}


def _ends_the_process(value):
    """Whether trec_eval fails an assertion at this value, and takes Python with it."""
    return isinstance(value, int) and value < 1


def by_parser_of_trec_names(text):
    """What PyTerrier reads strings with."""
    try:
        (measure,) = ir_measures.parse_trec_measure(text)
        found = list(ir_measures.iter_calc([measure], QRELS, RUN))
    except (TypeError, ValueError):
        return REFUSED
    return str(measure), {metric.query_id: metric.value for metric in found}


def by_our_reader(text, read):
    """What dataframes, files, studies and the command read strings with."""
    try:
        measure = read(text)
        measure.check_complete()
        found = {topic: pres_plugin.score(ranking(topic), QRELS[topic], measure) for topic in QRELS}
    except MeasureError:
        return REFUSED
    return str(measure), found


def ranking(topic):
    """A topic's documents in trec_eval's order."""
    return sorted(RUN[topic], key=lambda doc_id: (RUN[topic][doc_id], doc_id), reverse=True)


def agree(found, expected):
    if REFUSED in (found, expected):
        return found == expected
    return found == (expected[0], pytest.approx(expected[1], abs=1e-12))


@given(text=measure_strings())
@example("PRES(cutoff=5)@6")
@example("AP(cutoff=5)@None")
@example("AP(rel=True)@5")
@example("AP(rel=0)@5")
@example("PRES(rel=1, rel=2) @ 5")
@example("PRES(cutoff=-1)@1")
@example("PRES(cutoff =(5))")
@example("PRES@5;")
@example("WSS(N=30)@1.0")
@example("WSS(N=30,recall=95)@0.5")
@example("TNR(judged_only=True, rounding='nearest')@0.5")
@example("TNR(N=30)@95")
@example("WSS(N=30)@True")
@example("LastRel")
@example("ＰＲＥＳ@5")
def test_every_reader_agrees_with_ir_measures(text):
    expected = by_ir_measures(text)
    found = {
        "our measures": by_our_reader(text, parse),
        "any measure": by_our_reader(text, parse_any),
        "the command": by_our_reader(text.strip(), lambda text: parse_text(text)[0]),
    }
    ours = tuple(measure.name for measure in OURS)
    if text.startswith(ours) and not text.startswith("PRESS"):
        found["PyTerrier's parser"] = by_parser_of_trec_names(text)
    event("computed" if expected != REFUSED else "refused")
    different = {name: what for name, what in found.items() if not agree(what, expected)}
    assert not different, f"{text!r} is {expected} in ir-measures"


@pytest.mark.parametrize("text", [" PRES@5", "\tAP@5"])
def test_blanks_in_front_are_refused(text):
    assert by_ir_measures(text) == by_our_reader(text, parse_any) == REFUSED


MEASURES = [
    *(frames.PRES @ 100, frames.Rnorm(N=11429, judged_only=False), frames.AP, frames.R @ 5),
    *(frames.WSS(N=9, rounding="nearest") @ 1, pres_plugin.PRES(rel=2) @ 7),
]


@pytest.mark.parametrize("measure", MEASURES, ids=lambda m: f"{type(m).__module__} {m}")
def test_measure_objects_can_be_pickled(measure):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        restored = pickle.loads(pickle.dumps(measure, protocol))
        assert (restored, type(restored), hash(restored)) == (measure, type(measure), hash(measure))
