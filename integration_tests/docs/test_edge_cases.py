"""The table of edge cases in docs/explained/edge-cases.md, row by row, in each framework.

In nearly all tests, a topic has one relevant document, whose rank determines AP, recall
and PRES.
"""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from command import pres_eval

from pres_plugin import average_precision, frames, pres, pres_est, recall, rnorm

ir_measures = pytest.importorskip("ir_measures", reason="ir-measures is not installed")
pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")
ranx = pytest.importorskip("ranx", reason="ranx is not installed")

import pandas as pd  # noqa: E402
from numba.typed import List as TypedList  # noqa: E402

pytestmark = [
    pytest.mark.xdist_group("ranx"),
    # Warnings from compiling ranx's own metrics.
    pytest.mark.filterwarnings(r"ignore:unsafe cast from uint64 to int64:Warning:.*ranx"),
    pytest.mark.filterwarnings("ignore:The inplace keyword"),
]

PAGE = Path(__file__).parents[2] / "docs" / "explained" / "edge-cases.md"

N_MAX, N_DOCS = 10, 100
FRAMEWORKS = ["ir-measures", "PyTerrier", "ranx", "`pres-eval score`", "`pres_plugin.frames`"]
IR_MEASURES, PYTERRIER, RANX, COMMAND_LINE, FRAMES = FRAMEWORKS
TREC_ORDER = [IR_MEASURES, PYTERRIER, COMMAND_LINE, FRAMES]

ROWS = set()


def row(name, frameworks=FRAMEWORKS):
    """Mark a test of one row of the table, for these frameworks."""
    ROWS.add(name)
    return pytest.mark.parametrize("framework", frameworks)


class RefusedError(Exception):
    """The message of a framework that does not return scores."""


def scores(framework, qrels, run, **options):
    """Return AP, R@10, PRES@10, PRES_est@10 and Rnorm by topic, and their means as "mean".

    Parameters
    ----------
    framework : str
        A column of the table.
    qrels, run : list of tuples
        Rows of topic, document, and relevance or score.
    options
        `judged_only`, or options of the framework's own function.
    """
    return _SCORERS[framework](qrels, run, **options)


def _by_ir_measures(qrels, run, judged_only=False, names=None):
    names = names or _names(judged_only)
    measures = [ir_measures.parse_measure(name) for name in names]
    qrels = pd.DataFrame(qrels, columns=["query_id", "doc_id", "relevance"])
    if isinstance(run, list):
        run = pd.DataFrame(run, columns=["query_id", "doc_id", "score"])
    results = ir_measures.evaluator(measures, qrels).calc(run)
    found = {}
    for metric in results.per_query:
        found.setdefault(metric.query_id, {})[metric.measure] = metric.value
    found["mean"] = results.aggregated
    return {topic: tuple(values[m] for m in measures) for topic, values in found.items()}


def _by_pyterrier(qrels, run, judged_only=False, names=None, topics=None, **options):
    names = names or _names(judged_only)
    measures = [ir_measures.parse_measure(name) for name in names]
    qrels = pd.DataFrame(qrels, columns=["qid", "docno", "label"])
    run = pd.DataFrame(run, columns=["qid", "docno", "score", "rank"][: len(run[0])])
    topics = pd.DataFrame({"qid": topics or sorted(set(run["qid"])), "query": "valve"})
    system = pt.Transformer.from_df(run)
    asked = ([system], topics, qrels, measures)
    rows = pt.Experiment(*asked, names=["run"], perquery=True, **options)
    means = pt.Experiment(*asked, names=["run"], **options)
    found = rows.pivot(index="qid", columns="measure", values="value")
    table = {qid: tuple(found.loc[qid, names]) for qid in found.index}
    return table | {"mean": tuple(means.loc[0, names])}


RANX_NAMES = ["map", f"recall@{N_MAX}", f"pres@{N_MAX}", f"pres_est@{N_MAX}", f"rnorm.{N_DOCS}"]


def _by_ranx(qrels, run, from_frame=False, **options):
    qrels, run = _with_long_ids(qrels), _with_long_ids(run)
    if from_frame:
        of_run, of_qrels = (
            kind.from_df(
                pd.DataFrame(rows, columns=["q_id", "doc_id", "score"]).astype(
                    {"q_id": object, "doc_id": object}
                )
            )
            for kind, rows in ((ranx.Run, run), (ranx.Qrels, qrels))
        )
    else:
        of_run, of_qrels = ranx.Run(_dicts(run)), ranx.Qrels(_dicts(qrels))
    try:
        means = ranx.evaluate(of_qrels, of_run, RANX_NAMES, **options)
    except AssertionError as error:
        raise RefusedError(str(error)) from None
    by_topic = {
        topic: tuple(of_run.scores[name][topic] for name in RANX_NAMES)
        for topic in of_run.scores[RANX_NAMES[0]]
    }
    return by_topic | {"mean": tuple(means[name] for name in RANX_NAMES)}


def _by_command(qrels, run, tmp_path, judged_only=False, options=(), warns=""):
    names = _names(judged_only)
    files = [tmp_path / "qrels", tmp_path / "run"]
    files[0].write_text("".join(f"{q} 0 {d} {rel}\n" for q, d, rel in qrels))
    files[1].write_text("".join(f"{q} Q0 {d} 1 {score} tag\n" for q, d, score in run))
    result = pres_eval("score", *files, "-m", " ".join(names), "-q", "-f", "tsv", *options)
    if result.returncode:
        raise RefusedError(result.stderr)
    warnings = result.stderr.splitlines()
    short = [line for line in warnings if line.endswith(SHORT)]
    assert bool(short) == (_longest_judged(qrels, run) < N_MAX)
    others = [line for line in warnings if line not in short]
    assert any(warns in line for line in others) if warns else not others
    found = {}
    for line in result.stdout.splitlines():
        _, topic, name, value = line.split("\t")
        found.setdefault("mean" if topic == "all" else topic, {})[name] = float(value)
    return {topic: tuple(values[name] for name in names) for topic, values in found.items()}


# The end of the command's warning about a run that has fewer than Nmax results for each topic.
SHORT = "treat relevant documents outside the run as missed"


def _longest_judged(qrels, run):
    """Return the largest number of documents that the run retrieves for a judged topic."""
    judged = {topic for topic, _, _ in qrels}
    return max(len({doc for topic, doc, _ in run if topic == one}) for one in judged)


def _by_frames(qrels, run, judged_only=False, **options):
    names = _names(judged_only)
    qrels = pd.DataFrame(qrels, columns=["query_id", "doc_id", "relevance"])
    run = pd.DataFrame(run, columns=["query_id", "doc_id", "score", "rank"][: len(run[0])])
    rows = frames.score(run, qrels, names, **options)
    table = rows.pivot(index="query_id", columns="measure", values="value")[names]
    by_topic = {topic: tuple(values) for topic, values in table.iterrows()}
    return by_topic | {"mean": tuple(table.mean())}


def _names(judged_only):
    cutoff = f"@{N_MAX}"
    if judged_only:
        names = [("AP", ""), ("R", cutoff), ("PRES", cutoff), ("PRES_est", cutoff), ("Rnorm", "")]
        return [f"{name}(judged_only=True){cutoff}" for name, cutoff in names]
    return ["AP", f"R{cutoff}", f"PRES{cutoff}", f"PRES_est{cutoff}", f"Rnorm(N={N_DOCS})"]


def _dicts(rows):
    topics = {}
    for topic, doc_id, value in rows:
        assert doc_id not in topics.get(topic, {}), "a dict cannot contain a document twice"
        topics.setdefault(topic, {})[doc_id] = value
    return topics


def _with_long_ids(rows):
    """Make ids as long as in our other tests of ranx, so that numba does not compile it again.

    Their order stays the same.
    """
    return [(topic, doc_id.ljust(9, "-"), value) for topic, doc_id, value in rows]


_SCORERS = {
    IR_MEASURES: _by_ir_measures,
    PYTERRIER: _by_pyterrier,
    RANX: _by_ranx,
    COMMAND_LINE: _by_command,
    FRAMES: _by_frames,
}


@pytest.fixture
def score(tmp_path):
    """Return scores(), with a folder for the framework that reads files."""

    def call(framework, qrels, run, **options):
        if framework == COMMAND_LINE:
            options["tmp_path"] = tmp_path
        return scores(framework, qrels, run, **options)

    return call


def at(*ranks, n=1, n_docs=N_DOCS):
    """Return the five scores of relevant documents at these ranks, to four decimals."""
    values = (
        average_precision(ranks, n),
        recall(ranks, n, N_MAX),
        pres(ranks, n, N_MAX),
        pres_est(ranks, n, N_MAX),
        rnorm(ranks, n, n_docs),
    )
    return pytest.approx(values, abs=5e-5)


NOTHING, HALF = at(), pytest.approx((0.5,) * 5)


# The order of documents


@row("Equal scores", TREC_ORDER)
def test_equal_scores_are_ordered_by_id_descending(framework, score):
    run = [("q", "a", 1.0), ("q", "b", 1.0)]
    assert score(framework, [("q", "a", 1)], run)["q"] == at(2)
    assert score(framework, [("q", "b", 1)], run)["q"] == at(1)


@row("Equal scores", [RANX])
def test_equal_scores_are_in_the_order_of_ranxs_sort(framework, score):
    for run, rank in (
        ([("q", "a", 1.0), ("q", "b", 1.0)], 1),
        ([("q", "b", 1.0), ("q", "a", 1.0)], 2),
    ):
        assert score(framework, [("q", "a", 1)], run)["q"] == at(rank)
    # Two stay as they were given, many do not; the measures all see the same order.
    many = {"q": dict.fromkeys((f"EP{i:07}" for i in range(40)), 1.0)}
    order = list(ranx.Run(many)["q"])
    assert sorted(order) == list(many["q"]) != order
    assert order != sorted(order, reverse=True)
    found = score(framework, [("q", order[4], 1)], [("q", d, 1.0) for d in many["q"]])
    assert found["q"] == at(5)


@row("Scores that differ only beyond 32 bits")
def test_scores_are_compared_as_32_bit_floats_except_by_ranx(framework, score):
    run = [("q", "b", 1.0), ("q", "a", 1.00000001)]
    assert np.float32(1.00000001) == 1
    found = score(framework, [("q", "a", 1)], run)["q"]
    assert found == at(1 if framework == RANX else 2)


@row("Ranks or lines that contradict the scores")
def test_only_scores_order_documents(framework, score, tmp_path):
    qrels, run = [("q", "EP0000001", 1)], [("q", "EP0000001", 1.0), ("q", "EP0000002", 2.0)]
    text = "q Q0 EP0000001 1 1.0 tag\nq Q0 EP0000002 2 2.0 tag\n"
    (tmp_path / "by.trec").write_text(text)
    if framework == IR_MEASURES:
        run = list(ir_measures.read_trec_run(str(tmp_path / "by.trec")))
    if framework == PYTERRIER:
        run = [(*line, rank) for rank, line in enumerate(run)]
    if framework == RANX:
        from_file = ranx.Run.from_file(str(tmp_path / "by.trec"), kind="trec")
        assert from_file.to_dict() == _dicts(run)
    assert score(framework, qrels, run)["q"] == at(2)


@row("Ranks or lines that contradict the scores", [FRAMES])
def test_ranks_order_documents_in_frames_that_are_told_so(framework, score):
    qrels, run = [("q", "a", 1)], [("q", "b", 2.0, 2), ("q", "a", 1.0, 1)]
    assert score(framework, qrels, run)["q"] == at(2)
    assert score(framework, qrels, run, rank="rank")["q"] == at(1)


@row("A score of NaN", [FRAMES])
def test_frames_with_nan_are_refused(framework, score):
    run = [("q", "a", math.nan), ("q", "m", 1.0)]
    with pytest.raises(frames.FrameError, match="document 'a': the score is null or NaN"):
        score(framework, [("q", "m", 1)], run)


@row("A score of NaN", [IR_MEASURES, PYTERRIER])
@pytest.mark.parametrize(("nan_id", "rank"), [("a", 1), ("z", 2)])
def test_nan_ties_with_everything_for_trec_eval_and_is_refused_by_ours(
    framework, score, nan_id, rank
):
    qrels, run = [("q", "m", 1)], [("q", "m", 1.0), ("q", nan_id, math.nan)]
    names = ["AP", "R@1"]
    ap, r = score(framework, qrels, run, names=names)["q"]
    assert (ap, r) == (1 / rank, float(rank == 1))
    with pytest.raises(ValueError, match=f"document '{nan_id}': the score is NaN"):
        score(framework, qrels, run)


@row("A score of NaN", [RANX])
@pytest.mark.parametrize("nan_id", ["a", "z"])
@pytest.mark.parametrize("first", [False, True])
def test_nan_comes_last_in_ranx(framework, score, nan_id, first):
    nan, number = ("q", nan_id, math.nan), ("q", "m", -5.0)
    run = [nan, number] if first else [number, nan]
    assert score(framework, [("q", "m", 1)], run)["q"] == at(1)
    assert score(framework, [("q", nan_id, 1)], run)["q"] == at(2)


@row("A score of NaN", [COMMAND_LINE])
def test_the_command_refuses_nan(framework, score):
    with pytest.raises(RefusedError, match=r"run, line 1: .*: the score is NaN"):
        score(framework, [("q", "m", 1)], [("q", "a", math.nan), ("q", "m", 1.0)])


# Documents


@row("Unjudged documents in a run")
def test_documents_not_judged_are_not_relevant_and_keep_their_ranks(framework, score):
    qrels = [("q", "a", 1), ("q", "b", 0)]
    run = [("q", "x", 3.0), ("q", "b", 2.0), ("q", "a", 1.0)]
    assert score(framework, qrels, run)["q"] == at(3)
    if framework != RANX:
        assert score(framework, qrels, run, judged_only=True)["q"] == at(2, n_docs=2)


@row("A relevance below 0")
def test_a_relevance_below_0_is_not_relevant_and_for_judged_only_no_judgement(framework, score):
    qrels = [("q", "a", 1), ("q", "b", -1)]
    run = [("q", "b", 2.0), ("q", "a", 1.0)]
    assert score(framework, qrels, run)["q"] == at(2)
    if framework != RANX:
        assert score(framework, qrels, run, judged_only=True)["q"] == at(1, n_docs=1)


@row("A document retrieved twice for a topic", [IR_MEASURES, PYTERRIER, RANX])
def test_of_a_document_retrieved_twice_the_last_row_counts(framework, score):
    qrels = [("q", "a", 1)]
    frame = {"from_frame": True} if framework == RANX else {}
    for first, last, rank in ((3.0, 1.0, 2), (1.0, 3.0, 1)):
        run = [("q", "a", first), ("q", "b", 2.0), ("q", "a", last)]
        assert score(framework, qrels, run, **frame)["q"] == at(rank)


@row("A document retrieved twice for a topic", [RANX])
def test_in_arrays_that_ranx_is_given_each_time_counts(framework):
    qrels = TypedList([np.array([[7.0, 1.0]])])
    run = TypedList([np.array([[7.0, 3.0], [8.0, 2.0], [7.0, 1.0]])])
    found = ranx.evaluate(qrels, run, RANX_NAMES[:4])
    assert found["recall@10"] == 2
    assert found["map"] == pytest.approx(1 + 2 / 3)
    assert found["pres@10"] == found["pres_est@10"] > 1


@row("A document retrieved twice for a topic", [COMMAND_LINE])
def test_the_command_asks_which_of_a_document_retrieved_twice_counts(framework, score):
    qrels = [("q", "a", 1)]
    run = [("q", "a", 3.0), ("q", "b", 2.0), ("q", "a", 1.0)]
    with pytest.raises(RefusedError, match="run, line 3: document 'a' is in topic 'q' twice"):
        score(framework, qrels, run)
    for which, rank in (("first", 1), ("last", 2)):
        assert score(framework, qrels, run, options=["--duplicates", which])["q"] == at(rank)


@row("A document retrieved twice for a topic", [FRAMES])
def test_frames_are_refused_or_count_the_document_where_it_is_ranked_higher(framework, score):
    qrels = [("q", "a", 1)]
    for scores_of_a in ((3.0, 1.0), (1.0, 3.0)):
        run = [("q", "b", 2.0), *(("q", "a", value) for value in scores_of_a)]
        with pytest.raises(frames.FrameError, match="document 'a': retrieved twice"):
            score(framework, qrels, run)
        assert score(framework, qrels, run, duplicates="highest")["q"] == at(1)


@row("A document judged twice for a topic", [FRAMES])
def test_frames_of_qrels_that_judge_a_document_twice_are_refused(framework, score):
    qrels = [("q", "a", 1), ("q", "a", 1)]
    for duplicates in ("error", "highest"):
        with pytest.raises(frames.FrameError, match="qrels: topic 'q', document 'a': judged twice"):
            score(framework, qrels, [("q", "a", 1.0)], duplicates=duplicates)


@row("A document judged twice for a topic", [IR_MEASURES, PYTERRIER, RANX])
def test_of_a_document_judged_twice_the_last_judgement_counts(framework, score):
    frame = {"from_frame": True} if framework == RANX else {}
    run = [("q", "a", 1.0)]
    for first, last in ((1, 0), (0, 1)):
        qrels = [("q", "a", first), ("q", "a", last)]
        assert score(framework, qrels, run, **frame)["q"] == (at(1) if last else NOTHING)


@row("A document judged twice for a topic", [COMMAND_LINE])
def test_the_command_asks_which_judgement_counts(framework, score):
    qrels, run = [("q", "a", 1), ("q", "a", 0)], [("q", "a", 1.0)]
    with pytest.raises(RefusedError, match="qrels, line 2: document 'a' is in topic 'q' twice"):
        score(framework, qrels, run)
    for which, expected in (("first", at(1)), ("last", NOTHING)):
        assert score(framework, qrels, run, options=["--duplicates", which])["q"] == expected


@row("Fewer results than Nmax")
def test_a_short_list_is_scored_as_one_that_goes_on_without_relevant_documents(framework, score):
    qrels = [("q", "a", 1), ("q", "b", 1)]
    short = [("q", "x", 9.0), ("q", "a", 8.0)]
    long = [*short, *(("q", f"y{i}", float(7 - i)) for i in range(12))]
    for run in (short, long):
        assert score(framework, qrels, run)["q"] == at(2, n=2)


# Topics

JUDGED = [("q1", "a", 1), ("q2", "a", 1)]


@row("A judged topic without results")
def test_a_topic_without_results_scores_0_and_counts(framework, score):
    run = [("q1", "a", 1.0)]
    options = {
        PYTERRIER: {"topics": ["q1", "q2"]},
        RANX: {"make_comparable": True},
        COMMAND_LINE: {"warns": "lacks 1 of the 2 topics in the qrels; missing topics score 0: q2"},
    }.get(framework, {})
    if framework == RANX:
        with pytest.raises(RefusedError, match="make_comparable=True"):
            score(framework, JUDGED, run)
    found = score(framework, JUDGED, run, **options)
    assert (found["q1"], found["q2"]) == (at(1), NOTHING)
    assert found["mean"] == HALF


@row("A judged topic without results", [PYTERRIER])
def test_a_topic_that_was_not_searched_is_left_out_by_pyterrier(framework, score):
    run = [("q1", "a", 1.0)]
    found = score(framework, JUDGED, run, topics=["q1"])
    assert (found["mean"], set(found)) == (at(1), {"q1", "mean"})
    found = score(framework, JUDGED, run, topics=["q1"], filter_by_topics=False)
    assert found["mean"] == HALF


@row("A topic without relevant documents (n = 0)")
def test_a_topic_without_relevant_documents_scores_0_and_counts(framework, score):
    qrels = [("q1", "a", 1), ("q2", "a", 0)]
    found = score(framework, qrels, [("q1", "a", 1.0), ("q2", "a", 1.0)])
    assert (found["q1"], found["q2"]) == (at(1), (0,) * 5)
    assert found["mean"] == HALF


SEARCHED = [("q1", "a", 1.0), ("q2", "a", 1.0)]


@row("An unjudged topic in a run", [IR_MEASURES, RANX, COMMAND_LINE, FRAMES])
def test_a_topic_that_is_not_judged_is_left_out(framework, score):
    options = {
        RANX: {"make_comparable": True},
        COMMAND_LINE: {"warns": "lack 1 of the 2 topics in the run; extra topics are ignored: q2"},
    }.get(framework, {})
    if framework == RANX:
        with pytest.raises(RefusedError, match="make_comparable=True"):
            score(framework, JUDGED[:1], SEARCHED)
    found = score(framework, JUDGED[:1], SEARCHED, **options)
    assert set(found) == {"q1", "mean"}
    assert found["mean"] == at(1)


@row("An unjudged topic in a run", [PYTERRIER])
def test_a_topic_that_is_not_judged_is_nan_in_pyterrier_and_not_in_the_mean(framework, score):
    with pytest.warns(UserWarning, match="not found in qrels"):
        found = score(framework, JUDGED[:1], SEARCHED)
    assert np.isnan(found["q2"]).all()
    assert found["mean"] == at(1)
    found = score(framework, JUDGED[:1], SEARCHED, filter_by_qrels=True)
    assert set(found) == {"q1", "mean"}


@row("No common topics")
def test_no_topic_in_common(framework, score):
    qrels, run = [("q1", "a", 1)], [("q2", "a", 1.0)]
    if framework in {IR_MEASURES, FRAMES}:
        assert score(framework, qrels, run)["mean"] == NOTHING
    elif framework == RANX:
        with pytest.raises(RefusedError, match="make_comparable=True"):
            score(framework, qrels, run)
        found = score(framework, qrels, run, make_comparable=True)
        assert found["mean"] == NOTHING
    else:
        says = {PYTERRIER: "no overlap between the qids", COMMAND_LINE: "no topic in common"}
        with pytest.raises((ValueError, RefusedError), match=says[framework]):
            score(framework, qrels, run)


def test_the_table_has_these_rows_and_frameworks():
    table = re.search(
        r"<!-- table: edge cases -->\n\n(.*?)\n\n", PAGE.read_text(encoding="utf-8"), re.DOTALL
    )[1]
    cells = [[c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]] for line in table.splitlines()]
    header, _, *rows = cells
    assert header[1:] == FRAMEWORKS
    assert {r[0] for r in rows} == ROWS
    assert all(cell for r in rows for cell in r)
