"""Ranks found in files are those that are found in the same runs as dicts."""

from contextlib import ExitStack

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pres_plugin.files import read_qrels
from pres_plugin.files.judgements import read_judgements
from pres_plugin.files.run_files import RunFiles
from pres_plugin.files.scoring import rank_files
from pres_plugin.files.sources import Sources
from pres_plugin.formats import FileError
from pres_plugin.measures import R
from pres_plugin.study.ranks import RelevantDocuments

# Topic 9 is not judged, topic 3 has no relevant document, and scores tie.
JUDGED = [("2", "a", 1), ("2", "b", 0), ("1", "c", 2), ("1", "a", 1), ("3", "b", -1), ("4", "e", 1)]
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["one", "two"]),
        st.sampled_from(["1", "2", "9"]),
        st.sampled_from("abcd"),
        st.integers(0, 2),
    ),
    unique_by=lambda row: row[:3],
).map(lambda rows: [("one", "1", "e", 1), ("two", "3", "e", 1), *rows])


def ranked(folder, *names):
    """Rank the runs in files; return what is relevant, too."""
    sources = Sources(str(folder / "qrels"), tuple(str(folder / name) for name in names))
    with ExitStack() as until:
        files = RunFiles(sources, until)
        judged = read_judgements(sources.qrels, [R], "error", until)
        of_files = list(rank_files(files, judged, "error"))
    return RelevantDocuments(judged.dicts()), [run for runs in of_files for run in runs]


@given(ROWS, st.booleans())
@settings(
    max_examples=settings.default.max_examples // 5,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
def test_ranks_in_files_are_those_in_dicts(tmp_path, rows, in_one_file):
    (tmp_path / "qrels").write_text("".join(f"{q} 0 {d} {r}\n" for q, d, r in JUDGED))
    runs = {}
    for name, query_id, doc_id, score in rows:
        runs.setdefault(name, {}).setdefault(query_id, {})[doc_id] = float(score)
    if in_one_file:
        table = pl.DataFrame(rows, ["run", "query_id", "doc_id", "score"], orient="row")
        table.write_parquet(tmp_path / "runs")
        names = ["runs"]
    else:
        names = list(runs)
        for name in names:
            lines = (f"{q} Q0 {d} 1 {s} t\n" for run, q, d, s in rows if run == name)
            (tmp_path / name).write_text("".join(lines))
    relevant, found = ranked(tmp_path, *names)
    expected = RelevantDocuments(read_qrels(tmp_path / "qrels"))
    assert relevant.doc_ids == expected.doc_ids
    assert relevant.relevance.tolist() == expected.relevance.tolist()
    assert [run.name for run in found] == list(runs)
    for run in found:
        of_dicts = expected.rank(run.name, runs[run.name])
        assert run.ranks.tolist() == of_dicts.ranks.tolist()
        assert run.retrieved.tolist() == of_dicts.retrieved.tolist()
        assert list(run.topics) == list(runs[run.name])
        judged = [len(docs) for topic, docs in runs[run.name].items() if topic != "9"]
        assert run.largest_topic == max(judged)


def test_a_run_without_judged_topics_is_refused(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("2 Q0 a 1 1 t\n")
    with pytest.raises(FileError, match="run: "):
        ranked(tmp_path, "run")
