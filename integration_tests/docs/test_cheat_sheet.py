"""The cheat sheet's table of systems, its spellings and its commands are right."""

import json
import shlex
import shutil
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import pytest
from forks import run_with_ranx

import pres_plugin

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = DOCS / "examples"
PAGE = (DOCS / "cheat-sheet.md").read_text(encoding="utf-8")

# The ranks of the relevant documents that each system finds.
RANKS = {"1": [1], "2": [50, 51, 53, 54], "3": [1, 2, 3, 4], "4": [1, 98, 99, 100]}


def rows(heading):
    """The cells of a section's table, without its heading and without backticks."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip().strip("`") for cell in line.split("|")[1:-1]] for line in lines[2:]]


SPELLINGS = rows("How each tool writes it")


def expected(ranks):
    """The value of each measure, from the column of Python."""
    names = {**vars(pres_plugin), "ranks": ranks, "n": 4}
    return {measure: eval(code, names) for measure, *_, code in SPELLINGS}


def test_the_table_of_systems():
    for number, ranks, *shown in rows("Four systems"):
        assert ranks == ", ".join(map(str, RANKS[number]))
        values = expected(RANKS[number])
        assert shown == [f"{values[name]:.4f}" for name in ("AP", "recall", "PRES")]


@pytest.fixture
def pres_eval(capsys, monkeypatch, tmp_path):
    """Run the command in a folder with the example's files; return what it prints."""
    pytest.importorskip("matplotlib", reason="the extra study is not installed")
    pytest.importorskip("click", reason="the command line is not installed")
    from pres_plugin.cli.app import pres_eval, run_command

    for file in EXAMPLES.glob("system-*.run"):
        shutil.copy(file, tmp_path)
    shutil.copy(EXAMPLES / "system-2.run", tmp_path / "my.run")
    shutil.copy(EXAMPLES / "qrels.txt", tmp_path)
    (tmp_path / "values.csv").write_text("topic,pres\nPAT-1,0.505\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = run_command(pres_eval, "pres-eval", [*arguments])
        printed = capsys.readouterr()
        assert code == 0, printed.err
        return printed.out

    return run


@pytest.mark.parametrize("number", RANKS)
def test_strings_of_ir_measures_and_trec_eval(pres_eval, number):
    values = expected(RANKS[number])
    for measure, *strings, _, _ in SPELLINGS:
        for string in strings:
            if string != "–":
                out = pres_eval(
                    "score", "-f", "json", "-p", "-1", "-m", string,
                    "qrels.txt", f"system-{number}.run",
                )  # fmt: skip
                (row,) = json.loads(out)
                assert row["value"] == pytest.approx(values[measure])


@pytest.mark.xdist_group("forks for ranx")
@pytest.mark.skipif(find_spec("ranx") is None, reason="ranx is not installed")
def test_strings_of_ranx():
    strings = {measure: string for measure, *_, string, _ in SPELLINGS}
    printed = run_with_ranx(
        f"""
        import json, ranx, pres_plugin
        qrels = ranx.Qrels.from_file({str(EXAMPLES / "qrels.txt")!r}, kind="trec")
        run = ranx.Run.from_file({str(EXAMPLES / "system-2.run")!r}, kind="trec")
        scores = ranx.evaluate(qrels, run, {[*strings.values()]!r})
        print(json.dumps({{name: float(score) for name, score in scores.items()}}))
        """
    )
    scores = json.loads(printed)
    found = {measure: scores[string] for measure, string in strings.items()}
    assert found == pytest.approx(expected(RANKS["2"]))


COMMANDS = [command for _, command in rows("Commands")]


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run(pres_eval, command, tmp_path):
    name, *arguments = shlex.split(command)
    assert name == "pres-eval"
    if arguments == ["doctor"]:
        arguments.append("cli")  # The other extras have tests of their own.
    files = sorted(path.name for path in tmp_path.glob("*.run"))
    expanded = [files if argument == "*.run" else [argument] for argument in arguments]
    pres_eval(*chain.from_iterable(expanded))


def test_each_command_is_shown():
    shown = {shlex.split(command)[1] for command in COMMANDS}
    from pres_plugin.cli.commands import COMMANDS as ALL

    assert shown == set(ALL) - {"completion"}
