"""``score --groups`` prints the means over the topics of each group, and the sums of counts."""

import json
from statistics import mean

import numpy as np
import pytest
from command import pres_eval, refused

from pres_plugin.groups import group_means


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
    command = ["score", "-m", "NumRet AP", "qrels", "run"]
    for options, heading in (([], "run"), (["--groups", "groups.csv"], "run group topics")):
        printed = pres_eval(*command, *options, cwd=folder).stdout
        assert printed.splitlines()[0].split() == [*heading.split(), "NumRet", "(sum)", "AP"]


def test_many_topics_in_many_groups_average_as_by_hand():
    random = np.random.default_rng(1)
    topics = [f"q{i}" for i in range(500)]
    values = random.random((3, 500, 2))
    groups = {topic: f"g{random.integers(100)}\0" for topic in topics[7:]}
    names, sizes, found = group_means(topics, values, groups, ["AP", "NumRel"])
    assert names == sorted(set(groups.values()))
    for name, size, of_group in zip(names, sizes, found.swapaxes(0, 1), strict=True):
        rows = [i for i, topic in enumerate(topics) if groups.get(topic) == name]
        assert size == len(rows)
        for run, (average, total) in enumerate(of_group):
            assert average == pytest.approx(mean(values[run, rows, 0]))
            assert total == pytest.approx(sum(values[run, rows, 1]))


def test_groups_and_topics_are_not_printed_together(folder):
    said = refused("score", "-q", "--groups", "groups.csv", "qrels", "run", cwd=folder)
    assert "choose one" in said
