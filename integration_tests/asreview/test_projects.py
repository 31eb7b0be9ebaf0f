"""ASReview's project files: the order of screening is a run, and the labels are judgements."""

import zipfile

import pytest
from asreview_files import DATASET, simulation

from pres_plugin.files import read_qrels, read_run, score


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


LABELS = [0, 1, 0, 1, 1, 0, 1]
# Records 1 and 2 are prior knowledge. Record 6 is relevant, but not found.
PRIORS, SCREENED = [1, 2], [4, 0, 3]
RUN = {DATASET: {"1": 5.0, "2": 4.0, "4": 3.0, "0": 2.0, "3": 1.0}}


@pytest.mark.parametrize("name", ["sim.asreview", "sim"])
def test_records_come_in_the_order_in_which_they_were_screened(name):
    path = simulation(name, LABELS, SCREENED, PRIORS)
    assert read_run(path) == RUN
    assert read_qrels(path) == {DATASET: {str(i): label for i, label in enumerate(LABELS)}}
    assert score(path, path, "R@5").rows() == [("sim", DATASET, "R@5", 3 / 4)]


def test_records_without_a_label_are_not_judged_unless_it_is_a_simulation():
    screened = [(3, 1), (2, 0), (4, None)]  # the user is reading record 4
    path = simulation("a.asreview", [1, None, None, None, None], screened, [0], mode="oracle")
    assert read_run(path) == {DATASET: {"0": 3.0, "3": 2.0, "2": 1.0}}
    assert read_qrels(path) == {DATASET: {"0": 1, "3": 1, "2": 0}}


def test_a_project_that_contains_a_workbook_is_no_workbook():
    with zipfile.ZipFile("data.xlsx", "w") as workbook:
        for name in ("[Content_Types].xml", "xl/workbook.xml"):
            workbook.writestr(name, "<x/>")
    path = simulation("sim.asreview", LABELS, SCREENED, PRIORS)
    with zipfile.ZipFile("other.asreview", "w") as other, zipfile.ZipFile(path) as members:
        other.write("data.xlsx", "data/data.xlsx")
        for name in members.namelist():
            other.writestr(name, members.read(name))
    assert read_run("other.asreview") == RUN
