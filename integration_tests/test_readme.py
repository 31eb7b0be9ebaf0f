"""What the README shows is what its commands and its code print."""

import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest
from forks import run_with_ranx

import pres_plugin
from pres_plugin import average_precision, pres, recall

PROJECT = Path(__file__).parent.parent
README = (PROJECT / "README.md").read_text(encoding="utf-8")
EXAMPLES = PROJECT / "docs" / "examples"
BADGES = PROJECT / "docs" / "badges"

COMMANDS = re.findall(r"```console\n(.*?)\n```", README, flags=re.DOTALL)
SYSTEMS = [
    [cell.strip() for cell in row.split("|")[1:-1]]
    for row in re.findall(r"^\| \d .*\|$", README, flags=re.MULTILINE)
]
LINES = dict(re.findall(r"^\| \[?([\w, -]+)(?:\]\S+)? \| `(.+)` \|$", README, flags=re.MULTILINE))

# AP, recall and PRES of system 2.
EXPECTED = (0.0475, 1.0, 0.505)


def test_the_table_has_the_scores_of_four_systems():
    assert [number for number, *_ in SYSTEMS] == ["1", "2", "3", "4"]
    for number, ranks, *shown in SYSTEMS:
        ranks = [int(rank) for rank in ranks.split(", ")]
        assert ranks == ranks_in(f"system-{number}.run")
        computed = (average_precision(ranks, 4), recall(ranks, 4), pres(ranks, 4, 100))
        assert shown == [f"{value:.4f}" for value in computed]
    assert SYSTEMS[1][2:] == [f"{value:.4f}" for value in EXPECTED]


def ranks_in(run):
    relevant = {line.split()[2] for line in lines_of("qrels.txt")}
    return [n for n, line in enumerate(lines_of(run), start=1) if line.split()[2] in relevant]


def lines_of(example):
    return (EXAMPLES / example).read_text(encoding="utf-8").splitlines()


def test_each_tool_has_a_line():
    assert list(LINES) == [
        *("ir-measures", "PyTerrier", "ranx", "dataframes"),
        *("Python, from a list of ids", "Python, from ranks"),
    ]


def test_the_line_for_ir_measures():
    ir_measures = pytest.importorskip("ir_measures", reason="ir-measures is not installed")
    names = {"ir_measures": ir_measures, **vars(ir_measures)}
    names["qrels"] = list(ir_measures.read_trec_qrels(str(EXAMPLES / "qrels.txt")))
    names["run"] = list(ir_measures.read_trec_run(str(EXAMPLES / "system-2.run")))
    scores = eval(LINES["ir-measures"], names)
    found = {str(measure): score for measure, score in scores.items()}
    assert_expected(found["AP@100"], found["R@100"], found["PRES@100"])


def test_the_line_for_pyterrier():
    pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")
    qrels = pt.io.read_qrels(str(EXAMPLES / "qrels.txt"))
    system = pt.io.read_results(str(EXAMPLES / "system-2.run"))
    names = {"pt": pt, "qrels": qrels, "system": system, "topics": qrels[["qid"]].drop_duplicates()}
    table = eval(LINES["PyTerrier"], vars(pt.measures) | names)
    assert_expected(*table.loc[0, ["AP@100", "R@100", "PRES@100"]])


@pytest.mark.xdist_group("forks for ranx")
@pytest.mark.skipif(find_spec("ranx") is None, reason="ranx is not installed")
def test_the_line_for_ranx():
    printed = run_with_ranx(
        f"""
        import json, ranx, pres_plugin
        qrels = ranx.Qrels.from_file({str(EXAMPLES / "qrels.txt")!r}, kind="trec")
        run = ranx.Run.from_file({str(EXAMPLES / "system-2.run")!r}, kind="trec")
        print(json.dumps({{k: float(v) for k, v in ({LINES["ranx"]}).items()}}))
        """
    )
    scores = json.loads(printed)
    assert_expected(scores["map@100"], scores["recall@100"], scores["pres@100"])


def test_the_line_for_dataframes():
    pytest.importorskip("narwhals", reason="narwhals is not installed")
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    import pres_plugin.frames

    files = {"run": "system-2.run", "qrels": "qrels.txt"}
    fields = {
        "run": ["query_id", "Q0", "doc_id", "rank", "score", "tag"],
        "qrels": ["query_id", "iteration", "doc_id", "relevance"],
    }
    frames = {
        name: pd.read_csv(EXAMPLES / file, sep=" ", names=fields[name])
        for name, file in files.items()
    }
    scores = eval(LINES["dataframes"], {"pres_plugin": pres_plugin, **frames})
    value = scores.set_index("measure")["value"]
    assert_expected(value["AP@100"], value["R@100"], value["PRES@100"])


def test_the_line_for_a_list_of_ids():
    ranking = [line.split()[2] for line in lines_of("system-2.run")]
    relevant = {line.split()[2] for line in lines_of("qrels.txt")}
    names = {"pres_plugin": pres_plugin, "ranking": ranking, "relevant": relevant}
    assert eval(LINES["Python, from a list of ids"], names) == pytest.approx(EXPECTED[-1])


def test_the_line_for_ranks():
    assert eval(LINES["Python, from ranks"], {"pres": pres}) == EXPECTED[-1]


def assert_expected(*found):
    assert found == pytest.approx(EXPECTED, abs=5e-5)


def assert_prints_the_table(printed):
    """Check that a command printed the table's scores; wildcards expand in any order."""
    columns, _, *lines = (line.split() for line in printed.splitlines())
    assert columns == ["run", "PRES@100", "AP@100", "R@100"]
    expected = [[f"system-{n}", score, ap, r] for n, _, ap, r, score in SYSTEMS]
    assert sorted(lines) == expected


def test_the_first_command_prints_the_scores_in_the_table():
    pytest.importorskip("click", reason="the command line is not installed")
    scoring = COMMANDS[0].split(" && ")[-1].replace(".venv/bin", sysconfig.get_path("scripts"))
    result = subprocess.run(
        scoring, shell=True, cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert result.stderr == ""
    assert_prints_the_table(result.stdout)


def test_windows_scores_the_same_files(monkeypatch, capsys):
    """PowerShell passes on wildcards as they are written, and the command expands them."""
    click_core = pytest.importorskip("click.core", reason="the command line is not installed")
    from pres_plugin.cli.app import pres_eval

    monkeypatch.setattr(click_core, "os", SimpleNamespace(**{**vars(os), "name": "nt"}))
    monkeypatch.chdir(PROJECT)
    command = COMMANDS[0].split(" && ")[-1]
    monkeypatch.setattr(sys, "argv", shlex.split(command))
    assert sys.argv[-1].endswith("*.run")
    pres_eval.main(prog_name="pres-eval", standalone_mode=False)
    assert_prints_the_table(capsys.readouterr().out)


def test_there_are_two_commands_that_need_nothing_else():
    assert len(COMMANDS) == 2
    for command in COMMANDS:
        assert shlex.split(command)[:4] == ["python3", "-m", "venv", ".venv"]


def test_badges_are_true():
    project = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
    versions = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', project)
    versions.sort(key=lambda version: int(version.removeprefix("3.")))
    assert f'requires-python = ">={versions[0]}"' in project
    assert 'license = "MIT"' in project
    expected = {
        "python.svg": f"Python {versions[0]}–{versions[-1]}",
        "licence.svg": "licence MIT",
    }
    assert {path.name for path in BADGES.iterdir()} == set(expected)
    home = (PROJECT / "docs" / "index.md").read_text(encoding="utf-8")
    for file, text in expected.items():
        svg = (BADGES / file).read_text(encoding="utf-8")
        assert f"<title>{text}</title>" in svg
        assert " ".join(re.findall(r"<text[^>]*>(.*?)</text>", svg)) == text
        assert f"![{text}](docs/badges/{file})" in README
        assert f"![{text}](badges/{file})" in home
    assert "https://img.shields.io" not in README + home


def test_every_link_within_the_repository_leads_somewhere():
    links = [*re.findall(r"\]\((?!https:)([^)#]+)", README), *re.findall(r'src="([^"]+)"', README)]
    assert len(links) > 5
    assert [link for link in links if not (PROJECT / link).exists()] == []
