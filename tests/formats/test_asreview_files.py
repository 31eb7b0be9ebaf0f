"""ASReview's project files are scored as `asreview pres --priors` scores them."""

import gzip
import os
import shutil
import threading
import zipfile

import pytest
from asreview_files import DATASET, simulation
from command import pres_eval, refused

import pres_plugin
from pres_plugin.files import score
from pres_plugin.formats import read_qrels, read_run

LABELS = [0, 1, 0, 1, 1, 0, 1]
# Records 1 and 2 are prior knowledge. Record 6 is relevant, but not found.
PRIORS, SCREENED = [1, 2], [4, 0, 3]
RELEVANT_RANKS, N_RELEVANT = [1, 3, 5], 4


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    simulation("sim.asreview", LABELS, SCREENED, PRIORS)
    shutil.copy("sim.asreview", "other")
    with gzip.open("sim.asreview.gz", "wb") as file:
        file.write((tmp_path / "other").read_bytes())
    return tmp_path


@pytest.mark.parametrize("name", ["sim.asreview", "sim.asreview.gz", "other"])
def test_the_order_of_screening_is_the_run_and_the_labels_are_the_judgements(here, name):
    assert read_run(name) == {DATASET: {"1": 5.0, "2": 4.0, "4": 3.0, "0": 2.0, "3": 1.0}}
    assert read_qrels(name) == {DATASET: {str(i): label for i, label in enumerate(LABELS)}}
    found = score(name, name, ["PRES@2", "PRES@5", "R@5", "Rnorm(judged_only=True)"])
    assert found["value"].to_list() == [
        pres_plugin.pres(RELEVANT_RANKS, N_RELEVANT, 2),
        pres_plugin.pres(RELEVANT_RANKS, N_RELEVANT, 5),
        pres_plugin.recall(RELEVANT_RANKS, N_RELEVANT, 5),
        pres_plugin.rnorm(RELEVANT_RANKS, N_RELEVANT, len(LABELS)),
    ]
    assert found["run"][0] == name.partition(".")[0]


def test_a_project_in_a_pipe(here):
    os.mkfifo("pipe")
    content = (here / "sim.asreview").read_bytes()
    writer = threading.Thread(target=(here / "pipe").write_bytes, args=[content])
    writer.start()
    try:
        assert read_run("pipe") == read_run("sim.asreview")
    finally:
        writer.join()


def test_every_subcommand_reads_it(here):
    simulation("better.asreview", LABELS, [4, 3, 0], PRIORS)
    for arguments in (("compare", "-m", "PRES@3"), ("explain", "--query", DATASET, "--n-max", "3")):
        subcommand, *options = arguments
        result = pres_eval(subcommand, "sim.asreview", "sim.asreview", "better.asreview", *options)
        assert result.returncode == 0, result.stderr
        assert "better" in result.stdout


def test_one_simulation_contains_the_judgements_of_others(here):
    simulation("other.asreview", LABELS, [1, 4, 5], [3, 0])
    for judgements in ("sim.asreview", "other.asreview"):
        ours, other = score(judgements, ["sim.asreview", "other.asreview"], "PRES@5")["value"]
        assert ours == pres_plugin.pres(RELEVANT_RANKS, N_RELEVANT, 5)
        assert other == pres_plugin.pres([1, 3, 4], N_RELEVANT, 5)


def test_another_zip_archive_is_called_no_project(here):
    with zipfile.ZipFile("run", "w") as archive:
        archive.writestr("run.txt", "q1 Q0 a 1 1 t\n")
    line = refused("score", "sim.asreview", "run")
    assert line == "run: not an ASReview project: the archive contains no project.json"
