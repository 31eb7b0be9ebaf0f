"""A run scores the same in TREC's format, as CSV and as TSV, by scores and by ranks."""

import csv
import gzip
from pathlib import Path

import ir_measures
import pytest
from command import pres_eval
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pres_plugin.formats import read_qrels, read_run

MEASURES = [ir_measures.PRES @ 3, ir_measures.AP, ir_measures.R @ 2]

IDS = st.text("aB1,;\"'é|", min_size=1, max_size=4)
# The command writes other characters as escapes.
TOPIC_IDS = st.text("aB1,;|", min_size=1, max_size=4)
# Numbers that 32 bits tell apart.
SCORES = st.integers(-(1 << 20), 1 << 20).map(lambda i: i / 8)
TOPIC = st.dictionaries(IDS, SCORES, min_size=1, max_size=6)
TOPIC_WITHOUT_TIES = st.lists(st.tuples(IDS, SCORES), min_size=1, max_size=6).map(
    lambda pairs: {doc: score for score, doc in {score: doc for doc, score in pairs}.items()}
)
JUDGED = st.dictionaries(IDS, st.integers(0, 2), min_size=1, max_size=4)


def write(name, separator, header, rows, **options):
    with open(name, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=separator, **options)
        writer.writerow(header)
        writer.writerows(rows)


def write_all(run, qrels, has_ties):
    """Write a run and judgements in each way, and return the names of both."""
    scored = [(q, doc, score) for q, docs in run.items() for doc, score in docs.items()]
    judged = [(q, doc, value) for q, docs in qrels.items() for doc, value in docs.items()]
    Path("run").write_text("".join(f"{q} Q0 {doc} 0 {score!r} t\n" for q, doc, score in scored))
    Path("qrels").write_text("".join(f"{q} 0 {doc} {value}\n" for q, doc, value in judged))
    write("a.csv", ",", ("query_id", "doc_id", "score"), scored)
    write("a.qrels", ",", ("query_id", "doc_id", "relevance"), judged, lineterminator="\n")
    write("b.tsv", "\t", ("qid", "docno", "score"), scored, quoting=csv.QUOTE_ALL)
    write("b.qrels", "\t", ("query-id", "corpus-id", "score"), judged)
    texts = [(i, *row, 'a, "b"\nc') for i, row in enumerate(scored)]
    write("c.csv", ",", ("", "q_id", "doc_id", "score", "query"), texts, lineterminator="\n")
    Path("d.csv.gz").write_bytes(gzip.compress(Path("c.csv").read_bytes()))
    Path("e.csv").write_bytes(b"\xef\xbb\xbf" + Path("a.csv").read_bytes())
    # Blank lines are left to the slower reader.
    Path("f.csv").write_bytes(Path("a.csv").read_bytes().replace(b"\r\n", b"\n\n"))
    names = ["run", "a.csv", "b.tsv", "c.csv", "d.csv.gz", "e.csv", "f.csv"]
    if not has_ties:
        for name, first in (("g.csv", 0), ("h.csv", 1)):
            ranks = [
                (q, doc, rank)
                for q, docs in run.items()
                for rank, doc in enumerate(sorted(docs, key=docs.get, reverse=True), first)
            ]
            write(name, ",", ("qid", "docno", "rank"), ranks[::-1])
            names.append(name)
    return names, ["qrels", "a.qrels", "b.qrels"]


def scored(qrels, runs, measures):
    """Return the value of each run, topic and measure, as the command prints it in full."""
    options = ("-m", measures, "-q", "-p", "-1", "-f", "tsv")
    result = pres_eval("score", qrels, *runs, *options)
    assert result.returncode == 0, result.stderr
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    return {(run, *key): float(value) for run, *key, value in rows if key[0] != "all"}


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    max_examples=settings.default.max_examples // 20,
)
@given(st.data(), st.booleans())
def test_a_run_scores_the_same_however_it_is_written(tmp_path, data, has_ties):
    topics = data.draw(st.lists(TOPIC_IDS, min_size=1, max_size=3, unique=True))
    run = {q: data.draw(TOPIC if has_ties else TOPIC_WITHOUT_TIES) for q in topics}
    qrels = {q: data.draw(JUDGED) for q in topics}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        names, judgements = write_all(run, qrels, has_ties)
        assert [read_qrels(name) for name in judgements] == [qrels] * 3
        expected = {
            (metric.query_id, str(metric.measure)): metric.value
            for metric in ir_measures.iter_calc(MEASURES, qrels, run)
        }
        for name in names:
            values = ir_measures.iter_calc(MEASURES, qrels, read_run(name))
            assert {(v.query_id, str(v.measure)): v.value for v in values} == expected
        written = " ".join(map(str, MEASURES))
        for of_qrels in judgements:
            for asked in (written, f"{written} nDCG@3"):
                found = scored(of_qrels, names, asked)
                ours = {key: value for key, value in found.items() if "nDCG@3" not in key}
                by_run = {}
                for (of_run, *key), value in ours.items():
                    by_run.setdefault(of_run, {})[tuple(key)] = value
                assert len(by_run) == len(names)
                for values in by_run.values():
                    assert values == pytest.approx(expected, abs=1e-12)
