"""ASReview's project files are scored as `asreview pres` scores them."""

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
from pres_plugin.formats import FileError, read_qrels, read_run
from pres_plugin.formats.recognition import open_file

LABELS = [0, 1, 0, 1, 1, 0, 1]
# Records 1 and 2 are prior knowledge; 3 of the other records are relevant, and 6 is not found.
PRIORS, SCREENED = [1, 2], [4, 0, 3]
RELEVANT_RANKS, N_RELEVANT = [1, 3], 3


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
    assert list(open_file(name).dicts("score", "error")[DATASET]) == ["4", "0", "3"]
    assert read_run(name) == {DATASET: {"4": 3.0, "0": 2.0, "3": 1.0}}
    assert read_qrels(name) == {DATASET: {"0": 0, "3": 1, "4": 1, "5": 0, "6": 1}}
    found = score(name, name, ["PRES@2", "PRES@5", "R@5", "Rnorm(N=5)"])
    assert found["value"].to_list() == [
        pres_plugin.pres(RELEVANT_RANKS, N_RELEVANT, 2),
        pres_plugin.pres(RELEVANT_RANKS, N_RELEVANT, 5),
        pres_plugin.recall(RELEVANT_RANKS, N_RELEVANT, 5),
        pres_plugin.rnorm(RELEVANT_RANKS, N_RELEVANT, 5),
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


def test_prior_knowledge_alone_is_no_run(here):
    simulation("a.asreview", LABELS, [], PRIORS)
    assert refused("score", "sim.asreview", "a.asreview") == (
        "a.asreview: only prior knowledge has been screened"
    )
    with pytest.raises(FileError, match="only prior knowledge"):
        read_run("a.asreview")


def test_another_zip_archive_is_called_no_project(here):
    with zipfile.ZipFile("run", "w") as archive:
        archive.writestr("run.txt", "q1 Q0 a 1 1 t\n")
    line = refused("score", "sim.asreview", "run")
    assert line == "run: not an ASReview project: the archive contains no project.json"
