"""``asreview pres``: scores, warnings and errors, with files written as ASReview does."""

import json

import pytest
from asreview_files import simulation
from command import result_of

from pres_plugin.cli import process
from pres_plugin.cli.app import run_command
from pres_plugin.cli.asreview import pres

# Six records, three of them relevant.
LABELS = [0, 1, 0, 1, 1, 0]


@pytest.fixture(autouse=True)
def name_of_the_command(monkeypatch):
    monkeypatch.setattr(process, "_command", "asreview pres")


def run(*arguments):
    """Run the subcommand in this process; return its exit code, output and messages."""
    return result_of(lambda: run_command(pres, "asreview pres", list(map(str, arguments))))


# The relevant records are at ranks 1, 3 and 4 of 6; without the priors, at ranks 1 and 3 of 4; and
# with them, at ranks 1, 3 and 5 of 6. WSS is N less the last of these ranks, per N, less 5 %.
CASES = {
    "no priors": ([], [4, 0, 1, 3, 2, 5], [], [1 - 2 / 300, 1, 7 / 9, 2 / 6 - 0.05, 2 / 3, 4]),
    "left out": ([3, 2], [4, 0, 1, 5], [], [1 - 0.5 / 100, 1, 3 / 4, 1 / 4 - 0.05, 1 / 2, 3]),
    "counted": ([3, 2], [4, 0, 1, 5], ["--priors"], [0.99, 1, 6 / 9, 1 / 6 - 0.05, 1 / 3, 5]),
}


@pytest.mark.parametrize(("priors", "order", "options", "expected"), CASES.values(), ids=CASES)
def test_each_simulation_is_scored(tmp_path, priors, order, options, expected):
    path = simulation(tmp_path / "a.asreview", LABELS, order, priors)
    code, printed, messages = run("-p", "-1", "-f", "json", path, *options)
    assert (code, messages) == (0, "")
    found = {row["measure"]: row["value"] for row in json.loads(printed)}
    assert list(found) == ["PRES@100", "R@100", "Rnorm", "WSS@0.95", "TNR@0.95", "Effort@0.95"]
    assert list(found.values()) == pytest.approx(expected, abs=1e-12)


def test_measures_and_formats_are_those_of_pres_eval(tmp_path):
    paths = [simulation(tmp_path / name, LABELS, [4, 0, 1, 3]) for name in ("a.asreview", "b")]
    assert run(*paths, "-m", "R@2 LastRel", "-p", "1", "-f", "csv")[:2] == (
        0,
        "simulation,dataset,measure,value\n"
        "a,data.csv,R@2,0.3\na,data.csv,LastRel,4.0\nb,data.csv,R@2,0.3\nb,data.csv,LastRel,4.0\n",
    )


def test_what_makes_scores_uncertain_causes_warnings(tmp_path):
    path = simulation(tmp_path / "short.asreview", LABELS, [4, 0])
    assert run(path)[2] == (
        f"asreview pres: warning: {path}, dataset 'data.csv': the screening stopped after 2 "
        "records with 1 of 3 relevant ones found; the others count as missed\n"
    )
    path = simulation(tmp_path / "lab.asreview", [None] * 6, [(4, 1), (0, 0)], mode="oracle")
    assert "this is not a simulation; relevant records that have not been" in run(path)[2]


def test_errors_are_one_line(tmp_path):
    path = simulation(tmp_path / "a.asreview", [1, 0, 0], [1, 2], [0])
    for arguments, message in (
        ([], "Missing argument 'SIM [SIM ...]'. (see asreview pres --help)"),
        (["missing.asreview"], "missing.asreview: there is no such file"),
        ([path], f"{path}, dataset 'data.csv': there is no relevant record to find; --priors"),
    ):
        code, printed, messages = run(*arguments)
        assert (code, printed, messages.count("\n")) == (2, "", 1)
        assert messages.startswith(f"asreview pres: {message}")
