"""Simulations that ASReview has run: PRES, Rnorm and recall against ASReview's own numbers."""

import io
import json
import re
import sys
from contextlib import redirect_stdout
from importlib.metadata import entry_points
from pathlib import Path
from typing import NamedTuple

import by_definition
import numpy as np
import pytest
from beginnings import raises

pytest.importorskip("asreview", reason="asreview is not installed")

from asreview import Project
from asreview.__main__ import main as asreview
from asreview.metrics import loss

import pres_plugin
from pres_plugin.files import score
from pres_plugin.tables.asreview import read_screening

# A dataset of 40 titles, 8 of them relevant, which is part of the documentation.
TITLES = Path(__file__).parents[2] / "docs" / "examples" / "screening.csv"


class Simulated(NamedTuple):
    """A simulation: its file, the loss that ASReview printed, and what ASReview reads in it.

    `labels` are those of the screened records, in order, without prior knowledge.
    """

    path: str
    loss: float
    priors: list
    records: list
    labels: list
    n_records: int
    n_relevant: int


def run_simulation(data, output, *options):
    """Run ``asreview simulate`` in this process, and read its result with ASReview's functions."""
    (command,) = entry_points(group="asreview.entry_points", name="simulate")
    # These options set NumPy's global seed.
    state = np.random.get_state()  # noqa: NPY002
    with redirect_stdout(io.StringIO()) as printed:
        command.load()([str(data), "--output", str(output), *options])
    np.random.set_state(state)  # noqa: NPY002
    with Project.load(output, output.with_name(f"{output.name}.unpacked")) as project:
        results = project.db.get_results_table(priors=False, groups=True)
        labelled = project.db.get_results_table(groups=True)["record_id"].tolist()
        data = project.db.input.get_df()
    records = results["record_id"].tolist()
    return Simulated(
        str(output),
        float(re.search(r"Loss: (\S+)", printed.getvalue())[1]),
        [record for record in labelled if record not in set(records)],
        records,
        results["label"].tolist(),
        len(data),
        int(data["included"].sum()),
    )


# The options of each simulation. Most screen until the last relevant record is found.
PRIORS = "--n-prior-included 2 --n-prior-excluded 3 --prior-seed 5"
OPTIONS = {
    "seed-1": "--seed 1",
    "seed-2": "--seed 2 --classifier nb --querier max_random --feature-extractor tfidf",
    "all-labelled": "--seed 1 --n-stop -1",
    "stopped-with-priors": "--seed 2 --n-prior-included 1 --n-prior-excluded 1 --n-stop 8",
    "repeated-priors": f"--seed 3 {PRIORS}",
    "grouped-priors": f"--seed 2 {PRIORS} --group-similar-records",
}


@pytest.fixture(scope="module", params=OPTIONS)
def simulated(request, tmp_path_factory):
    """Each simulation; some of them use the same titles with repetitions."""
    data, folder = TITLES, tmp_path_factory.mktemp(request.param)
    if request.param in ("repeated-priors", "grouped-priors"):
        header, *rows = TITLES.read_text(encoding="utf-8").splitlines()
        data = folder / "repeated.csv"
        data.write_text("\n".join([header, *rows, *rows[::2], *rows[::4]]), encoding="utf-8")
    return run_simulation(data, folder / "one.asreview", *OPTIONS[request.param].split())


def screening_of(path):
    """Return what we read from the file of a simulation."""
    (screening,) = read_screening(path).values()
    return screening


def test_the_order_of_screening_is_the_one_that_asreview_reads(simulated):
    screening = screening_of(simulated.path)
    assert list(map(int, screening.screened)) == simulated.records
    assert list(map(int, screening.priors)) == simulated.priors
    assert [screening.labels[record] for record in screening.screened] == simulated.labels
    assert len(screening.labels) == simulated.n_records
    assert sum(screening.labels.values()) == simulated.n_relevant
    assert screening.simulated


def padded(labels, n_docs):
    return labels + [0] * (n_docs - len(labels))


def test_the_loss_that_asreview_prints_is_1_minus_rnorm_of_what_was_found(simulated):
    screening = screening_of(simulated.path).without_priors()
    n_docs = simulated.n_records - len(simulated.priors)
    assert len(screening.labels) == n_docs
    # ASReview's n counts only relevant records that were found.
    found = {record for record in screening.ranking if screening.labels[record]}
    of_found = pres_plugin.score(screening.ranking, found, f"Rnorm(N={n_docs})")
    assert simulated.loss == pytest.approx(1 - of_found, abs=0.0005 + 1e-12)
    assert loss(padded(simulated.labels, n_docs)) == pytest.approx(1 - of_found, abs=1e-12)


def test_the_loss_of_all_labels_is_1_minus_rnorm_if_all_relevant_records_were_found(simulated):
    screening = screening_of(simulated.path)
    labels = [screening.labels[record] for record in screening.ranking]
    if sum(labels) == simulated.n_relevant:
        (value,) = score(simulated.path, simulated.path, "Rnorm(judged_only=True)")["value"]
        assert loss(padded(labels, simulated.n_records)) == pytest.approx(1 - value, abs=1e-12)


def test_the_subcommand_scores_each_simulation(simulated, monkeypatch):
    words = [simulated.path, "-m", "PRES@5", "-p", "-1", "-f", "json"]
    monkeypatch.setattr(sys, "argv", ["asreview", "pres", *words])
    monkeypatch.setattr("pres_plugin.cli.process._command", "")  # restored for other tests
    with redirect_stdout(io.StringIO()) as printed, raises(SystemExit, "0") as ended:
        asreview()
    assert ended.value.code == 0
    (row,) = json.loads(printed.getvalue())
    ranks = [rank for rank, label in enumerate(simulated.labels, start=1) if label]
    labels = screening_of(simulated.path).labels
    n = simulated.n_relevant - sum(labels[str(record)] for record in simulated.priors)
    assert row["value"] == pytest.approx(float(by_definition.pres(ranks, n, 5)), abs=1e-12)
