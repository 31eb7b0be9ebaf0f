"""Every interface warns about a run whose ids hardly ever match, and not about a bad run."""

import gzip
import warnings

import ir_measures
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from command import pres_eval

from pres_plugin import UnmatchedIdsWarning, frames
from pres_plugin.cli.inputs import announcement
from pres_plugin.files import score as score_files
from pres_plugin.formats.recognition import open_file
from pres_plugin.study.check import check
from pres_plugin.study.check.values import Number, Values
from pres_plugin.study.compare import compare
from pres_plugin.study.explain import explain
from pres_plugin.study.robustness import robustness
from pres_plugin.study.sweep import sweep

JUDGED = ["US7257313B2", "US6969327B1", "EP0000001A1"]
# Relevant, not relevant, and unjudged in trec_eval's sense.
QRELS = {f"q{i}": dict(zip(JUDGED, (1, 0, -1), strict=True)) for i in range(1, 41)}
SPACED = {topic: {"US 7257313 B2": 2.0, "US 6969327 B1": 1.0} for topic in QRELS}
#: Retrieves no relevant document, but one of negative relevance in two of 40 topics: just enough.
BAD = SPACED | {topic: {"x": 2.0, "EP0000001A1": 1.0} for topic in ("q1", "q2")}
#: Finds everything in one of 40 topics.
NEARLY = SPACED | {"q1": dict.fromkeys(JUDGED, 1.0)}
OTHER_TOPICS = {topic.upper(): docs for topic, docs in SPACED.items()}

IDS = (
    "check the document ids: in topic 'q1', the run has 'US 7257313 B2', 'US 6969327 B1', and the "
    "qrels have 'US7257313B2', 'US6969327B1'; to ignore blanks and kind codes, see --families "
    "kind-codes or pres_plugin.families"
)
SIDE_BY_SIDE = f"no judged document was retrieved in any topic; {IDS}"


def frame(topics, value):
    rows = [(t, doc_id, number) for t, docs in topics.items() for doc_id, number in docs.items()]
    return pl.DataFrame(rows, ["query_id", "doc_id", value], orient="row")


def in_files(run, folder):
    qrels, path = folder / "qrels", folder / "bm25"
    rows = frame(QRELS, "relevance").iter_rows()
    qrels.write_text("".join(f"{t} 0 {doc_id} {number}\n" for t, doc_id, number in rows))
    frame(run, "score").write_csv(path.with_suffix(".csv"))
    return str(qrels), str(path.with_suffix(".csv"))


def in_frames(convert, run):
    both = frame(run, "score"), frame(QRELS, "relevance")
    return frames.score(*map(convert, both), ["PRES@10", "PRES(judged_only=True)@10"])


MEASURES = [ir_measures.PRES @ 10, ir_measures.R @ 10, ir_measures.PRES(judged_only=True) @ 10]
VALUES = Values({None: Number(0.5, decimals=1)})
INTERFACES = {
    "calc_aggregate": lambda run, _: ir_measures.calc_aggregate(MEASURES, QRELS, run),
    "calc": lambda run, _: ir_measures.calc(MEASURES, QRELS, run),
    "iter_calc": lambda run, _: list(ir_measures.iter_calc(MEASURES, QRELS, run)),
    "pandas": lambda run, _: in_frames(
        lambda rows: pd.DataFrame(rows.to_dict(as_series=False)), run
    ),
    "polars": lambda run, _: in_frames(lambda rows: rows, run),
    "PyArrow": lambda run, _: in_frames(lambda rows: pa.table(rows.to_dict(as_series=False)), run),
    "files": lambda run, folder: score_files(*in_files(run, folder), ["PRES@10", "AP"]),
    "compare": lambda run, _: compare(QRELS, {"a": run, "b": QRELS}, MEASURES),
    "sweep": lambda run, _: sweep(QRELS, {"a": run}, ["PRES", "nDCG"], [5, 10]),
    "explain": lambda run, _: explain(QRELS, {"a": run}, "q3", 10),
    "robustness": lambda run, _: robustness(QRELS, {"a": run, "b": QRELS}, MEASURES, [0.5]),
    "check": lambda run, _: check(QRELS, run, VALUES, 10),
}


@pytest.mark.parametrize("score", INTERFACES.values(), ids=INTERFACES)
def test_a_call_warns_once_with_similar_ids_side_by_side(score, tmp_path):
    with pytest.warns(UnmatchedIdsWarning) as found:
        score(SPACED, tmp_path)
    assert [str(each.message).partition(": ")[2] for each in found] == [SIDE_BY_SIDE]
    assert found[0].filename == __file__


@pytest.mark.parametrize("score", INTERFACES.values(), ids=INTERFACES)
def test_a_run_that_retrieves_judged_documents_is_only_bad(score, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error", UnmatchedIdsWarning)
        score(BAD, tmp_path)


@pytest.mark.parametrize("interface", ["calc_aggregate", "polars", "files", "compare"])
def test_fewer_than_one_topic_in_twenty_is_too_few(interface, tmp_path):
    with pytest.warns(UnmatchedIdsWarning, match="in only 1 of 40 topics; .* in topic 'q2'"):
        INTERFACES[interface](NEARLY, tmp_path)


@pytest.mark.parametrize("interface", ["calc_aggregate", "pandas"])
def test_topics_that_are_never_judged_are_shown(interface, tmp_path):
    shown = r"the run has 'Q\d+', 'Q\d+', and the qrels have 'q\d+', 'q\d+'"
    with pytest.warns(UnmatchedIdsWarning, match=f"no topic of the run is judged; .*{shown}"):
        INTERFACES[interface](OTHER_TOPICS, tmp_path)


def test_each_run_in_a_frame_is_looked_at():
    run = pl.concat(
        frame(docs, "score").with_columns(system=pl.lit(name))
        for name, docs in {"bad": BAD, "spaced": SPACED}.items()
    )
    with pytest.warns(UnmatchedIdsWarning, match="^run spaced: ") as found:
        frames.score(run, frame(QRELS, "relevance"), "PRES@10", by="system")
    assert len(found) == 1


def test_publications_that_differ_in_their_kind_codes_can_be_folded(tmp_path):
    run = {topic: {"US7257313A1": 1.0} for topic in QRELS}
    with pytest.warns(UnmatchedIdsWarning, match="to ignore blanks and kind codes, see"):
        ir_measures.calc_aggregate(MEASURES, QRELS, run)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UnmatchedIdsWarning)
        score_files(*in_files(run, tmp_path), "PRES@10", families="kind-codes")


COMMANDS = {
    "score": ["score", "-m", "PRES@10"],
    "score as dicts": ["score", "-m", "PRES@10 nDCG@10"],
    "compare": ["compare", "-m", "PRES@10 PRES(judged_only=True)@10"],
    "sweep": ["sweep"],
    "explain": ["explain", "--query", "q3"],
    "robustness": ["robustness", "--samples", "1"],
    "check": ["check", "0.5", "--n-max", "10"],
}


@pytest.mark.parametrize(("run", "warned"), [(SPACED, True), (BAD, False)], ids=["spaced", "bad"])
@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_each_command_prints_the_warning_once_and_no_other(arguments, run, warned, tmp_path):
    qrels, path = in_files(run, tmp_path)
    stderr = pres_eval(*arguments, qrels, path).stderr
    assert stderr.count(f"pres-eval: warning: {path}: {SIDE_BY_SIDE}\n") == warned
    assert len(stderr.splitlines()) == 1
    assert ("has at most" in stderr or "documents for topic" in stderr) != warned


class TestReadingAWholeRun:
    NDCG = ir_measures.nDCG @ 10

    def test_a_large_run_is_announced_with_the_measures_to_leave_out(self):
        sizes = {"small.run": 10, "big.parquet": 20_000_000}
        (line,) = announcement(sizes, [self.NDCG])
        assert line == (
            "big.parquet: nDCG@10 is not computed in pieces, so the run is read into about "
            "4.4 GB; leave it out to need less memory"
        )

    def test_a_command_may_need_the_whole_run_by_itself(self):
        (line,) = announcement({"big.run": 10**7}, [])
        assert "big.run: this command needs the whole run, so the run is read into about" in line

    def test_a_small_run_is_not_announced(self):
        assert list(announcement({"small.run": 10**6}, [self.NDCG])) == []

    @pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet"])
    def test_the_number_of_rows_is_known_before_a_file_is_read(self, suffix, tmp_path):
        path, rows = tmp_path / f"run{suffix}", frame(SPACED, "score")
        if suffix == ".parquet":
            rows.write_parquet(path)
        else:
            text = rows.write_csv().encode()
            path.write_bytes(gzip.compress(text) if suffix.endswith("gz") else text)
        assert abs(open_file(str(path)).n_rows() - rows.height) <= 1  # the header is a line
