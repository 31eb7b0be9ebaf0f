"""Tables as tools export them: without topics, order, relevance or names; notes say what counts."""

import warnings
from pathlib import Path

import pytest
import xlsxwriter
from beginnings import raises, warns

from pres_plugin import InputError
from pres_plugin.files import score

QRELS = "topic,document\nboats,A\nboats,B\ncars,C\n"
#: Hits of each search, best first. Boats: A is first, and B is missed. Cars: C is second.
HITS = {"boats": ["A", "X"], "cars": ["Y", "C"]}
#: PRES@2 by its definition: one of two found at rank 1; the only one at rank 2.
SCORES = {"boats": 0.5, "cars": 0.5}


def by_topic(*arguments, **options):
    return dict(score(*arguments, "PRES@2", **options)["query_id", "value"].rows())


@pytest.fixture
def searches(write):
    """A folder with a file per search, and judgements in one table."""
    Path("hits").mkdir()
    for topic, docs in HITS.items():
        # The column of the query is no topic.
        rows = ["Publication Number,Query", *(f"{doc},x" for doc in docs)]
        write("\n".join(rows), f"hits/{topic}.csv")
    write("What was searched\n", "hits/README.md")
    return write(QRELS, "qrels.csv"), "hits"


def test_each_file_of_a_folder_is_a_topic(searches):
    with warns(UserWarning) as warned:
        scores = score(*searches, "PRES@2", topics_in="files")
    assert dict(scores["query_id", "value"].rows()) == SCORES
    assert scores["run"].unique().to_list() == ["hits"]
    assert [str(each.message) for each in warned] == [
        "hits: skipped, because they cannot be runs: README.md",
        "qrels.csv: there is no relevance, so all documents are relevant",
        "hits/boats.csv, hits/cars.csv: there is no score or rank, so the rows are in order, best "
        "first; if a column contains scores, write columns={'score': 'NAME'} "
        '(--columns score="NAME")',
    ]


@pytest.mark.filterwarnings("ignore")
def test_only_workbooks_have_topics_in_sheets(write):
    with xlsxwriter.Workbook("run.xlsx") as book:
        for topic, docs in HITS.items():
            book.add_worksheet(topic).write_column(0, 0, ["document", *docs])
    assert by_topic(write(QRELS, "qrels.csv"), "run.xlsx", topics_in="sheets") == SCORES


def test_files_without_topics_have_one_topic_if_all_lack_it(write):
    qrels = write("doi,label\na,1\nb,0\nc,\n", "qrels.csv")
    run = write("doi,label,ranking\nb,,1\na,,2\n", "run.csv")
    with warns(UserWarning) as warned:
        assert by_topic(qrels, run, columns={"doc_id": "doi"}) == {"topic": 0.5}
    assert [str(each.message) for each in warned] == [
        "qrels.csv, run.csv: there is no column of topics, so all rows belong to one topic",
        "qrels.csv: documents without a relevance count as unjudged (1)",
    ]
    trec = write("q1 0 a 1\n", "trec")
    with raises(InputError, r"run\.csv: there is no column query_id, unlike in trec; the columns"):
        by_topic(trec, run, columns={"doc_id": "doi"})


def test_positions_count_only_in_files_without_names(write):
    run = write("q1\tb\t1\nq1\ta\t2\n", "run.tsv")
    qrels = write("label,doc_id,query_id\n1,a,q1\n", "qrels.csv")
    columns = {"query_id": 1, "doc_id": 2, "rank": 3}
    assert by_topic(qrels, run, columns=columns) == {"q1": 0.5}
    with raises(InputError, r"run\.tsv: no row names .*\(--columns query_id=1 doc_id=2 rank=3\)"):
        by_topic(qrels, run)
    with raises(InputError, "no file contains a column '4'"):
        by_topic(qrels, run, columns=columns | {"score": 4})


def test_families_may_be_a_file(write):
    write("q 0 B1 1\n", "qrels")
    write("q Q0 A1 1 2 t\nq Q0 B2 2 1 t\n", "run")
    path = write("Patent;Simple family\nB1;F\nB2;F\n", "families.csv")
    columns = {"doc_id": "Patent", "family": "Simple family"}
    with warns(UserWarning, "run: 1 of 2 documents have no family"):
        assert by_topic("qrels", "run", families=Path(path), columns=columns) == {"q": 0.5}
    with warnings.catch_warnings(), raises(InputError, "other: there is no such"):
        by_topic("qrels", "run", families="other")
