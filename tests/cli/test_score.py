"""``pres-eval score`` as its users run it."""

import csv
import gzip
import io
import json
import re
import shutil
import signal
import subprocess
from functools import partial

import command
import ir_measures
import pytest
from command import COMMAND, EXAMPLES, on_a_terminal, pres_eval, pres_eval_process

SYSTEMS = [f"system-{i}.run" for i in range(1, 5)]

QRELS = "q1 0 a 1\nq1 0 b 2\nq1 0 c 0\nq2 0 a 1\nq3 0 z 1\n"
RUN = "q1 Q0 x 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 a 3 1 t\nq2 Q0 a 1 9 t\nq3 Q0 y 1 9 t\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "a.run").write_text(RUN)
    return tmp_path


scored = partial(command.table_of, "score")
refused = partial(command.refused, "score")


def test_the_papers_systems_score_as_printed():
    measures = ("-m", "PRES@100", "-m", "AP@100 R@100")
    options = ("-p", 2, "-f", "tsv")
    result = pres_eval_process("score", "qrels.txt", *SYSTEMS, *measures, *options, cwd=EXAMPLES)
    assert (result.returncode, result.stderr) == (0, "")
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    by_system = {run: [v for r, _, v in rows if r == run] for run in SYSTEMS}
    assert by_system == {
        "system-1.run": ["0.25", "0.25", "0.25"],
        "system-2.run": ["0.51", "0.05", "1.00"],  # 0.505 is just above in binary
        "system-3.run": ["1.00", "1.00", "1.00"],
        "system-4.run": ["0.28", "0.27", "1.00"],
    }


def test_the_default_measures_are_those_of_the_papers_depth(files):
    rows = pres_eval("score", "qrels", "a.run", "-f", "tsv", cwd=files).stdout.splitlines()
    assert [row.split("\t")[1] for row in rows] == ["PRES@1000", "AP@1000", "R@1000"]


def test_scores_are_those_of_the_framework(files):
    texts = "PRES(rel=2)@2 Rnorm(N=9) AP nDCG@3 RR P@1 NumRelRet Rnorm(judged_only=True)"
    rows = scored("qrels", "a.run", "-q", "-p", "-1", "-m", texts, cwd=files)
    measures = [ir_measures.parse_measure(text) for text in texts.split()]
    results = ir_measures.calc(
        measures,
        ir_measures.read_trec_qrels(str(files / "qrels")),
        ir_measures.read_trec_run(str(files / "a.run")),
    )
    expected = {(m.query_id, str(m.measure)): m.value for m in results.per_query}
    expected |= {("all", str(m)): value for m, value in results.aggregated.items()}
    assert {(query, m): float(value) for _, query, m, value in rows} == expected
    assert [query for _, query, m, _ in rows if m == "AP"] == ["q1", "q2", "q3", "all"]


def test_trec_names_are_measures_too(files):
    rows = scored("qrels", "a.run", "-m", "map recall_1,2 ndcg_cut.5", cwd=files)
    assert [measure for _, measure, _ in rows] == ["AP", "R@1", "R@2", "nDCG@5"]


def test_blanks_in_parentheses_do_not_separate_measures(files):
    rows = scored("qrels", "a.run", "-m", "Rnorm(N=9, rel=2)@3  AP  AP", cwd=files)
    assert [measure for _, measure, _ in rows] == ["Rnorm(N=9,rel=2)@3", "AP"]


def test_formats_agree(files):
    arguments = ("score", "qrels", "a.run", "-q", "-m", "PRES@2 AP", "-p", 3)

    def output(fmt):
        return pres_eval(*arguments, "-f", fmt, cwd=files).stdout

    rows = [line.split("\t") for line in output("tsv").splitlines()]
    assert list(csv.reader(io.StringIO(output("csv")))) == [
        ["run", "query_id", "measure", "value"],
        *rows,
    ]
    assert json.loads(output("json")) == [
        {"run": run, "query_id": query, "measure": measure, "value": float(value)}
        for run, query, measure, value in rows
    ]
    wide = [["a.run", query] for query in ("q1", "q2", "q3", "all")]
    for row in wide:
        row += [value for _, query, _, value in rows if query == row[1]]
    header = ["run", "topic", "PRES@2", "AP"]
    table = [line.split() for line in output("table").splitlines()]
    assert table[0] == header
    assert table[2:] == wide
    markdown, _ = output("markdown").split("\n\n")
    markdown = [line.replace("|", " ").split() for line in markdown.splitlines()]
    assert [markdown[0], *markdown[2:]] == [header, *wide]
    latex = [line for line in output("latex").splitlines() if "&" in line]
    cells = [[c.strip() for c in line.removesuffix(r"\\").split("&")] for line in latex]
    assert cells == [header, *wide]


def test_json_without_queries_names_none(files):
    result = pres_eval("score", "qrels", "a.run", "-m", "AP", "-f", "json", "-p", "-1", cwd=files)
    ((score),) = json.loads(result.stdout)
    assert score == {"run": "a.run", "measure": "AP", "value": pytest.approx(19 / 36, abs=1e-12)}


def test_names_are_not_taken_for_numbers(files):
    shutil.copy(files / "a.run", files / "007")
    result = pres_eval("score", "qrels", "007", "-m", "AP", cwd=files)
    assert result.stdout.splitlines()[-1].split() == ["007", "0.5278"]


def test_runs_are_called_by_their_file_names(files):
    (files / "runs").mkdir()
    (files / "runs" / "b.run.gz").write_bytes(gzip.compress(RUN.encode()))
    rows = scored("qrels", "runs/b.run.gz", "a.run", "-m", "AP", cwd=files)
    assert [run for run, _, _ in rows] == ["b.run", "a.run"]


def test_standard_input_is_a_file_called_minus(files):
    options = ("-m", "AP", "-f", "tsv")
    piped = pres_eval_process("score", "qrels", "-", *options, cwd=files, input=RUN)
    assert (piped.returncode, piped.stdout, piped.stderr) == (0, "-\tAP\t0.5278\n", "")
    ap = ("-m", "AP", "-p", "-1")
    expected = [row[1:] for row in scored("qrels", "a.run", *ap, cwd=files)]
    assert [row[1:] for row in scored("qrels", "-", *ap, cwd=files, stdin=RUN)] == expected
    assert [row[1:] for row in scored("-", "a.run", *ap, cwd=files, stdin=QRELS)] == expected
    assert "standard input can be read only once" in refused("-", "-", cwd=files, stdin=QRELS)


def test_topics_on_one_side_only_get_a_warning(files):
    (files / "b.run").write_text("q1 Q0 a 1 1 t\nother Q0 a 1 1 t\n")
    result = pres_eval("score", "qrels", "b.run", "-m", "AP", "-f", "tsv", cwd=files)
    assert (result.returncode, result.stdout) == (0, "b.run\tAP\t0.1667\n")
    lacking, extra = result.stderr.splitlines()
    assert "b.run" in lacking
    assert "the run lacks 2 of the 3 topics in the qrels; missing topics score 0: q2, q3" in lacking
    assert "the qrels lack 1 of the 2 topics in the run; extra topics are ignored: other" in extra


def test_repeated_documents_are_kept_as_asked(files):
    (files / "b.run").write_text("q1 Q0 a 1 3 t\nq1 Q0 c 2 2 t\nq1 Q0 a 3 1 t\n")
    (files / "one").write_text("q1 0 a 1\n")
    assert "line 3: document 'a' is in topic 'q1' already" in refused("one", "b.run", cwd=files)
    for duplicates, ap in (("first", "1.0000"), ("last", "0.5000")):
        rows = scored("one", "b.run", "-m", "AP", "--duplicates", duplicates, cwd=files)
        assert rows == [["b.run", "AP", ap]]


WRONG_FILES = {
    "missing": (None, "there is no such file"),
    "empty": (b"", "the file is empty"),
    "fields": (b"q1 Q0 a 1 3\n", "line 1: expected 6 fields"),
    "score": (b"q1 Q0 a 1 high t\n", "line 1: the score 'high' is not a number"),
    "nan": (b"q1 Q0 a 1 1 t\nq1 Q0 b 1 NaN t\n", "line 2: the score is NaN"),
    "binary": (b"\0\1\2\3", "line 1: this is a binary file"),
    "latin-1": ("q1 Q0 é 1 1 t\n".encode("latin-1"), "line 1: this is not UTF-8"),
    "topics": (b"zz Q0 a 1 1 t\n", "no topic in common with the qrels (run: zz;"),
}


@pytest.mark.parametrize(("content", "said"), list(WRONG_FILES.values()), ids=list(WRONG_FILES))
def test_a_wrong_run_stops_everything_with_one_line(files, content, said):
    if content is not None:
        (files / "b.run").write_bytes(content)
    line = refused("qrels", "a.run", "b.run", cwd=files)
    assert line.startswith("b.run")
    assert said in line


def test_wrong_qrels_are_named(files):
    (files / "bad").write_text("q1 0 a 1\nq1 0 b many\n")
    line = refused("bad", "a.run", cwd=files)
    assert line == "bad, line 2: the relevance 'many' is not a whole number"


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("Foo", "measure 'Foo' is unknown"),
        ("PRSE@10", r"measure 'PRSE@10' is unknown \(did you mean PRES@10\?\)"),
        ("ndgc@3", r".* \(did you mean nDCG@3\?\)"),
        ("PRES@100, AP@100", ".*; separate measures with blanks, without commas"),
        ("PRES", "measure 'PRES': a cutoff is missing"),
        ("PRES@0", "measure 'PRES@0': cutoff .* positive whole number, got 0"),
        ("PRES@-1", "measure 'PRES@-1': "),
        ("PRES@1.5", "measure 'PRES@1.5': cutoff .* got 1.5"),
        ("PRES(x=1)@5", r"measure 'PRES\(x=1\)@5': PRES has no parameter 'x'"),
        ("PRES(", r"measure 'PRES\(': it cannot be read; measures are written as PRES@100"),
        ("wss.9@95", r"measure 'wss.9@95': .*; write this one as WSS\(N=11429\)@0.95"),
        ("Rnorm", "measure 'Rnorm': the collection's size is missing"),
        ("Rnorm(N=2)", r"a.run: Rnorm\(N=2\): topic 'q1' has 3 documents"),
        ("R", "measure 'R': cutoff is missing"),
        ("R@0", "measure 'R@0': cutoff must be a positive whole number, got 0"),
        ("AP(x=1)", r"measure 'AP\(x=1\)': it has no parameter 'x'; it accepts cutoff"),
        ("AP(rel=0)", r"measure 'AP\(rel=0\)': rel must be a positive whole number"),
        ("nDCG(dcg='x')@5", r"measure .*nDCG.*: invalid param dcg='x'"),
        ("", "no measure is given"),
    ],
)
def test_a_wrong_measure_is_named(files, measure, said):
    line = refused("qrels", "a.run", "-m", measure, cwd=files)
    assert re.match(said, line), line


def test_wrong_usage_ends_the_process_with_2():
    result = pres_eval_process("score")
    line = "pres-eval: Missing argument 'QRELS'. (see pres-eval score --help)\n"
    assert (result.returncode, result.stdout, result.stderr) == (2, "", line)


def test_wrong_usage_takes_one_line_too(files):
    assert "Missing argument 'QRELS'" in refused(cwd=files)
    assert "no such option" in refused("qrels", "a.run", "--nmax", "3", cwd=files).lower()
    assert "'-2' is not a whole number from -1 to 20" in refused(
        "qrels", "a.run", "-p", "-2", cwd=files
    )


@pytest.mark.parametrize(
    ("typed", "meant"), [("exlpain", "explain"), ("compare-all", "compare"), ("frobnicate", None)]
)
def test_a_mistyped_command_is_told_the_one_it_may_be(typed, meant):
    result = pres_eval(typed)
    hint = f" Did you mean '{meant}'?" if meant else ""
    assert result.stderr == f"pres-eval: No such command '{typed}'.{hint} (see pres-eval --help)\n"
    assert (result.returncode, result.stdout) == (2, "")


def test_help_and_version_are_there():
    assert "QRELS" in pres_eval("score", "--help").stdout
    assert pres_eval("--version").stdout.startswith("pres-eval, version ")


def test_a_closed_pipe_ends_quietly(files):
    command = f"'{COMMAND}' score qrels a.run -m AP -q | true"
    result = subprocess.run(
        command, shell=True, cwd=files, capture_output=True, text=True, check=False
    )
    assert result.stderr == ""


def test_ctrl_c_ends_quietly(files):
    with subprocess.Popen(
        [COMMAND, "score", "qrels", "-"],
        cwd=files,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        # More than a pipe holds: once it is written, the command has begun to read.
        process.stdin.writelines(f"q1 Q0 d{i} 1 1 t\n" for i in range(50_000))
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out, err.strip()) == (130, "", "")


def test_several_runs_on_a_terminal_show_progress(files):
    shutil.copy(files / "a.run", files / "b.run")
    code, shown = on_a_terminal("score", "qrels", "a.run", "b.run", cwd=files)
    assert code == 0
    assert "100%" in shown
    assert on_a_terminal("score", "qrels", "a.run", "-m", "AP", cwd=files) == (0, "")
    assert pres_eval("score", "qrels", "a.run", "b.run", "-m", "AP", cwd=files).stderr == ""
