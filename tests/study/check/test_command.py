"""``pres-eval check`` as its users run it."""

import json
from pathlib import Path

import pytest
from command import EXAMPLES, pres_eval

from pres_plugin.study.check.variants import VARIANTS

QRELS = "q1 0 a 1\nq1 0 b 1\nq2 0 a 1\nq3 0 a 1\n"
RUN = "q1 Q0 x 1 4 x\nq1 Q0 a 2 3 x\nq1 Q0 a 3 2 x\nq2 Q0 a 1 1 x\n"


@pytest.fixture
def check(tmp_path, monkeypatch):
    """Check a file with this content."""
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    Path("run").write_text(RUN)

    def check(content, *options):
        Path("values").write_text(content)
        options = ("--n-max", 5, "--duplicates", "first", *options)
        return pres_eval("check", "values", "qrels", "run", *options)

    return check


def test_pres_ends_with_0(check):
    code, out, _ = check("topic,PRES@5\nq1,0.40\nq2,1.00\nq3,0.00\nall,0.47\n")
    assert (code, out) == (
        0,
        "The values are PRES@5 of run, to 2 decimals: 3 of 3 topics agree, and so does the mean.\n",
    )


def test_a_variant_is_named_and_ends_with_1(check):
    content = "topic,PRES@5,R@5\nq1,0.5,0.50\nq2,1.0,1.00\nq9,0.9,0.7\n"
    code, out, _ = check(content)
    assert code == 1
    assert (
        out
        == """\
The values are not PRES@5 of run: 1 of 2 topics agree.
Values of topics without judgements are ignored: q9.
1 of 3 judged topics lack a value: q3.

PRES is at least AP and at most R at the same cutoff, but not here:

topic      AP     value         R
-------  ----  --------  --------
q9          –  0.900000  0.700000

topic       value      PRES
-------  --------  --------
q1       0.500000  0.400000

Known variants that match:
- missed-after-n-max, to 1 decimal
"""
        + f"  {VARIANTS[1].does} {VARIANTS[1].wrong}\n"
    )
    code, out, _ = check(content, "-f", "json")
    verdict = json.loads(out)
    assert [verdict[key] for key in ("is_pres", "compared", "missing")] == [False, 2, ["q3"]]
    assert verdict["outside"] == [{"query_id": "q9", "value": 0.9, "recall": 0.7}]
    assert verdict["matches"][0]["variant"]["name"] == "missed-after-n-max"


@pytest.mark.parametrize(
    ("fmt", "places", "by_query"),
    [("table", 4, ["-q"]), ("tsv", -1, []), ("csv", -1, ["-q"]), ("json", 4, [])],
)
def test_the_output_of_score_is_pres(fmt, places, by_query, tmp_path):
    files = [EXAMPLES / "patents" / name for name in ("qrels.txt", "bm25.run.gz", "dense.run.gz")]
    options = ["-m", "AP@100 PRES@100 R@100 PRES@50", "-p", places, "-f", fmt, *by_query]
    (tmp_path / "values").write_text(pres_eval("score", *files, *options).stdout)
    for run in files[1:]:
        code, out, _ = pres_eval("check", tmp_path / "values", files[0], run, "--n-max", 100)
        assert code == 0
        assert ("20 of 20 topics agree, and so does the mean." in out) == bool(by_query)


@pytest.mark.parametrize(("system", "printed"), [(2, "0.51"), (4, "0.28")])
def test_the_values_in_the_paper_are_pres(system, printed):
    name = f"system-{system}"
    arguments = ("check", printed, "qrels.txt", f"{name}.run", "--n-max", "100")
    code, out, err = pres_eval(*arguments, cwd=EXAMPLES)
    assert (code, out, err) == (0, f"The mean is PRES@100 of {name}, to 2 decimals.\n", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("q77", "qrels", "run"), "no topic in common with the qrels (values: q77;"),
        (("0.5", "qrels", "runs"), "there are several runs; give a file with one run"),
        (("-", "qrels", "-"), "standard input can be read only once, as VALUES, as"),
    ],
)
def test_what_cannot_be_checked_is_refused_in_one_line(check, arguments, said):
    Path("q77").write_text("q77 0.5")
    Path("runs").mkdir()
    for name in ("a", "b"):
        Path("runs", name).write_text(RUN)
    result = pres_eval("check", *arguments, "--n-max", 1, "--duplicates", "first")
    assert result[:2] == (2, "")
    assert said in result.stderr.splitlines()[-1]
