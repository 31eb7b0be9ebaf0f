"""``score --groups`` prints the means over the topics of each group, and the sums of counts."""

import json
from statistics import mean

import pytest
from command import pres_eval, refused


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 a 1\nq2 0 b 1\nq3 0 c 1\nq4 0 d 1\n")
    (tmp_path / "run").write_text("q1 Q0 a 1 2 t\nq2 Q0 x 1 2 t\nq2 Q0 b 2 1 t\nq3 Q0 y 1 1 t\n")
    (tmp_path / "groups.csv").write_text("topic,group\nq1,A\nq2,A\nq3,B\nq9,C\n")
    return tmp_path


COUNTED = {"R@1": mean, "nDCG@2": mean, "NumRet": sum, "NumRel": sum, "NumQ": sum}


@pytest.mark.parametrize(("measure", "over"), COUNTED.items())
def test_means_and_sums_per_group_are_those_of_its_topics(folder, measure, over):
    command = ["score", "-m", measure, "-p", "-1", "-f", "json", "qrels", "run"]
    rows = json.loads(pres_eval(*command, "-q", cwd=folder).stdout)
    by_topic = {row["query_id"]: row["value"] for row in rows}
    printed = json.loads(pres_eval(*command, "--groups", "groups.csv", cwd=folder).stdout)
    means = {(row["group"], row["topics"]): row["value"] for row in printed}
    assert means == {
        ("all", 4): by_topic["all"],
        ("A", 2): over([by_topic["q1"], by_topic["q2"]]),
        ("B", 1): by_topic["q3"],
    }


def test_tables_name_sums_among_means(folder):
    command = ["score", "-m", "NumRet AP", "--groups", "groups.csv", "qrels", "run"]
    heading, *_ = pres_eval(*command, cwd=folder).stdout.splitlines()
    assert heading.split() == ["run", "group", "topics", "NumRet", "(sum)", "AP"]


def test_groups_and_topics_are_not_printed_together(folder):
    said = refused("score", "-q", "--groups", "groups.csv", "qrels", "run", cwd=folder)
    assert "choose one" in said


def test_a_study_reads_groups_too(folder):
    command = ["compare", "-m", "R@1", "--groups", "groups.csv", "qrels", "run"]
    assert "run A 2 0.5000" in " ".join(pres_eval(*command, cwd=folder).stdout.split())
    (folder / "groups.csv").write_text("topic,group\nq9,B\n")
    said = "no topic in common with the qrels (groups: q9; qrels: q1, q2, q3"
    assert said in pres_eval(*command, cwd=folder).stderr
