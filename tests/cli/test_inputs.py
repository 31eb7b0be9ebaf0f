"""What every subcommand does with runs and judgements that are easily scored wrong."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path, PurePath

import click
import polars as pl
import pytest
from command import pres_eval, refused
from hypothesis import given
from hypothesis import strategies as st

import pres_plugin
from pres_plugin.cli.app import pres_eval as group
from pres_plugin.cli.output import FORMATS
from pres_plugin.files.run_names import own_names
from pres_plugin.trec import TrecFileError, read_qrels, read_run

#: Every way to score: measures from ranks alone are the fast path, nDCG makes it the slow one.
DOORS = {
    "score, fast": ("score", "-m", "PRES@2 AP R@2"),
    "score, slow": ("score", "-m", "PRES@2 nDCG@2"),
    "explain": ("explain", "--query", "q1", "--n-max", "2"),
    "compare, fast": ("compare", "-m", "PRES@2 AP"),
    "compare, slow": ("compare", "-m", "PRES@2 nDCG@2"),
    "sweep, fast": ("sweep", "-m", "PRES", "--n-max", "1,2"),
    "sweep, slow": ("sweep", "-m", "PRES nDCG", "--n-max", "1,2"),
    "robustness, fast": ("robustness", "-m", "PRES@2", "--processes", "1"),
    "robustness, slow": ("robustness", "-m", "PRES@2 nDCG@2", "--processes", "1"),
}
every_door = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)

QRELS = "q1 0 a 1\nq1 0 b 1\nq2 0 a 1\n"
# One finds what is relevant for the first topic, the other for the second.
FIRST = "q1 Q0 a 1 9 t\nq1 Q0 b 2 8 t\nq2 Q0 x 1 9 t\nq2 Q0 y 2 8 t\n"
SECOND = "q1 Q0 x 1 9 t\nq1 Q0 y 2 8 t\nq2 Q0 a 1 9 t\nq2 Q0 b 2 8 t\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Judgements, and two different runs in files of the same name; the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    for folder, content in (("a", FIRST), ("b", SECOND)):
        Path(folder).mkdir()
        Path(folder, "run.txt").write_text(content)
    return tmp_path


def as_table(content, **more):
    lines = [line.split() for line in content.splitlines()]
    columns = {
        "query_id": [line[0] for line in lines],
        "doc_id": [line[2] for line in lines],
        "score": [float(line[4]) for line in lines],
    }
    return pl.DataFrame(columns).with_columns(**more)


# Names of runs


@every_door
def test_runs_of_the_same_file_name_are_told_apart_by_their_folders(files, door):
    subcommand, *options = door
    for folder in "ab":
        shutil.copy(f"{folder}/run.txt", f"{folder}-run.txt")
    expected = pres_eval(subcommand, "qrels", "a-run.txt", "b-run.txt", *options)
    assert expected[0] == 0
    got = pres_eval(subcommand, "qrels", "a/run.txt", "b/run.txt", *options)
    assert got == (0, re.sub("([ab])-run", r"\1/run", expected[1]), "")


@pytest.mark.parametrize("fmt", FORMATS)
@pytest.mark.parametrize("by_query", [(), ("-q",)], ids=["means", "topics"])
def test_every_format_shows_every_run(files, fmt, by_query):
    for folder in "ab":
        shutil.copy(f"{folder}/run.txt", f"{folder}-run.txt")
    options = ("-m", "AP", "-f", fmt, *by_query)
    expected = pres_eval("score", "qrels", "a-run.txt", "b-run.txt", *options)[1]
    got = pres_eval("score", "qrels", "a/run.txt", "b/run.txt", *options)
    assert got == (0, re.sub("([ab])-run", r"\1/run", expected), "")
    assert {"a/run.txt", "b/run.txt"} <= set(re.findall(r"[ab]/run\.txt", got[1]))


SAME = {
    "the same path": (["a/run.txt", "a/run.txt"], "a/run.txt and a/run.txt"),
    "another spelling": (["a/run.txt", "b/../a/run.txt"], "a/run.txt and b/../a/run.txt"),
    "a folder and a file in it": (["a", "a/run.txt"], "a/run.txt and a/run.txt"),
    "a column and a file": (
        ["a/run.txt", "all.parquet"],
        "a/run.txt and all.parquet, run run.txt",
    ),
    "two columns": (
        ["all.parquet", "more.parquet"],
        "all.parquet, run run.txt and more.parquet, run run.txt",
    ),
}


@every_door
@pytest.mark.parametrize(("runs", "paths"), SAME.values(), ids=SAME)
def test_runs_that_cannot_be_told_apart_are_refused_in_the_same_words(files, door, runs, paths):
    for name in ("all.parquet", "more.parquet"):
        as_table(FIRST, run=pl.lit("run.txt")).write_parquet(name)
    subcommand, *options = door
    assert refused(subcommand, "qrels", *runs, *options) == (
        f"two runs are called run.txt: {paths}; give each run once, or rename one of them"
    )


def test_a_compressed_copy_is_told_apart_by_its_ending(files):
    Path("runs").mkdir()
    shutil.copy("a/run.txt", "runs/x")
    shutil.copy("b/run.txt", "runs/x.gz")
    expected = "x\tAP\t0.5000\nx.gz\tAP\t0.5000\n"
    assert pres_eval("score", "qrels", "runs", "-m", "AP", "-f", "tsv") == (0, expected, "")


PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map("/".join)


@given(st.lists(PATHS, max_size=8), st.sampled_from(["", "/"]))
def test_names_differ_where_paths_do_and_are_as_short_as_can_be(paths, root):
    parts = {path: PurePath(root + path).parts for path in paths}
    names = own_names([(parts[path][-1], root + path) for path in paths])
    by_path = dict(zip(paths, names, strict=True))
    assert len(set(names)) == len(by_path)
    for path, name in by_path.items():
        assert (root + path).endswith(name)
        namesakes = [p for p in by_path if parts[p][-1] == parts[path][-1]]
        length = max(len(PurePath(by_path[p]).parts) for p in namesakes)
        if length > 1:  # with one folder less, two of them would have the same name
            assert len({parts[p][1 - length :] for p in namesakes}) < len(namesakes)


def test_an_absolute_path_is_the_same_as_a_relative_one(files):
    named = [("run.txt", path) for path in ("a/run.txt", "b/run.txt", os.path.abspath("a/run.txt"))]
    assert own_names(named) == ["a/run.txt", "b/run.txt", "a/run.txt"]


# Empty paths


def path_parameters():
    """Each argument and option of a subcommand that takes a path."""
    for name in group.list_commands(click.Context(group)):
        for parameter in group.get_command(click.Context(group), name).params:
            if isinstance(parameter.type, click.Path):
                yield pytest.param(name, parameter, id=f"{name} {parameter.human_readable_name}")


@pytest.mark.parametrize(("subcommand", "parameter"), list(path_parameters()))
def test_an_empty_path_is_refused(files, subcommand, parameter):
    arguments = {"qrels": "qrels", "runs": "a/run.txt"}
    if subcommand == "check":
        arguments = {"values": "0.5", "qrels": "qrels", "run": "a/run.txt"}
    options = {"explain": ("--query", "q1"), "check": ("--n-max", 2)}.get(subcommand, ())
    if isinstance(parameter, click.Argument):
        arguments[parameter.name] = ""
    else:
        options += (parameter.opts[0], "")
    line = refused(subcommand, *arguments.values(), *options)
    assert "'' is an empty path; is a shell variable unset?" in line
    assert sorted(os.listdir()) == ["a", "b", "qrels"]


def test_every_path_of_every_subcommand_is_looked_at():
    found = [parameter.id for parameter in path_parameters()]
    # QRELS and RUN; --out of all studies but check; --baseline; VALUES
    assert len(found) == 6 * 2 + 4 + 1 + 1


# A topic called all


@pytest.mark.parametrize("measures", ["AP", "AP nDCG"], ids=["fast", "slow"])
@pytest.mark.parametrize("fmt", FORMATS)
def test_a_topic_called_all_is_told_apart_from_the_mean(files, fmt, measures):
    Path("qrels").write_text(QRELS.replace("q2", "all"))
    Path("a.run").write_text(FIRST.replace("q2", "all"))
    code, out, err = pres_eval("score", "qrels", "a.run", "-m", measures, "-q", "-f", fmt)
    assert (code, err) == (
        0,
        "pres-eval: warning: qrels: a topic is called 'all', so the mean is called 'mean'\n",
    )
    if fmt == "json":
        rows = [(row["query_id"], f"{row['value']:.4f}") for row in json.loads(out)]
    else:
        rows = re.findall(r"\b(q1|all|mean)\b.*?([01]\.\d{4})", out)
    # trec_eval's AP, and nDCG, of a topic with everything on top and one with nothing
    expected = [("q1", "1.0000"), ("all", "0.0000"), ("mean", "0.5000")]
    assert list(dict.fromkeys(rows)) == expected


@pytest.mark.parametrize(
    ("topics", "mean"),
    [(("q1", "q2"), "all"), (("all", "mean"), "mean-2"), (("mean", "q2"), "all")],
)
def test_the_mean_has_a_name_that_no_topic_has(files, topics, mean):
    for path, content in (("qrels", QRELS), ("a.run", FIRST)):
        Path(path).write_text(content.replace("q1", topics[0]).replace("q2", topics[1]))
    out = pres_eval("score", "qrels", "a.run", "-m", "AP", "-q", "-f", "tsv")[1]
    assert [line.split("\t")[1] for line in out.splitlines()] == [*topics, mean]


def test_without_topics_nothing_is_said_about_their_names(files):
    Path("qrels").write_text(QRELS.replace("q2", "all"))
    Path("a.run").write_text(FIRST.replace("q2", "all"))
    code, _, err = pres_eval("score", "qrels", "a.run", "-m", "AP")
    assert (code, err) == (0, "")


# Runs that end before Nmax

BEYOND = {
    "score, fast": ("score", "-m", "PRES@2 PRES@3 PRES_est@1000 AP@1000 R@9 Rnorm(N=99)@9"),
    "score, slow": ("score", "-m", "PRES@2 PRES@3 PRES_est@1000 AP@1000 R@9 nDCG@9"),
    "compare, fast": ("compare", "-m", "PRES@2 PRES@3 PRES_est@1000 AP@1000"),
    "compare, slow": ("compare", "-m", "PRES@2 PRES@3 PRES_est@1000 nDCG@9"),
    "sweep, fast": ("sweep", "-m", "PRES R", "--n-max", "1,2,3,1000"),
    "sweep, slow": ("sweep", "-m", "PRES nDCG", "--n-max", "1,2,3,1000"),
    "robustness, fast": ("robustness", "-m", "PRES@2 PRES@3 PRES_est@1000 AP@9"),
    "robustness, slow": ("robustness", "-m", "PRES@2 PRES@3 PRES_est@1000 nDCG@9"),
}


@pytest.mark.parametrize("door", BEYOND.values(), ids=BEYOND)
def test_a_run_that_ends_before_nmax_gets_one_warning(files, door):
    subcommand, *options = door
    code, _, err = pres_eval(subcommand, "qrels", "a/run.txt", *options)
    measures = "PRES@3 and PRES_est@1000" if subcommand != "sweep" else "PRES@3 and PRES@1000"
    assert (code, err) == (
        0,
        "pres-eval: warning: a/run.txt has at most 2 documents per topic; "
        f"{measures} treat relevant documents outside the run as missed\n",
    )


def test_explain_warns_about_its_topic(files):
    arguments = ("explain", "qrels", "a/run.txt", "--query", "q1", "--n-max")
    Path("a/run.txt").write_text("".join(FIRST.splitlines(keepends=True)[1:]))
    code, _, err = pres_eval(*arguments, 2)
    assert (code, err) == (
        0,
        "pres-eval: warning: a/run.txt has 1 document for topic 'q1'; "
        "PRES@2 treats relevant documents outside the run as missed\n",
    )
    assert pres_eval(*arguments, 1)[::2] == (0, "")


@every_door
def test_a_run_that_reaches_nmax_in_one_topic_gets_no_warning(files, door):
    subcommand, *options = door
    Path("a/run.txt").write_text("".join(FIRST.splitlines(keepends=True)[:3]))
    assert pres_eval(subcommand, "qrels", "a/run.txt", *options)[::2] == (0, "")


@pytest.mark.parametrize("measures", ["PRES@3", "PRES@3 nDCG"], ids=["fast", "slow"])
def test_only_judged_topics_count_and_each_run_of_a_table_gets_its_warning(files, measures):
    unjudged = "".join(f"q9 Q0 {doc} 1 1 t\n" for doc in "abcd")
    runs = [as_table(FIRST + unjudged, run=pl.lit("one")), as_table(SECOND, run=pl.lit("two"))]
    pl.concat(runs).write_parquet("all.parquet")
    code, _, err = pres_eval("score", "qrels", "all.parquet", "-m", measures)
    assert code == 0
    assert [line for line in err.splitlines() if "at most" in line] == [
        f"pres-eval: warning: all.parquet, run {run} has at most 2 documents per topic; "
        "PRES@3 treats relevant documents outside the run as missed"
        for run in ("one", "two")
    ]


# Numbers that do not fit


@every_door
@pytest.mark.parametrize("relevance", [1 << 63, -(1 << 63) - 1, 10**30])
def test_a_relevance_beyond_64_bits_is_named_with_its_line(files, door, relevance):
    Path("qrels").write_text(f"q1 0 a 1\nq1 0 b {relevance}\nq2 0 a 1\n")
    subcommand, *options = door
    line = refused(subcommand, "qrels", "a/run.txt", *options)
    assert line == f"qrels, line 2: a relevance must fit 64 bits, got {relevance}"


@every_door
def test_a_relevance_beyond_64_bits_in_parquet_is_named_with_its_document(files, door):
    columns = {"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "relevance": [1, 1 << 63]}
    frame = pl.DataFrame(columns, schema_overrides={"relevance": pl.UInt64})
    frame.write_parquet("qrels.parquet")
    subcommand, *options = door
    assert refused(subcommand, "qrels.parquet", "a/run.txt", *options) == (
        "qrels.parquet: topic 'q1', document 'b': "
        "a relevance must fit 64 bits, got 9223372036854775808"
    )


@pytest.mark.parametrize("kind", [pl.UInt64, pl.UInt8, pl.Int16])
def test_a_relevance_that_fits_counts_whatever_its_type(files, kind):
    columns = {"query_id": ["q1", "q1", "q2"], "doc_id": ["a", "b", "a"], "relevance": [1, 1, 1]}
    pl.DataFrame(columns, schema_overrides={"relevance": kind}).write_parquet("qrels.parquet")
    options = ("a/run.txt", "-m", "PRES@2 AP")
    assert pres_eval("score", "qrels.parquet", *options) == pres_eval("score", "qrels", *options)


@pytest.mark.parametrize("measures", ["AP", "AP nDCG"], ids=["fast", "slow"])
def test_scores_of_64_bits_without_a_sign_do_not_wrap(files, measures):
    columns = {"query_id": ["q1", "q1"], "doc_id": ["x", "a"], "score": [1, (1 << 64) - 1]}
    frame = pl.DataFrame(columns, schema_overrides={"score": pl.UInt64})
    frame.write_parquet("a.parquet")
    Path("qrels").write_text("q1 0 a 1\n")
    out = pres_eval("score", "qrels", "a.parquet", "-m", measures, "-f", "tsv")[1]
    assert out.startswith("a\tAP\t1.0000\n")


@pytest.mark.parametrize("door", [door for door in DOORS if door.endswith("slow")])
def test_a_relevance_that_trec_eval_turns_into_zero_is_refused(files, door):
    Path("qrels").write_text(f"q1 0 a {(1 << 31) - 1}\n")
    subcommand, *options = DOORS[door]
    assert refused(subcommand, "qrels", "a/run.txt", *options) == (
        "qrels: topic 'q1', document 'a': trec_eval, which computes nDCG@2, requires the "
        "largest relevance of each topic to be from 0 to 100000, got 2147483647"
    )


# What to do, in Python's words and in the command's


@every_door
def test_a_repeated_document_is_solved_by_an_option(files, door):
    subcommand, *options = door
    remedy = "keep one of them with --duplicates first or last"
    Path("twice.run").write_text("q1 Q0 a 1 2 t\n" * 2)
    Path("twice.qrels").write_text("q1 0 a 1\n" * 2)
    as_table("q1 Q0 a 1 2 t\n" * 2).write_parquet("twice.parquet")
    qrels = pl.read_parquet("twice.parquet").select("query_id", "doc_id", relevance=1)
    qrels.write_parquet("qrels.parquet")
    in_trec = f"line 2: document 'a' is in topic 'q1' already; {remedy}"
    in_parquet = f"document 'a' is in topic 'q1' twice; {remedy}"
    for arguments, said in [
        (("qrels", "twice.run"), f"twice.run, {in_trec}"),
        (("twice.qrels", "a/run.txt"), f"twice.qrels, {in_trec}"),
        (("qrels", "twice.parquet"), f"twice.parquet: {in_parquet}"),
        (("qrels.parquet", "a/run.txt"), f"qrels.parquet: {in_parquet}"),
    ]:
        assert refused(subcommand, *arguments, *options) == said


@pytest.mark.parametrize(
    ("read", "content", "kind", "remedy"),
    [
        (read_run, "q1 Q0 a 1 2 t\n" * 2, TrecFileError, "duplicates='first' or 'last'"),
        (read_qrels, "q1 0 a 1\n" * 2, TrecFileError, "duplicates='first' or 'last'"),
    ],
    ids=["run", "qrels"],
)
def test_errors_of_python_name_its_arguments(tmp_path, read, content, kind, remedy):
    (tmp_path / "file").write_text(content)
    with pytest.raises(kind) as caught:
        read(str(tmp_path / "file"))
    assert str(caught.value).endswith(f" with {remedy}")


def test_no_message_outside_the_command_names_its_options():
    options = {
        option
        for name in group.list_commands(click.Context(group))
        for parameter in group.get_command(click.Context(group), name).params
        for option in parameter.opts
        if option.startswith("--")
    }
    assert {"--duplicates", "--force", "--n-max"} <= options
    root = Path(pres_plugin.__file__).parent
    modules = [path for path in root.rglob("*.py") if "cli" not in path.relative_to(root).parts]
    assert len(modules) > 40
    for path in modules:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstrings = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and isinstance(node.body[0], ast.Expr)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and id(node) not in docstrings:
                named = set(re.findall(r"--[a-z-]+", str(node.value))) & options
                assert not named, f"{path.name}, line {node.lineno}: {named}"


# The output


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    "door",
    ["score, fast", "score, slow", pytest.param("compare, fast", marks=pytest.mark.slow)],
)
def test_results_that_cannot_be_written_are_an_error(files, door):
    program = [sys.executable, "-c", "from pres_plugin.cli import main; main()"]
    subcommand, *options = DOORS[door]
    with open("/dev/full", "wb") as full:
        result = subprocess.run(
            [*program, subcommand, "qrels", "a/run.txt", *options],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    line = "pres-eval: standard output: No space left on device\n"
    assert (result.returncode, result.stderr) == (2, line)
