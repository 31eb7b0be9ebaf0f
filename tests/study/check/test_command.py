"""``pres-eval check`` as its users run it, and the files that it reads."""

import gzip
import json
from pathlib import Path

import pytest
from command import EXAMPLES, pres_eval, refused

QRELS = "q1 0 a 1\nq1 0 b 1\nq2 0 a 1\nq3 0 a 1\n"
RUN = "q1 Q0 x 1 4 x\nq1 Q0 a 2 3 x\nq1 Q0 a 3 2 x\nq2 Q0 a 1 1 x\n"
VALUES = {"q1": "0.40", "q2": "1.00", "q3": "0.00", "all": "0.47"}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    Path("run").write_text(RUN)


@pytest.fixture
def check(here):
    """Check a file with this content."""

    def check(content, *options):
        Path("values").write_bytes(content if isinstance(content, bytes) else content.encode())
        options = ("--n-max", 5, "--duplicates", "first", *options)
        return pres_eval("check", "values", "qrels", "run", *options)

    return check


def lines(form, others=()):
    return "".join(form.format(*item) for item in [*VALUES.items(), *others])


FILES = {
    "CSV": lines("{},{}\n", [("q9", 0.9)]).join(["query_id,value\n", ""]),
    "CSV, wide": "Topic,R@5,PRES@5\r\n" + lines("{},0.9,{}\r\n"),
    "CSV, saved by Excel": "\ufefftopic,pres\n" + lines('"{}",{}\n'),
    "TSV, other measures": "query_id\tmeasure\tvalue\n"
    + lines("{0}\tPRES@5\t{1}\n{0}\tPRES(rel=2)@5\t0.9\n{0}\tPRES@50\t0.9\n"),
    "TSV, other runs": "run\tqid\tpres_5\n" + lines("run\t{0}\t{1}\nother\t{0}\t0.9\n"),
    "JSON": "\ufeff" + json.dumps({**VALUES, "q1": 0.4}),
    "JSON, records": json.dumps([{"qid": t, "PRES@5": v} for t, v in VALUES.items()]),
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_files_are_read_compressed_or_not(check, content):
    expected = "The values are PRES@5 of run, to 2 decimals: 3 of 3 topics agree.\n"
    if "q9" in content:
        expected += "Topics without a value or without judgements: 1.\n"
    assert check(content)[:2] == (0, expected)
    assert check(gzip.compress(content.encode()))[:2] == (0, expected)


@pytest.mark.ci
@pytest.mark.parametrize(("fmt", "places"), [("tsv", -1), ("csv", 4), ("json", 4)])
@pytest.mark.parametrize("by_query", [[], ["-q"]])
def test_the_output_of_score_is_pres(fmt, places, by_query, tmp_path):
    files = [EXAMPLES / "patents" / name for name in ("qrels.txt", "bm25.run.gz", "dense.run.gz")]
    options = ["-m", "AP@100 PRES@100 R@100 PRES@50", "-p", places, "-f", fmt, *by_query]
    (tmp_path / "values").write_text(pres_eval("score", *files, *options).stdout)
    for run in files[1:]:
        code, out, _ = pres_eval("check", tmp_path / "values", files[0], run, "--n-max", 100)
        assert code == 0
        assert ("20 of 20 topics agree." in out) == bool(by_query)


@pytest.mark.parametrize(("system", "printed"), [(2, "0.51"), (4, "0.28")])
def test_the_values_in_the_paper_are_pres(system, printed):
    name = f"system-{system}"
    arguments = ("check", printed, "qrels.txt", f"{name}.run", "--n-max", "100")
    code, out, err = pres_eval(*arguments, cwd=EXAMPLES)
    assert (code, out, err) == (0, f"The mean is PRES@100 of {name}, to 2 decimals.\n", "")


def test_a_variant_is_named_and_ends_with_1(check):
    content = "topic,PRES@5\nq1,0.5\nq2,1.0\n"
    variants = [
        f"Missed documents get {ranks}. The divisor is n × Nmax, as in PRES."
        for ranks in ("rank Nmax+1", "the ranks Nmax+1 to Nmax+n_missed")
    ]
    code, out, _ = check(content)
    assert code == 1
    assert (
        out
        == f"""\
The values are not PRES@5 of run, to 1 decimal: 1 of 2 topics agree.
Topics without a value or without judgements: 1.
- q1: 0.5 instead of 0.400000
Known variants that match to 1 decimal:
- {variants[0]}
- {variants[1]}
"""
    )
    verdict = json.loads(check(content, "-f", "json").stdout)
    assert [verdict[key] for key in ("is_pres", "compared", "matches")] == [False, 2, variants]


WRONG = {
    "empty": ("", "values: the file is empty, or contains no rows"),
    "not UTF-8": (
        b"topic,pres\nq\xff,0.5\n",
        "values, line 2: topic 'q\ufffd': the topic is not U",
    ),
    "damaged": (gzip.compress(b"q1,0.5\n")[:-4], "values: the compressed file is damaged (Comp"),
    "no header": ("q1,0.5\nq2,0.5\n", "values: there is no column value; the columns in line 1"),
    "other run": ("run,topic,pres\nx,q1,1\n", "values: there are no values of PRES@5 for run"),
    "decimal comma": ("topic,pres\nq1,0,5\n", "values, line 2: there are more than 2 fields"),
    "repeated topic": ("topic,pres\nq1,1\nq1,0\n", "values: the value of topic 'q1' is '1' and"),
    "not a number": ("topic,pres\nq1,high\n", "values: topic 'q1': 'high' is not a finite number"),
    "JSON, damaged": ('{"q1": 0.5,\n"q2": }', "values: this is not JSON ("),
    "JSON, NaN": ('{"q1": NaN}', "values: topic 'q1': 'NaN' is not a finite number"),
    "JSON, nested": ("[" * 100_000, "values: this is not JSON ("),
    "JSON, no measure": ('[{"measure": 1, "value": 1}]', "values: there are no values of PRES@5"),
    "JSON, numbers": ("[[1]]", "values: expected an object, got [1]"),
}


@pytest.mark.parametrize(("content", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named(check, content, said):
    code, out, err = check(content)
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].startswith(f"pres-eval: {said}")


@pytest.mark.usefixtures("here")
def test_standard_input_is_read_once():
    line = refused("check", "-", "qrels", "-", "--n-max", 1)
    assert line.startswith("standard input can be read only once, as VALUES, as")
