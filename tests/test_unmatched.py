"""Every interface warns about ids in another form than the qrels', and not about a bad run."""

import pandas as pd
import polars as pl
import pytest
from beginnings import warns
from command import pres_eval
from written import rows_of

from pres_plugin import UnmatchedIdsWarning, frames
from pres_plugin.files import score as score_files
from pres_plugin.study import scoring
from pres_plugin.study.compare import compare
from pres_plugin.study.explain import explain
from pres_plugin.study.robustness import robustness
from pres_plugin.study.sweep import sweep

# A warning that a test does not expect is an error.
pytestmark = pytest.mark.filterwarnings("error::pres_plugin.UnmatchedIdsWarning")

JUDGED = ["US7257313B2", "US6969327B1", "EP0000001A1"]
# Relevant, not relevant, and unjudged in trec_eval's sense.
QRELS = {f"q{i}": dict(zip(JUDGED, (1, 0, -1), strict=True)) for i in range(1, 41)}
SPACED = {topic: {"US 7257313 B2": 2.0, "US 6969327 B1": 1.0} for topic in QRELS}
#: Retrieves no relevant document, but one of negative relevance in one of 40 topics: just enough.
BAD = {topic: {"US1111111B1": 2.0, "US2222222B2": 1.0} for topic in QRELS}
BAD |= {"q9": {"EP0000001A1": 1.0}}
OTHER_TOPICS = {topic.upper(): docs for topic, docs in SPACED.items()}

# Two of three documents in each of the 20 topics that are looked at.
SIDE_BY_SIDE = (
    "judged documents count as missed, although the run contains their ids in another form "
    "(documents: at least 40, topics: 20); check the document ids: the run has 'US 7257313 B2' "
    "where the qrels have 'US7257313B2' and 'US 6969327 B1' where the qrels have 'US6969327B1'; to "
    "match publications by number, see --families publications or pres_plugin.families"
)


def frame(topics, value):
    return pl.DataFrame(rows_of(topics), ["query_id", "doc_id", value], orient="row")


def in_files(run, folder):
    qrels, path = folder / "qrels", folder / "bm25"
    rows = frame(QRELS, "relevance").iter_rows()
    qrels.write_text("".join(f"{t} 0 {doc_id} {number}\n" for t, doc_id, number in rows))
    frame(run, "score").write_csv(path.with_suffix(".csv"))
    return str(qrels), str(path.with_suffix(".csv"))


def in_frames(convert, run):
    both = frame(run, "score"), frame(QRELS, "relevance")
    return frames.score(*map(convert, both), ["PRES@10", "PRES(judged_only=True)@10"])


MEASURES = ["PRES@10", "R@10", "PRES(judged_only=True)@10"]
INTERFACES = {
    "scores": lambda run, _: scoring.score(QRELS, {"a": run}, MEASURES),
    "pandas": lambda run, _: in_frames(lambda rows: pd.DataFrame(rows.to_dicts()), run),
    "polars": lambda run, _: in_frames(pl.DataFrame, run),
    "files": lambda run, folder: score_files(*in_files(run, folder), ["PRES@10", "AP"]),
    "compare": lambda run, _: compare(QRELS, {"a": run, "b": QRELS}, MEASURES),
    "sweep": lambda run, _: sweep(QRELS, {"a": run}, ["PRES", "nDCG"], [5, 10]),
    "explain": lambda run, _: explain(QRELS, {"a": run}, "q3", 10),
    "robustness": lambda run, _: robustness(QRELS, {"a": run, "b": QRELS}, MEASURES, [0.5]),
}


@pytest.mark.parametrize("score", INTERFACES.values(), ids=INTERFACES)
def test_a_call_warns_once_with_similar_ids_side_by_side_and_not_of_a_bad_run(score, tmp_path):
    with warns(UnmatchedIdsWarning, rf"(a|run|{tmp_path}/bm25\.csv): ") as found:
        score(SPACED, tmp_path)
    assert [str(each.message).partition(": ")[2] for each in found] == [SIDE_BY_SIDE]
    assert found[0].filename == __file__
    score(BAD, tmp_path)


def test_a_few_ids_in_another_form_are_evidence():
    # Everything else is found.
    run = QRELS | {"q7": {"US7257313B2": 2.0, "us-6969327.b1": 1.0}}
    said = "a: judged documents count .*at least 1, topics: 1.*has 'us-6969327.b1' where"
    with warns(UnmatchedIdsWarning, said):
        scoring.score(QRELS, {"a": run}, MEASURES)


ADVICE = [
    ({"US 2010/0123456 A1": 1}, {"US20100123456A1": 1.0}, True),
    # One of two pairs is of no publications; a check digit belongs to an application.
    ({"EP1234567A1": 1, "GB-12 A": 1}, {"EP 1 234 567 A1": 2.0, "GB12A": 1.0}, False),
    ({"EP 99123456.7": 1}, {"EP991234567": 1.0}, False),
]


@pytest.mark.parametrize(("judged", "retrieved", "helps"), ADVICE)
def test_families_are_proposed_where_they_help(judged, retrieved, helps):
    with warns(UnmatchedIdsWarning, "a: judged documents count") as found:
        scoring.score({"q7": judged}, {"a": {"q7": retrieved}}, MEASURES)
    assert ("--families publications" in str(found[0].message)) == helps


@pytest.mark.parametrize("form", ["US20100{}A1", "US 2010/0{}"])
def test_families_are_proposed_where_nothing_is_found_but_a_number(form):
    # The EPO's databases omit a zero, so these ids do not differ in punctuation only.
    run = {topic: {form.format("123456"): 1.0} for topic in QRELS}
    qrels = {topic: {"US2010123456A1": 1} for topic in QRELS}
    with warns(UnmatchedIdsWarning, "a: no judged .*; to match publications by number"):
        scoring.score(qrels, {"a": run}, MEASURES)


@pytest.mark.parametrize("interface", ["scores", "polars", "files"])
def test_nothing_judged_is_suspicious_in_five_topics(interface, tmp_path):
    run = {topic: {"US1111111B1": 1.0} for topic in QRELS}
    said = rf"(a|run|{tmp_path}/bm25\.csv): no judged document was .* has 'US1111111B1', and"
    with warns(UnmatchedIdsWarning, said):
        INTERFACES[interface](run, tmp_path)
    INTERFACES[interface]({topic: run[topic] for topic in list(run)[:4]}, tmp_path)


def test_topics_that_are_never_judged_are_shown():
    shown = r"the run has 'Q\d+', 'Q\d+', and the qrels have 'q\d+', 'q\d+'"
    with warns(UnmatchedIdsWarning, f"a: no topic of the run is judged; .*{shown}"):
        scoring.score(QRELS, {"a": OTHER_TOPICS, "b": QRELS}, MEASURES)


def test_each_run_in_a_frame_is_looked_at():
    run = pl.concat(
        frame(docs, "score").with_columns(system=pl.lit(name))
        for name, docs in {"bad": BAD, "spaced": SPACED}.items()
    )
    with warns(UnmatchedIdsWarning, "run spaced: ") as found:
        frames.score(run, frame(QRELS, "relevance"), "PRES@10", by="system")
    assert len(found) == 1


@pytest.mark.parametrize(("run", "warned"), [(SPACED, True), (BAD, False)], ids=["spaced", "bad"])
@pytest.mark.parametrize("words", ["score", "score -m nDCG@10", "sweep", "explain --query q3"])
def test_a_command_prints_the_warning_once_and_no_other(words, run, warned, tmp_path):
    qrels, path = in_files(run, tmp_path)
    stderr = pres_eval(*words.split(), qrels, path).stderr
    assert stderr.count(f"pres-eval: warning: {path}: {SIDE_BY_SIDE}\n") == warned
    assert len(stderr.splitlines()) <= 1
