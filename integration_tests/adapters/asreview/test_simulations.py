"""Simulations that ASReview has run: PRES, Rnorm and recall against ASReview's own numbers."""

import io
import re
import subprocess
import sys
import sysconfig
from contextlib import redirect_stdout
from importlib.metadata import entry_points
from pathlib import Path
from typing import NamedTuple

import by_definition
import numpy as np
import polars as pl
import pytest

pytest.importorskip("asreview", reason="asreview is not installed")

from asreview import Project
from asreview.__main__ import main as asreview
from asreview.metrics import loss

from pres_plugin import relevant_ranks, rnorm
from pres_plugin.files import score
from pres_plugin.files.asreview import read_simulations
from pres_plugin.formats.asreview import read_screening

PROJECT = Path(__file__).parents[3]

# ASReview 2 leaves temporary folders to the garbage collector.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Implicitly cleaning up:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:Exception ignored in. <finalize"),
]


class Simulated(NamedTuple):
    """A simulation: its file, what ASReview printed, and what ASReview reads from the file.

    `labels` are those of the screened records, in order, without prior knowledge.
    """

    path: str
    printed: str
    priors: list
    records: list
    labels: list
    n_records: int
    n_relevant: int

    @property
    def loss(self):
        """The loss that ASReview printed."""
        return float(re.search(r"Loss: (\S+)", self.printed)[1])


def run_simulation(data, output, *options):
    """Run ``asreview simulate`` in this process."""
    (command,) = entry_points(group="asreview.entry_points", name="simulate")
    # These options set NumPy's global seed.
    state = np.random.get_state()  # noqa: NPY002
    with redirect_stdout(io.StringIO()) as printed:
        try:
            command.load()([str(data), "--output", str(output), *options])
        finally:
            np.random.set_state(state)  # noqa: NPY002
    return Simulated(str(output), printed.getvalue(), *read_by_asreview(output))


def read_by_asreview(path):
    """Return what ASReview's own functions read."""
    folder = path.with_name(f"{path.name}.unpacked")
    project = Project.load(path, folder)
    if hasattr(project, "db"):  # ASReview 3
        with project:
            results = project.db.get_results_table(priors=False, groups=True)
            priors = project.db.get_results_table(groups=True)
            data = project.db.input.get_df()
    else:
        from asreview import open_state

        data = project.data_store.get_df()
        with open_state(path) as state:
            results, priors = state.get_results_table(priors=False), state.get_results_table()
    records = results["record_id"].tolist()
    return (
        [record for record in priors["record_id"].tolist() if record not in set(records)],
        records,
        results["label"].tolist(),
        len(data),
        int(data["included"].sum()),
    )


@pytest.fixture(scope="module")
def titles():
    """A dataset of 40 titles, 8 of them relevant, which is part of the documentation."""
    return PROJECT / "docs" / "examples" / "screening.csv"


@pytest.fixture(scope="module")
def repeated(titles, tmp_path_factory):
    """The same titles, and each title with an even number again, with its label."""
    header, *rows = titles.read_text(encoding="utf-8").splitlines()
    path = tmp_path_factory.mktemp("data") / "repeated.csv"
    path.write_text("\n".join([header, *rows, *rows[::2], *rows[::4]]), encoding="utf-8")
    return path


# The options of the simulations whose data repeat titles.
AGAIN = {
    "repeated": "--seed 1",
    "repeated-priors": "--seed 3 --n-prior-included 2 --n-prior-excluded 3 --prior-seed 5",
    "grouped": "--seed 1 --group-similar-records",
    "grouped-priors": "--seed 2 --n-prior-included 2 --n-prior-excluded 2 --prior-seed 5 "
    "--group-similar-records",
}

# The options of each simulation. Most screen until the last relevant record is found.
OPTIONS = {
    "seed-1": "--seed 1",
    "seed-2": "--seed 2 --classifier nb --querier max_random --feature-extractor tfidf",
    "priors": "--seed 1 --n-prior-included 2 --n-prior-excluded 3 --prior-seed 5",
    "a-relevant-prior": "--seed 3 --n-prior-included 1 --prior-seed 1",
    "all-labelled": "--seed 1 --n-stop -1",
    "stopped": "--seed 1 --n-stop 9",
    "stopped-with-priors": "--seed 2 --n-prior-included 1 --n-prior-excluded 1 --n-stop 8",
    **AGAIN,
}


@pytest.fixture(scope="module")
def simulations(titles, repeated, tmp_path_factory):
    """Each simulation of the titles, by name."""
    folder = tmp_path_factory.mktemp("simulations")
    return {
        name: run_simulation(
            repeated if name in AGAIN else titles, folder / f"{name}.asreview", *options.split()
        )
        for name, options in OPTIONS.items()
    }


@pytest.fixture(params=OPTIONS)
def simulated(request, simulations):
    return simulations[request.param]


def screening_of(simulated):
    """Return what we read from the file of a simulation."""
    (screening,) = read_screening(simulated.path).values()
    return screening


def test_the_order_of_screening_is_the_one_that_asreview_reads(simulated):
    screening = screening_of(simulated)
    assert list(map(int, screening.screened)) == simulated.records
    assert list(map(int, screening.priors)) == simulated.priors
    assert [screening.labels[record] for record in screening.screened] == simulated.labels
    assert len(screening.labels) == simulated.n_records
    assert sum(screening.labels.values()) == simulated.n_relevant
    assert screening.simulated


def test_the_loss_that_asreview_prints_is_1_minus_rnorm_of_what_was_found(simulated):
    (ours,) = read_simulations(simulated.path, "ours")
    n_docs = simulated.n_records - len(simulated.priors)
    padded = simulated.labels + [0] * (n_docs - len(simulated.labels))
    n_found = sum(simulated.labels)
    # ASReview's n counts only relevant records that were found.
    of_found = rnorm(relevant_ranks(simulated.records, relevant_of(simulated)), n_found, n_docs)
    assert simulated.loss == pytest.approx(1 - of_found, abs=0.0005 + 1e-12)
    assert loss(padded) == pytest.approx(1 - of_found, abs=1e-12)
    if n_found == len(ours.relevant):
        assert ours.rnorm == of_found
    else:
        assert ours.rnorm < of_found


def relevant_of(simulated):
    return {
        record for record, label in zip(simulated.records, simulated.labels, strict=True) if label
    }


def test_with_priors_the_loss_of_all_labels_is_1_minus_rnorm(simulations):
    for name in ("priors", "repeated-priors", "grouped-priors"):
        simulated = simulations[name]
        (ours,) = read_simulations(simulated.path, "ours", priors=True)
        labels = [screening_of(simulated).labels[record] for record in ours.ranking]
        padded = labels + [0] * (simulated.n_records - len(labels))
        assert loss(padded) == pytest.approx(1 - ours.rnorm, abs=1e-12)
        assert ours.ranking[: len(simulated.priors)] == list(map(str, simulated.priors))
        assert (ours.n_docs, len(ours.relevant)) == (simulated.n_records, simulated.n_relevant)


def test_pres_eval_scores_simulations_as_asreview_pres_does_with_priors(simulations):
    values_at = {"PRES@5": lambda one: one.pres(5), "Rnorm": lambda one: one.rnorm}
    for with_repeated in (False, True):
        paths = [one.path for name, one in simulations.items() if (name in AGAIN) == with_repeated]
        found = score(paths[0], paths, ["PRES@5", "Rnorm(judged_only=True)"])
        ours = [one for path in paths for one in read_simulations(path, path, priors=True)]
        for name, value_at in values_at.items():
            values = found.filter(pl.col("measure").str.starts_with(name))["value"].to_list()
            assert values == [value_at(one) for one in ours]


def run_subcommand(*arguments):
    """Run ``asreview pres`` as the command ``asreview`` does; return its exit code and output."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["asreview", "pres", *map(str, arguments)])
        with redirect_stdout(io.StringIO()) as out, pytest.raises(SystemExit) as ended:
            asreview()
        return ended.value.code, out.getvalue()


def test_the_subcommand_prints_each_simulation_at_each_n_max(simulations, tmp_path):
    paths = [one.path for one in simulations.values()]
    code, printed = run_subcommand(*paths, "--n-max", 5, 20, "--places", -1)
    assert code == 0
    _, _, header, _, *lines = printed.splitlines()
    names = re.split(" {2,}", header)
    rows = [dict(zip(names, line.split(), strict=True)) for line in lines[:-1]]
    assert [row["simulation"] for row in rows] == [name for name in OPTIONS for _ in range(2)]
    for row in rows:
        one = simulations[row["simulation"]]
        ranks = [rank for rank, label in enumerate(one.labels, start=1) if label]
        labels = screening_of(one).labels
        n = one.n_relevant - sum(labels[str(record)] for record in one.priors)
        n_max = int(row["Nmax"])
        n_docs = one.n_records - len(one.priors)
        assert (int(row["n"]), int(row["N"])) == (n, n_docs)
        assert int(row["last rank"]) == max(ranks)
        assert int(row["screened"]) == len(one.records)
        assert float(row["PRES"]) == pytest.approx(float(by_definition.pres(ranks, n, n_max)))
        assert float(row["recall"]) == sum(rank <= n_max for rank in ranks) / n
        assert float(row["Rnorm"]) == rnorm(ranks, n, n_docs)


@pytest.mark.release
def test_it_works_as_a_process(simulations):
    command = Path(sysconfig.get_path("scripts"), "asreview")
    options = {"capture_output": True, "text": True, "check": False}
    listed = subprocess.run([command, "--help"], **options)
    assert re.search(r"\[pres-plugin .*\n\s+pres\n", listed.stdout)
    path = simulations["seed-1"].path
    scored = subprocess.run([command, "pres", path, "--n-max", "10"], **options)
    assert (scored.returncode, scored.stderr) == (0, "")
    assert "seed-1" in scored.stdout
    failed = subprocess.run([command, "pres", "missing.asreview"], **options)
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr == "asreview pres: missing.asreview: there is no such file\n"


def test_a_project_that_is_not_finished_is_read_up_to_the_last_label(titles, tmp_path):
    project = Project.create(tmp_path / "review", project_mode="oracle")
    if not hasattr(project, "db"):
        pytest.skip("this writes the project with functions of ASReview 3")
    with project:
        project.add_dataset(titles)
        project.add_review()
        labels = project.db.input["included"].tolist()
        for record in (7, 3):
            project.db.label_record(record, labels[record])
        project.db.add_last_ranking([12, 5, 30], "nb", "max", "balanced", "tfidf", 2)
        for record in (12, 5):
            assert project.db.query_top_ranked()["record_id"].tolist() == [record]
            project.db.label_record(record, labels[record])
        assert project.db.query_top_ranked()["record_id"].tolist() == [30]  # remains pending
    path = tmp_path / "review.asreview"
    project.export(path)
    ((name, screening),) = read_screening(str(path)).items()
    assert name == titles.name
    assert (screening.priors, screening.screened) == (["7", "3"], ["12", "5"])
    assert screening.labels == {str(record): labels[record] for record in (7, 3, 12, 5)}
    assert not screening.simulated
