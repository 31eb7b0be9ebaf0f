"""Compare many runs: time, memory, what is refused, and what the reports show."""

import random
from functools import partial

import command
import pytest
from bounded import bounded, check_refused
from command import EXAMPLES

pres_eval = partial(command.pres_eval, cwd=EXAMPLES)
refused = partial(command.refused, cwd=EXAMPLES)

INPUT = ["qrels.txt", *(f"system-{i}.run" for i in range(1, 5))]


@pytest.mark.release
def test_many_runs_are_compared_up_to_a_limit(tmp_path):
    rng = random.Random(0)
    (tmp_path / "runs").mkdir()
    (tmp_path / "qrels.txt").write_text(
        "".join(f"{topic} 0 d{i} 1\n" for topic in "qr" for i in range(20))
    )
    for r in range(1500):
        lines = [
            f"{topic} Q0 d{i} 0 {rng.random()} t\n"
            for topic in "qr"
            for i in rng.sample(range(40), 10)
        ]
        (tmp_path / "runs" / f"run{r:04}.run").write_text("".join(lines))
    arguments = ("compare", "qrels.txt", "runs", "-m")
    line = check_refused(bounded(*arguments, "PRES@10 AP R@10", cwd=tmp_path, seconds=20, mib=400))
    assert line == (
        "comparing 1,500 runs by 3 measures requires 3,372,750 tests, more than the limit of "
        "1,500,000; compare each run with one baseline only (--baseline RUN), or use fewer measures"
    )
    ended = bounded(*arguments, "AP", "--out", "out", cwd=tmp_path, seconds=90, mib=1000)
    assert ended.returncode == 0, ended.stderr
    with (tmp_path / "out" / "pairs.tsv").open() as pairs:
        assert sum(1 for _ in pairs) == 1 + 1500 * 1499 // 2
    assert "Only the best 150 runs of 1500" in (tmp_path / "out" / "report.html").read_text()


def compared(stdout):
    """Return the pairs of runs in the table of pairs."""
    lines = stdout.splitlines()
    *rows, _note = map(str.split, lines[lines.index("Runs compared with a baseline") + 4 :])
    return {(row[0], row[1]) for row in rows}


@pytest.mark.parametrize(
    ("run", "baseline"),
    [
        ("patents/bm25.run.gz", "./patents/bm25.run.gz"),
        (EXAMPLES / "patents" / "bm25.run.gz", "bm25"),
    ],
    ids=["path", "name"],
)
def test_a_baseline_is_given_by_name_or_path(run, baseline):
    paths = ["patents/qrels.txt", "patents/boolean.run.gz", run, "patents/dense.run.gz"]
    result = pres_eval("compare", *paths, "-m", "PRES@100 R@100", "--baseline", baseline)
    assert (result.returncode, result.stderr) == (0, "")
    assert compared(result.stdout) == {(other, "bm25") for other in ("boolean", "dense")}
    assert "The second run of each pair is a baseline: bm25." in result.stdout
    assert ["PRES@100", "0", "1", "1"] in [line.split() for line in result.stdout.splitlines()]


def test_a_baseline_may_be_in_a_folder(tmp_path):
    (tmp_path / "a").mkdir()
    patents = EXAMPLES / "patents"
    for name in ("bm25.run.gz", "dense.run.gz"):
        (tmp_path / "a" / name).write_bytes((patents / name).read_bytes())
    # Both files are called bm25.run.gz, so that the names of these runs contain folders.
    arguments = ["compare", patents / "qrels.txt", "a", patents / "bm25.run.gz"]
    result = pres_eval(*arguments, "-m", "R@100", "--baseline", "./a/bm25.run.gz", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert compared(result.stdout) == {(other, "a/bm25") for other in ("dense", "patents/bm25")}


@pytest.mark.parametrize(
    ("baseline", "said"),
    [
        ("system-9.run", "(system-1, system-2, system-3, …); did you mean 'system-"),
        ("a/system-1.run", "baseline 'a/system-1.run' is not among the runs"),
        ("x" * 10_000, "baseline 'xxx"),
        ("a\nb\x1b", r"baseline 'a\nb\x1b' is not among the runs"),
        ("", "'' is an empty path"),
    ],
    ids=["close", "path", "long", "control characters", "empty"],
)
def test_an_unknown_baseline_is_refused(baseline, said):
    line = refused("compare", *INPUT, "--baseline", baseline)
    assert said in line
    assert len(line) < 300
