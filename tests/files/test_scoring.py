"""Files read as frames score as they do line by line, and fail with the same words."""

import gzip
import os
import threading
from contextlib import ExitStack

import ir_measures
import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pres_plugin.files.judgements import JudgedTopics, read_judgements
from pres_plugin.files.run_files import runs_in
from pres_plugin.formats import read_qrels, read_run
from pres_plugin.formats.base import FileError
from pres_plugin.formats.input import lines
from pres_plugin.formats.input.on_disk import on_disk
from pres_plugin.formats.trec.pieces import normalised
from pres_plugin.measures.parsing import parse

# Ids that a CSV reader could take for something else, and that sort by code point only so.
DOC_IDS = ["a", "b", "B", "10", "9", "é", "😀", "\ufffd", '"q"', "null", "#x", "\x01", "\u00a0"]
TOPICS = ["q1", "q2", "q3", "#"]
SCORES = [
    "1",
    "+1",
    "1e5",
    ".5",
    "5.",
    "-0.0",
    "0.0",
    "0",
    "1e300",
    "-1e400",
    "1.0000000001",
    "inf",
]
NO_SCORES = ["0x10", "1_0", "nan", "-NaN", "abc", "--1", "1e", "1,5", "٣"]
MEASURES = [parse(text) for text in ("PRES@3", "AP", "R@2")]
WHITE_SPACE = [" ", "\t", "  ", " \t", "\x0b", "\x0c", "\r"]


@pytest.fixture
def scored(tmp_path):
    """Scores a run, in pieces of some size; or says what is wrong with it."""
    judgements = {topic: {doc_id: i % 3 for i, doc_id in enumerate(DOC_IDS)} for topic in TOPICS}

    def score(content, duplicates="error", piece=1 << 20):
        path = tmp_path / "file.run"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        judged = JudgedTopics(frame(judgements), MEASURES)
        with ExitStack() as until, pytest.MonkeyPatch.context() as patch:
            patch.setattr(lines, "PIECE", piece)
            [run] = runs_in(str(path), until)
            try:
                [scores] = run.scores(judged, duplicates)
            except FileError as error:
                got = str(error)
            else:
                of_topics = {
                    topic: [of_topics.get(topic, 0.0) for of_topics in scores.values.values()]
                    for topic in scores.topics
                }
                got = of_topics, list(scores.means.values())
        try:
            expected = by_ir_measures(read_run(str(path), duplicates), judgements)
        except FileError as error:
            expected = str(error)
        return got, expected

    return score


def frame(judgements):
    rows = [(q, d, relevance) for q, docs in judgements.items() for d, relevance in docs.items()]
    schema = {"query_id": pl.String, "doc_id": pl.String, "relevance": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def by_ir_measures(run, judgements):
    """Score what was read line by line, AP and recall with ir-measures, and PRES by its recall.

    PRES@Nmax = (R@1 + … + R@Nmax + R(nR - 1)/2) / Nmax, with R = R@Nmax.
    """
    recalls = [ir_measures.R @ k for k in (1, 2, 3)]
    results = ir_measures.calc([ir_measures.AP, *recalls], judgements, run)
    values = {topic: {} for topic in judgements}
    for metric in results.per_query:
        values[metric.query_id][metric.measure] = metric.value
    of_topics = {topic: [0.0] * 3 for topic in run}
    for topic in run.keys() & judgements.keys():
        r1, r2, r = (values[topic][recall] for recall in recalls)
        n = sum(relevance > 0 for relevance in judgements[topic].values())
        pres = pytest.approx((r1 + r2 + r + r * (n * r - 1) / 2) / 3, abs=1e-12)
        of_topics[topic] = [pres, values[topic][ir_measures.AP], r2]
    mean = sum(of_topics[topic][0].expected for topic in run.keys() & judgements.keys())
    means = [results.aggregated[measure] for measure in (ir_measures.AP, recalls[1])]
    return of_topics, [pytest.approx(mean / len(judgements), abs=1e-12), *means]


@st.composite
def files(draw):
    """Runs, written in every way that is right, and some that are not."""
    rows = draw(
        st.lists(
            st.tuples(st.sampled_from([*TOPICS[:3], "unjudged"]), st.sampled_from(DOC_IDS)),
            max_size=25,
            unique=draw(st.integers(0, 4)) > 0,
        )
    )
    if draw(st.booleans()):
        rows.sort(key=lambda row: row[0])
    separators = st.sampled_from(WHITE_SPACE) if draw(st.booleans()) else st.just(" ")
    ends = st.sampled_from(["\n", "\r\n", " \n", "\n\n", "\n# comment\n", "\n \t\n"])
    wrong = draw(st.integers(0, 5)) == 0
    text = draw(st.sampled_from(["", "\ufeff", "\n", "# q1 Q0 a 1 1 t\n"]))
    for topic, doc_id in rows:
        scores = NO_SCORES if wrong and draw(st.integers(0, 9)) == 0 else SCORES
        fields = [topic, "Q0", doc_id, "1", draw(st.sampled_from(scores)), "tag"]
        if wrong and draw(st.integers(0, 9)) == 0:
            fields = draw(st.sampled_from([fields[:5], [*fields, "x"]]))
        text += "".join(draw(separators) + field for field in fields)[1:]
        text += "\n" if draw(st.booleans()) else draw(ends)
    return text.removesuffix("\n") if draw(st.booleans()) else text


@given(
    files(), st.sampled_from([16, 60, 200, 1 << 20]), st.sampled_from(["error", "first", "last"])
)
@settings(
    max_examples=settings.default.max_examples // 2,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_runs_score_as_in_ir_measures_and_fail_as_line_by_line(scored, text, piece, duplicates):
    got, expected = scored(text, duplicates, piece)
    assert got == expected


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["q1", "q2"]), st.sampled_from("abcdef"), st.sampled_from(SCORES)
        ),
        min_size=1,
        unique_by=lambda row: row[:2],
    ),
    st.sampled_from([16, 60, 1 << 20]),
)
@settings(
    max_examples=settings.default.max_examples // 2,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_runs_score_as_ir_measures_reads_and_scores_them(tmp_path, rows, piece):
    run, qrels = tmp_path / "run", tmp_path / "qrels"
    run.write_text("".join(f"{q} Q0 {d} 1 {score} t\n" for q, d, score in rows))
    qrels.write_text("q1 0 a 1\nq1 0 b 0\nq1 0 c 2\nq2 0 a 1\nq3 0 f 1\n")
    measures = [parse(text) for text in ("AP", "R@2", "AP(rel=2)@3")]
    with ExitStack() as until, pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "PIECE", piece)
        judged = read_judgements(str(qrels), measures, "error", until)
        [read] = runs_in(str(run), until)
        [scores] = read.scores(judged, "error")
    theirs = [ir_measures.parse_measure(str(measure)) for measure in measures]
    results = ir_measures.calc(
        theirs, ir_measures.read_trec_qrels(str(qrels)), ir_measures.read_trec_run(str(run))
    )
    for metric in results.per_query:
        assert scores.values[str(metric.measure)][metric.query_id] == metric.value
    for their in theirs:
        assert scores.means[str(their)] == results.aggregated[their]


@example("q1 Q0 a 1 1 t\nq2 Q0 a 1 1 t\nq1 Q0 a 1 2 t\n", "last")
@given(files(), st.sampled_from(["error", "first", "last"]))
@settings(
    max_examples=settings.default.max_examples // 2,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_runs_are_the_dicts_that_are_read_line_by_line(tmp_path, text, duplicates):
    path = tmp_path / "file.run"
    path.write_bytes(text.encode())
    with ExitStack() as until:
        [run] = runs_in(str(path), until)
        try:
            [(_, got)] = run.dicts(duplicates)
        except FileError as error:
            got = str(error)
    try:
        expected = read_run(str(path), duplicates)
    except FileError as error:
        expected = str(error)
    assert got == expected
    assert list(got) == list(expected)  # topics in their order


@pytest.mark.parametrize("score", NO_SCORES)
def test_what_is_no_score_is_refused(scored, score):
    got, expected = scored(f"q1 Q0 a 1 1 t\nq1 Q0 b 1 {score} t\n")
    assert got == expected
    assert "line 2: the score" in got


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n# nothing\n",
        b"q1 Q0 a 1 2 t\nq1 Q0 b 2 1\n",
        b"q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t x\nq1 Q0 c 1\n",  # as many fields as there should be
        b"q1 Q0 a  2 t\nq1 Q0 b 1 2 t\n",
        b"q1 Q0 a 1 2 t\nq1 Q0 \xe9 1 2 t\n",
        b"q1 Q0 a 1 2 t\0\n",
        b"q1 Q0 a 1 2 t\nq1 Q0 a 2 1 t\n",
        b"q1 Q0 a 1 2 t\nq2 Q0 a 1 1 t\nq1 Q0 a 2 1 t\n",
        gzip.compress(b"q1 Q0 a 1 2 t\n" * 9, mtime=0)[:30],
        b"\x1f\x8b\x08 and nothing of the kind",
    ],
)
@pytest.mark.parametrize("piece", [8, 1 << 20])
def test_wrong_files_are_described_as_line_by_line(scored, content, piece):
    got, expected = scored(content, piece=piece)
    assert isinstance(got, str)
    assert got == expected


def test_text_that_is_no_utf8_does_not_matter_where_nobody_reads_it(scored):
    got, expected = scored(b"q1 Q0 a 1 2 \xe9\n")
    assert not isinstance(got, str)
    assert got == expected


def test_what_begins_a_file_may_begin_a_piece(scored):
    line = "\ufeffq1 Q0 a 1 2 t\n"
    got, expected = scored(line + line.replace("a", "b"), piece=8)
    assert set(got[0]) == {"q1", "\ufeffq1"}
    assert got == expected


def test_compressed_runs_are_runs(scored):
    text = b"".join(b"q%d Q0 a 1 %d t\n" % (i % 3, i) for i in range(3))
    assert scored(gzip.compress(text)) == scored(text)


def test_any_white_space_becomes_one_blank():
    text = b" \n a\tb\x0b\x0c c \r\n\n\t\n#d\n # e\nf #g\n"
    assert normalised(text) == b"a b c\nf #g\n"


def test_a_pipe_is_kept_to_be_read_twice(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"q1 Q0 a 1 high t\n",))
    writer.start()
    with ExitStack() as until:
        [run] = runs_in(str(pipe), until)
        writer.join()
        judged = JudgedTopics(frame({"q1": {"a": 1}}), MEASURES)
        with pytest.raises(FileError, match=f"^{pipe}, line 1: the score 'high'"):
            run.scores(judged, "error")
        copy = run.files[0].path
    assert not os.path.exists(copy)
    with ExitStack() as until:
        assert on_disk(str(tmp_path / "file"), until) == str(tmp_path / "file")


QRELS = {
    "plain": "q1 0 a 1\nq1 0 b 0\nq2 0 a 2\n",
    "white space": "q1\t0  a 1 \r\n# q3 0 a 1\n\nq1 0 b 0\nq2 0 a +2",
    "scattered": "q1 0 a 1\nq2 0 a 2\nq1 0 b 0\n",
    "large": f"q1 0 a {2**63 - 1}\nq1 0 b -{2**63}\nq2 0 a 1\n",
}


@pytest.mark.parametrize("text", QRELS.values(), ids=QRELS)
def test_judgements_are_those_read_line_by_line(tmp_path, text):
    path = tmp_path / "qrels"
    path.write_text(text)
    with ExitStack() as until:
        judged = read_judgements(str(path), [parse("PRES(judged_only=True)@3")], "error", until)
    expected = read_qrels(str(path))
    assert list(judged.topics) == list(expected)
    for level in (0, 1, 2):
        counts = [sum(r >= level for r in docs.values()) for docs in expected.values()]
        assert judged.at_least(level, expected).tolist() == counts


@pytest.mark.parametrize(
    "text", ["", "q1 0 a 1.5\n", "q1 0 a 1_0\n", "q 0 a\n", "q 0 a 1\nq 0 a 1\n"]
)
def test_wrong_judgements_are_described_as_line_by_line(tmp_path, text):
    path = tmp_path / "qrels"
    path.write_text(text)
    with pytest.raises(FileError) as expected:
        read_qrels(str(path))
    with ExitStack() as until, pytest.raises(FileError) as got:
        read_judgements(str(path), MEASURES, "error", until)
    assert str(got.value) == str(expected.value)
