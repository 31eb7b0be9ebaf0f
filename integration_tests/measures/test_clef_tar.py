"""WSS and the last rank, as the organisers of CLEF TAR 2017 published them for 666 rankings."""

import csv
import gzip
from collections import defaultdict

import ir_measures
import polars as pl
import pytest
from repetitions import every

from pres_plugin import frames, last_rel, relevant_ranks, tnr, wss
from pres_plugin.formats import read_qrels

pytestmark = pytest.mark.xdist_group("CLEF")

LEVELS = ["abstract", "content"]
#: What the organisers call the measures, each with the parameters that reproduce it.
PUBLISHED = {
    "last_rel": "LastRel",
    "wss_100": "WSS(N={},rounding='nearest')@1",
    "wss_95": "WSS(N={},rounding='nearest')@0.95",
}


class Ranking:
    """A run's ranking of one topic: documents in the order of the file's lines, each once."""

    def __init__(self, row, lines, judged):
        self.row = row
        self.docs = list(dict.fromkeys(lines))
        self.judged = judged
        self.n_docs = max(int(row["num_docs"]), int(row["num_shown"]))

    @property
    def fits(self):
        """Whether N is at least the number of documents that were retrieved or are relevant."""
        missed = {doc for doc, relevance in self.judged.items() if relevance > 0}.difference(
            self.docs
        )
        return len(self.docs) + len(missed) <= self.n_docs

    @property
    def key(self):
        return self.row["level"], self.row["topic"], self.n_docs

    def published(self):
        return {name: float(self.row[name]) for name in PUBLISHED}

    def topic(self):
        """The arguments of the functions that score one topic."""
        relevant = {doc for doc, relevance in self.judged.items() if relevance > 0}
        return relevant_ranks(self.docs, relevant), len(relevant), self.n_docs


@pytest.fixture(scope="module")
def rankings(clef_tar):
    lines = {}
    for path in (clef_tar / "runs").iterdir():
        by_topic = lines[path.name.removesuffix(".gz")] = defaultdict(list)
        with gzip.open(path, "rt") as file:
            for topic, _, doc, *_ in map(str.split, file):
                by_topic[topic].append(doc)
    qrels = {level: read_qrels(str(clef_tar / f"qrels.{level}.txt.gz")) for level in LEVELS}
    with (clef_tar / "official-effort.tsv").open() as file:
        return [
            Ranking(row, lines[row["run"]][row["topic"]], qrels[row["level"]][row["topic"]])
            for row in csv.DictReader(file, delimiter="\t")
        ]


def agree(found, published):
    """Whether values agree with those that were printed with three decimals."""
    return found == pytest.approx(published, rel=0, abs=0.0005 + 1e-9)


def test_the_functions_reproduce_all_published_values(rankings):
    for ranking in rankings:
        topic = ranking.topic()
        found = {
            "last_rel": last_rel(*topic[:2]),
            "wss_100": wss(*topic, recall=1, rounding="nearest"),
            "wss_95": wss(*topic, rounding="nearest"),
        }
        assert agree(found, ranking.published()), ranking.row
    assert len(rankings) == 666


def test_rounding_up_gives_other_values_for_a_quarter_of_the_rankings(rankings):
    topics = [ranking.topic() for ranking in rankings]
    up = [wss(*topic) for topic in topics]
    nearest = [wss(*topic, rounding="nearest") for topic in topics]
    assert all(a <= b or a == 0 for a, b in zip(up, nearest, strict=True))
    assert sum(a != b for a, b in zip(up, nearest, strict=True)) == 168
    # The number on the page of WSS: that of the printed values which differ.
    printed = [ranking.published()["wss_95"] for ranking in rankings]
    assert sum(not agree(a, b) for a, b in zip(up, printed, strict=True)) == 166
    assert sum(tnr(*topic) != tnr(*topic, rounding="nearest") for topic in topics) == 165


def in_frameworks(rankings, level):
    """The rankings of a level that frameworks can score: the organisers' N may be too small."""
    of_level = [ranking for ranking in rankings if ranking.row["level"] == level]
    fitting = [ranking for ranking in of_level if ranking.fits]
    assert len(fitting) == {"abstract": 309, "content": 336}[level]
    return fitting


@pytest.mark.parametrize("level", every(2, LEVELS))
def test_ir_measures_reproduces_them_from_scores_that_follow_the_lines(rankings, level):
    for ranking in in_frameworks(rankings, level):
        run = {"q": {doc: -float(line) for line, doc in enumerate(ranking.docs)}}
        measures = {
            n: ir_measures.parse_measure(m.format(ranking.n_docs)) for n, m in PUBLISHED.items()
        }
        values = ir_measures.calc_aggregate(measures.values(), {"q": ranking.judged}, run)
        found = {name: values[measure] for name, measure in measures.items()}
        assert agree(found, ranking.published()), ranking.row


@pytest.mark.parametrize("level", every(2, LEVELS))
def test_frames_reproduce_them_from_ranks(rankings, level):
    groups = defaultdict(list)
    for ranking in in_frameworks(rankings, level):
        groups[ranking.key].append(ranking)
    for (_, topic, n_docs), group in groups.items():
        judged = group[0].judged
        qrels = pl.DataFrame(
            {"query_id": topic, "doc_id": judged.keys(), "relevance": judged.values()}
        )
        run = pl.concat(
            pl.DataFrame(
                {
                    "run": ranking.row["run"],
                    "query_id": topic,
                    "doc_id": ranking.docs,
                    "rank": range(1, len(ranking.docs) + 1),
                }
            )
            for ranking in group
        )
        names = {measure.format(n_docs): name for name, measure in PUBLISHED.items()}
        scores = frames.score(run, qrels, list(names), by="run", rank="rank")
        found = defaultdict(dict)
        for name, measure, value in scores.select("run", "measure", "value").rows():
            found[name][measure] = value
        for ranking in group:
            values = dict(zip(PUBLISHED, found[ranking.row["run"]].values(), strict=True))
            assert agree(values, ranking.published()), ranking.row
