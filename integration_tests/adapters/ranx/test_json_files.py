"""JSON that ranx writes is read as ranx reads it, and read_run's dicts are runs of ranx."""

import json

import pytest

ranx = pytest.importorskip("ranx", reason="ranx is not installed")

from command import table_of  # noqa: E402
from ranx import Qrels, Run, evaluate  # noqa: E402

from pres_plugin.formats import read_qrels, read_run  # noqa: E402

pytestmark = [
    pytest.mark.xdist_group("ranx"),
    pytest.mark.filterwarnings(
        r"ignore:unsafe cast from uint64 to int64:Warning:.*ranx.(metrics|statistical_tests)"
    ),
]

QRELS = {"q_1": {"d_12": 5, "d_25": 0}, "q_2": {"d_11": 6, "d_22": 1}}
RUN = {"q_1": {"d_12": 0.9, "d_23": 0.25, "d_25": 1.5}, "q_2": {"d_12": -0.5, "d_22": 0.1}}


@pytest.fixture
def saved(tmp_path):
    Qrels(QRELS).save(str(tmp_path / "qrels.json"))
    Run(RUN).save(str(tmp_path / "run.json"))
    return str(tmp_path / "qrels.json"), str(tmp_path / "run.json")


def test_saved_files_are_read_as_they_were_written(saved):
    qrels, run = saved
    assert (read_qrels(qrels), read_run(run)) == (QRELS, RUN)


@pytest.mark.release
def test_the_command_agrees_with_ranx(saved):
    expected = evaluate(Qrels(QRELS), Run(RUN), ["pres@2", "recall@2"])
    rows = table_of("score", *saved, "-m", "PRES@2 R@2", "-p", "12")
    assert [float(row[-1]) for row in rows] == pytest.approx([*expected.values()])


@pytest.mark.release
def test_ranked_lists_of_10_000_documents_keep_their_order(tmp_path):
    # These ids sort the other way than they are ranked, and have one length, as ranx requires.
    docs = [f"d{i:05}" for i in range(10_000)]
    (tmp_path / "run.json").write_text(json.dumps({"q1": docs}))
    run = Run(read_run(tmp_path / "run.json"))
    relevant = {docs[-1]: 1, docs[0]: 1}
    assert evaluate(Qrels({"q1": relevant}), run, "map") == pytest.approx((1 + 2 / 10_000) / 2)
    assert list(run.to_dict()["q1"]) == docs
