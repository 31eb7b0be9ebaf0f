"""``asreview pres``: options, warnings and errors, with files written as ASReview does."""

import json
import re
import sys

import pytest
from asreview_files import simulation
from command import result_of

from pres_plugin.cli import asreview, process

pytest.importorskip("asreview", reason="asreview is not installed")

# Six records, three of them relevant: at ranks 1, 3 and 4 without prior knowledge.
LABELS = [0, 1, 0, 1, 1, 0]
ORDER = [4, 0, 1, 3, 2, 5]


@pytest.fixture(autouse=True)
def name_of_the_command(monkeypatch):
    monkeypatch.setattr(process, "_command", "asreview pres")


def run(*arguments):
    """Run the subcommand in this process; return its exit code, output and messages."""
    return result_of(lambda: asreview.run(list(map(str, arguments))))


def scores(*arguments):
    """Run the subcommand without messages; return its table as one dict per row."""
    code, printed, messages = run("--places", "-1", *arguments)
    assert (code, messages) == (0, "")
    title, _, header, _, *lines, _ = printed.splitlines()
    assert title == "Scores"
    names = re.split(" {2,}", header)
    return [dict(zip(names, line.split(), strict=True)) for line in lines]


@pytest.fixture
def whole(tmp_path):
    return simulation(tmp_path / "whole.asreview", LABELS, ORDER)


def test_each_row_counts_what_was_screened(whole):
    (row,) = scores(whole)
    # Ranks 1, 3, 4: PRES@100 = 1 - (8/3 - 2) / 100, and Rnorm = 1 - (8 - 6) / (3 * 3).
    assert float(row.pop("PRES")) == pytest.approx(1 - 2 / 300, abs=1e-12)
    assert float(row.pop("Rnorm")) == pytest.approx(7 / 9, abs=1e-12)
    names = re.split(", ", "simulation, dataset, N, n, priors, screened, found, last rank, Nmax")
    assert [row[name] for name in names] == ["whole", "data.csv", *"630634", "100"]


@pytest.mark.parametrize(
    "options",
    [["--n-max", "2", "3"], ["--n-max=2", "--n-max", "3", "2"]],
)
def test_n_max_takes_several_values(whole, options):
    for arguments in ([whole, *options], [*options, "--", whole]):
        rows = scores(*arguments)
        assert [row["Nmax"] for row in rows] == ["2", "3"]
        assert [float(row["recall"]) for row in rows] == pytest.approx([1 / 3, 2 / 3])


def test_priors_are_left_out_or_come_first(tmp_path):
    # Priors 3 (relevant) and 2, so that 4 and 1 are left at ranks 1 and 3.
    path = simulation(tmp_path / "priors.asreview", LABELS, [4, 0, 1, 5], [3, 2])
    (without,), (counted,) = scores(path), scores(path, "--priors")
    counts = ["N", "n", "priors", "screened"]
    assert [without[name] for name in counts] == ["4", "2", "2", "4"]
    assert [counted[name] for name in counts] == ["6", "3", "2", "6"]
    # Ranks 1 and 3 of 4 records, 2 of them relevant.
    assert float(without["Rnorm"]) == pytest.approx(1 - 1 / 4, abs=1e-12)
    # Ranks 1, 3 and 5 of 6 records, 3 of them relevant.
    assert float(counted["Rnorm"]) == pytest.approx(1 - 3 / 9, abs=1e-12)


def test_what_makes_scores_uncertain_causes_warnings(tmp_path):
    path = simulation(tmp_path / "short.asreview", LABELS, [4, 0])
    assert run(path, "--n-max", 2, 4)[::2] == (
        0,
        "asreview pres: warning: short stopped after 2 records with 1 of 3 relevant ones found; "
        "PRES@4 treats the others as missed\n",
    )
    path = simulation(tmp_path / "lab.asreview", [None] * 6, [(4, 1), (0, 0)], mode="oracle")
    assert "lab is not a simulation; relevant records that have not been" in run(path)[2]


def test_a_report_says_which_command_wrote_it(whole, tmp_path, monkeypatch):
    nothing = simulation(tmp_path / "b.asreview", LABELS, [0, 2])
    out = tmp_path / "out"
    monkeypatch.setattr(sys, "argv", ["asreview", "pres", whole, "--out", str(out)])
    code, printed, messages = run(whole, nothing, "--n-max", 2, 4, "--out", out)
    assert (code, printed) == (0, "")
    assert messages.endswith(f"asreview pres: written: {out / 'report.html'}\n")
    assert {"areas-2.png", "areas-4.svg", "scores.tsv"} <= {path.name for path in out.iterdir()}
    results = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert results["command"].startswith(f"asreview pres {whole} --out")
    rows = results["tables"]["scores"]
    assert [row["last_rank"] for row in rows] == [4, 4, None, None]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing argument 'SIM [SIM ...]'."),
        (["missing.asreview"], "missing.asreview: there is no such file"),
        (["x", "--n-max", "1.5"], "it must be a positive whole number, got '1.5'"),
    ],
)
def test_errors_are_one_line(arguments, message):
    code, printed, messages = run(*arguments)
    assert (code, printed, messages.count("\n")) == (2, "", 1)
    assert messages.startswith("asreview pres: ")
    assert message in messages


@pytest.mark.parametrize(
    ("labels", "priors", "hint"),
    [
        ([0, 0, 0], [], ""),
        ([1, 0, 0], [0], " that was not prior knowledge; count prior knowledge with --priors"),
    ],
)
def test_a_dataset_without_relevant_records_is_rejected(tmp_path, labels, priors, hint):
    path = simulation(tmp_path / "a.asreview", labels, [1, 2], priors)
    line = f"asreview pres: {path}: dataset 'data.csv' has no relevant record{hint}\n"
    assert run(path)[2] == line
