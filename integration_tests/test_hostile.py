"""Odd names, damaged input, senseless arguments, full disks, closed pipes and signals.

The command must print one line, exit with the expected code, and leave no incomplete file.
"""

import csv
import ctypes
import fcntl
import gzip
import io
import json
import os
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import termios
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pytest
from command import COMMAND, EXAMPLES, Result, pres_eval, refused
from interpreter import python_path
from markdown_it import MarkdownIt
from odd_names import ODD_NAMES
from repetitions import every

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="files and signals as on Linux")
release = pytest.mark.release

QRELS, RUN, OTHER = (EXAMPLES / name for name in ("qrels.txt", "system-1.run", "system-2.run"))
EXPLAIN = ["explain", QRELS, RUN, "--query", "PAT-1", "--n-max", "100"]
COMPARE = ["compare", QRELS, RUN, OTHER, "-m", "PRES@100 R@100"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The current folder, with judgements and a run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("q1 0 a 1\nq1 0 b 0\n")
    (tmp_path / "run").write_text("q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n")
    return tmp_path


# --- A command with limits on time and memory, and how it fails. ---------------------------------

#: A process that allocates more than this is refused memory, so that no test can harm the machine.
MOST_BYTES = 6 << 30

# Root may read and write any file because of these capabilities of Linux:
# CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH.
_READ_ANYTHING = (1, 2)
_PR_CAPBSET_DROP = 24

# Linux counts the memory of the process that forks as that of the new one. So a small process
# starts the command, and writes the command's exit status and peak memory to a pipe.
_LAUNCHER = """
import os, signal, sys
report, seconds, *command = sys.argv[1:]
pid = os.fork()
if pid == 0:
    signal.alarm(int(seconds))
    os.execv(command[0], command)
_, status, usage = os.wait4(pid, 0)
os.write(int(report), f"{os.waitstatus_to_exitcode(status)} {usage.ru_maxrss}".encode())
"""


def bounded(
    *arguments, seconds=60, mib=800, unprivileged=False, before=None, environment=(), **options
):
    """Run the command, and fail if it takes more time or memory than allowed.

    Parameters
    ----------
    *arguments : str, bytes or path
        The arguments of ``pres-eval``.
    seconds, mib : int
        The limits: wall-clock time, after which the command is killed, and peak resident memory.
    unprivileged : bool, default False
        Whether permissions of files apply even if this process runs as root.
    before : callable, optional
        Called in the new process before the command starts, to set limits or close files.
    environment : mapping, optional
        Environment variables in addition to those of this process.
    **options
        Further arguments of :class:`subprocess.Popen`, such as `cwd`, `stdin` or `stdout`.
    """

    def prepare():
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if unprivileged and os.geteuid() == 0:
            for capability in _READ_ANYTHING:
                ctypes.CDLL(None).prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
        if before is not None:
            before()

    ours, theirs = os.pipe()
    launcher = [sys.executable, "-IS", "-c", _LAUNCHER, str(theirs), str(seconds)]
    # Pipes, because `before` may limit the size of files.
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(
        [*launcher, COMMAND, *arguments],
        preexec_fn=prepare,
        env={**os.environ, **dict(environment)},
        pass_fds=[theirs],
        encoding="utf-8",
        errors="surrogateescape",
        **pipes | options,
    ) as process:
        os.close(theirs)
        printed = process.communicate()
    with os.fdopen(ours) as report:
        code, kib = map(int, report.read().split())
    assert kib < 1024 * mib, f"used {kib // 1024} MiB: {printed[1]}"
    return Result(code, *(text or "" for text in printed))


def check_refused(ended, *names, code=2):
    """Check that a process failed as it should, and return the one line that says why.

    It must print nothing on standard output, and one line on standard error that contains
    each of `names`. Warnings before that line are allowed.
    """
    assert ended.returncode == code, ended.stderr
    assert ended.stdout == ""
    assert "Traceback" not in ended.stderr
    lines = ended.stderr.removesuffix("\n").split("\n")
    assert all(line.startswith("pres-eval: warning: ") for line in lines[:-1]), ended.stderr
    line = lines[-1]
    assert line.startswith("pres-eval: "), ended.stderr
    assert not re.search(r"[\x00-\x1f\x7f-\x9f]", line), ended.stderr
    for name in names:
        assert name in line, line
    return line.removeprefix("pres-eval: ")


# --- Names. --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    """Runs, topics and documents with odd names, in Parquet, which can contain any of them.

    Each run lacks the last topic, so there is a warning about each.
    """
    folder = tmp_path_factory.mktemp("names")
    rows = [(topic, document, 1) for topic in ODD_NAMES for document in ODD_NAMES[:3]]
    qrels = pl.DataFrame(rows, ["query_id", "doc_id", "relevance"], orient="row")
    qrels.write_parquet(folder / "qrels.parquet")
    found = qrels.filter(pl.col("query_id") != ODD_NAMES[-1]).rename({"relevance": "score"})
    runs = pl.concat(found.with_columns(run=pl.lit(name)) for name in ODD_NAMES)
    runs.write_parquet(folder / "runs.parquet")
    return folder


def unescaped(text):
    """Read a name in which hidden characters are written as in Python."""
    return re.sub(r"\\(x..|u....|.)", lambda found: eval(f"'{found[0]}'"), text)


def from_tsv(text):
    return [list(map(unescaped, line.split("\t"))) for line in text.split("\n")[1:-1]]


def from_markdown(text):
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(text)
    heads = [token.type for token in tokens].count("th_open")
    cells = [
        unescaped("".join(child.content for child in content.children))
        for token, content in pairwise(tokens)
        if token.type == "td_open"
    ]
    return [cells[i : i + heads] for i in range(0, len(cells), heads)]


READERS = {
    "tsv": from_tsv,
    "csv": lambda text: list(csv.reader(io.StringIO(text, newline="")))[1:],
    "json": lambda text: [list(record.values()) for record in json.loads(text)],
    "markdown": from_markdown,
}


@pytest.mark.parametrize("fmt", every(4, READERS, pytest.mark.ci))
def test_names_of_runs_and_topics_are_read_unchanged_from_each_format(named, fmt):
    words = ("score", "qrels.parquet", "runs.parquet", "-m", "R@9", "-q", "-f", fmt)
    result = pres_eval(*words, cwd=named)
    rows = READERS[fmt](result.stdout)
    assert list(dict.fromkeys(row[0] for row in rows)) == ODD_NAMES
    assert [row[1] for row in rows][: len(ODD_NAMES)] == ODD_NAMES


HIDDEN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e]")


def test_warnings_and_errors_about_odd_names_are_one_line_each(named):
    files = ("qrels.parquet", "runs.parquet")
    printed = pres_eval("score", *files, "-m", "PRES@99", cwd=named).stderr
    # One for the topic, one for equal scores, one for too few documents.
    assert len(printed.splitlines()) == 3
    assert not HIDDEN.search(printed)
    for name in ODD_NAMES:
        line = refused("explain", *files, "--query", f"{name}?", cwd=named)
        assert not HIDDEN.search(line)


# --- Paths. --------------------------------------------------------------------------------------


def link_to_nothing_in_a_folder(here):
    (here / "runs").mkdir()
    (here / "runs" / "link").symlink_to("nothing")
    return "runs", "runs/link: there is no such file"


def parquet_not_in_utf8(here):
    pl.DataFrame({"query_id": ["q1"], "doc_id": ["a"], "score": [1.0]}).write_parquet("r")
    os.rename(b"r", b"r\xff")
    return os.fsdecode(b"r\xff"), r"r\xff: Parquet files can be read only at paths in UTF-8"


def socket_file(here):
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket")
    return "socket", "socket: cannot be read (No such device or address)"


def endless_zeros(here):
    return "/dev/zero", "/dev/zero, line 1: this is a binary file, not text"


@pytest.mark.parametrize(
    "case", [link_to_nothing_in_a_folder, parquet_not_in_utf8, socket_file, endless_zeros]
)
def test_what_cannot_be_opened_is_named(here, case):
    path, said = case(here)
    assert refused("score", "qrels", "run", path).startswith(said)


def test_names_of_files_that_are_not_utf8_are_written_as_bytes(here):
    shutil.copy("run", b"r\xff")
    assert r"r\\xff" in pres_eval("score", "qrels", os.fsdecode(b"r\xff"), "-f", "tsv").stdout


@release
@pytest.mark.parametrize(("path", "mode", "named"), [("run", 0, "run"), ("runs", 0o600, "runs/0")])
def test_what_may_not_be_read_is_named(here, path, mode, named):
    (here / "runs").mkdir()
    shutil.copy("run", "runs/0")
    (here / path).chmod(mode)
    line = check_refused(bounded("score", "qrels", path, unprivileged=True))
    (here / path).chmod(0o700)
    assert line == f"{named}: cannot be read (Permission denied)"


# --- Content. ------------------------------------------------------------------------------------

LONG = "9" * 500_000


@pytest.mark.parametrize(
    ("role", "content", "said"),
    [
        ("qrels", f"q1 0 a 1\nq1 0 b -{LONG}\n", "qrels, line 2: .* the relevance is '-999"),
        ("run", f"q1 Q0 a 1 {LONG}x t\n", "run, line 1: .* the score is '999"),
        ("run", f"q1 Q0 {LONG} 1 1 t\n" * 2, "run, line 2: document '999"),
        ("run", f"{LONG} Q0 a 1 1 t\n", "no topic in common"),
    ],
    ids=["relevance", "score", "document", "topic"],
)
def test_a_message_about_a_long_field_is_short(here, role, content, said):
    (here / role).write_text(content)
    line = refused("score", "qrels", "run")
    assert re.search(said, line)
    assert len(line) < 500


EMPTY = ": the file is empty"
LONG_LINE = b'{"qid":"q1","ranking":["a"],"text":"%s"}\n' % (b"x" * 100_000)


@release
@pytest.mark.parametrize(
    ("name", "start", "unit", "said"),
    [
        ("bomb", b"", b"# a comment\n\n \t\n", EMPTY),
        ("bomb.csv", b"query_id,doc_id,score\n", b"\n", EMPTY),
        ("bomb.jsonl", b"", LONG_LINE, ", line 2: document 'a' is in topic 'q1' twice"),
    ],
)
def test_memory_does_not_grow_with_what_a_small_file_decompresses_to(here, name, start, unit, said):
    """Each file decompresses to 600 MB."""
    member = gzip.compress(unit * (3_000_000 // len(unit)), compresslevel=1)
    (here / name).write_bytes(gzip.compress(start) + member * 200)
    ended = bounded("score", "qrels", name, seconds=120, mib=400)
    assert check_refused(ended).startswith(name + said)


@release
@pytest.mark.parametrize("content", ["[" * 4_000_000, f"[{'{},' * 1_390_000}{{}}]"])
def test_files_of_values_cannot_fill_the_memory(here, content):
    (here / "values").write_bytes(gzip.compress(content.encode()))
    check_refused(bounded("check", "values", "qrels", "run", "--n-max", "9", mib=600), "values")


# --- Arguments. ----------------------------------------------------------------------------------

SWEEP, ROBUSTNESS = (["sweep", QRELS, RUN], ["robustness", QRELS, RUN])


@pytest.mark.parametrize(
    ("command", "option", "value"),
    [
        *((EXPLAIN, "--n-max", value) for value in ("0", "9" * 99, "nan")),
        *((SWEEP, "--n-max", value) for value in (f"1:{10**400}:log5", "1:1000000000:1")),
        *((ROBUSTNESS, "--fractions", value) for value in ("nan", "0.5,,", "0.1," * 20_000)),
        (ROBUSTNESS, "--samples", "1" + "0" * 30),
        (["score", QRELS, RUN], "-m", "P(a=" + "{1:" * 5000 + "1" + "}" * 5000 + ")@10"),
        (["score", QRELS, RUN], "-m", "P@" + "-" * 100_000 + "1"),
        (["score", QRELS, RUN], "-m", "nDCG(gains={1: 1, 'a': 2})@10"),
        (["compare", QRELS, RUN, OTHER], "--baseline", "x" * 10_000),
        (["compare", "none"], "--out", QRELS),
        (["compare", "none"], "--out", f"{QRELS}/out"),
    ],
)
def test_an_argument_that_cannot_be_meant_is_refused_in_a_short_line(command, option, value):
    assert len(refused(*command, option, value)) < 600


# --- Standard output and error. ------------------------------------------------------------------


@release
@pytest.mark.parametrize("words", [COMPARE, ["completion", "bash"], ["--help"]])
def test_a_full_disk(words):
    with open("/dev/full", "wb") as full:
        check_refused(bounded(*words, stdout=full), "standard output: No space left on device")


@release
@pytest.mark.parametrize("words", [COMPARE, ["--help"]])
def test_a_closed_pipe_is_no_error(words):
    """As in ``pres-eval compare … | head -n 0``, the command ends without a message."""
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as pipe:
        ended = bounded(*words, stdout=pipe)
    assert ended.returncode == 1
    assert all(line.startswith("pres-eval: warning: ") for line in ended.stderr.splitlines())


@release
def test_an_encoding_that_lacks_our_characters():
    words, name = ("robustness", "--help"), "PYTHONIOENCODING"
    in_utf8 = bounded(*words, environment={name: "utf-8"}).stdout
    printed = bounded(*words, environment={name: "cp1252"}).stdout
    assert "τ" in in_utf8
    assert printed == in_utf8.encode("cp1252", "backslashreplace").decode()


# --- Reports: complete, or not there at all. -----------------------------------------------------


@pytest.fixture
def older(tmp_path):
    """The folder of a report that an earlier command wrote."""
    assert pres_eval(*EXPLAIN, "--out", tmp_path / "out").returncode == 0
    return tmp_path / "out"


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def stopped_by(folder, statement):
    """Return variables with which a statement runs once a picture is written."""
    (folder / "sitecustomize.py").write_text(
        "import os, pathlib\n"
        "write = pathlib.Path.write_bytes\n"
        "def stopped(path, data):\n"
        "    write(path, data)\n"
        f"    {statement}\n"
        "pathlib.Path.write_bytes = stopped\n"
    )
    return {"PYTHONPATH": python_path(folder)}


@release
@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("os.kill(os.getpid(), 2)", 130),
        ("os.kill(os.getpid(), 9)", -signal.SIGKILL),
        ("raise OSError(28, 'No space')", 2),
    ],
)
def test_an_interruption_leaves_the_older_report(older, tmp_path_factory, statement, code):
    before = contents(older)
    environment = stopped_by(tmp_path_factory.mktemp("path"), statement)
    ended = bounded(*COMPARE, "--out", older, "--force", environment=environment)
    assert ended.returncode == code
    assert "Traceback" not in ended.stderr
    assert contents(older) == before
    # Nothing can remove the unfinished report of a killed process.
    assert len(list(older.parent.iterdir())) == 1 + (code < 0)


# --- Signals. ------------------------------------------------------------------------------------

SIGNALS = {signal.SIGINT: 130, signal.SIGTERM: 143}


def heed_signals():
    """Undo what nohup, and shells with background jobs, set for the processes that they start."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def waits_for_input(process):
    """Whether a command has read all that is in the pipe, and sleeps."""
    (unread,) = struct.unpack("i", fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4)))
    state = Path(f"/proc/{process.pid}/stat").read_text().split()[2]
    return unread == 0 and state == "S"


@contextmanager
def started(*words, folder):
    """Start a command. When it has ended, check how, and that no copy of its input remains."""
    with subprocess.Popen(
        [COMMAND, *words],
        env={**os.environ, "TMPDIR": str(folder)},
        preexec_fn=heed_signals,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        yield process
        # Our end of the pipe is still open, so the input has not ended.
        code = process.wait(20)
        assert process.stderr.read().strip() == b""
    assert code in SIGNALS.values()
    assert list(folder.iterdir()) == []


@pytest.mark.ci
@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_the_command_while_it_waits_for_its_input(number, tmp_path):
    with started("score", "-", RUN, folder=tmp_path) as process:
        process.stdin.write(b"# a comment\n")
        process.stdin.flush()
        while not waits_for_input(process):
            assert process.poll() is None
        process.send_signal(number)
    assert process.returncode == SIGNALS[number]


@release
def test_a_signal_ends_the_command_while_it_scores(tmp_path_factory, tmp_path):
    """The run takes more than a second to score."""
    folder = tmp_path_factory.mktemp("large")
    topic = "".join(f"q{{0}} Q0 EP{i} {i} {2000 - i} large\n" for i in range(2000))
    (folder / "run").write_text("".join(map(topic.format, range(1200))))
    (folder / "qrels").write_text("".join(f"q{number} 0 EP7 1\n" for number in range(1200)))
    with started("score", folder / "qrels", folder / "run", folder=tmp_path) as process:
        counts = Path(f"/proc/{process.pid}/io")
        while int(counts.read_text().split()[1]) < 2e7:  # bytes read
            assert process.poll() is None
        process.terminate()


# --- Surroundings. -------------------------------------------------------------------------------


C_LOCALE = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}


@pytest.mark.ci
def test_topics_are_found_in_any_locale(here):
    (here / "qrels").write_text("tö 0 a 1\n", encoding="utf-8")
    (here / "run").write_text("tö Q0 a 1 2 t\n", encoding="utf-8")
    words = ("explain", "qrels", "run", "--query", "tö", "--n-max", "1")
    ended = bounded(*words, environment=C_LOCALE)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "1 of 1 relevant document of topic tö." in ended.stdout


@pytest.mark.ci
def test_a_warning_is_printed_even_where_python_makes_it_an_error(here):
    (here / "families.csv").write_text("family,doc_id\nF,a\n")
    words = ("score", "qrels", "run", "-m", "R@2", "--families", "families.csv")
    ended = bounded(*words, environment={"PYTHONWARNINGS": "error"})
    assert ended.returncode == 0
    said = "1 of 2 documents have no family, so each of them counts as a family of its own\n"
    assert ended.stderr == "".join(f"pres-eval: warning: {file}: {said}" for file in words[1:3])


@release
def test_standard_input_cannot_be_copied(tmp_path):
    def limit_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))

    with QRELS.open("rb") as qrels:
        ended = bounded(
            *("score", "-", RUN),
            before=limit_files,
            stdin=qrels,
            environment={"TMPDIR": str(tmp_path)},
        )
    check_refused(ended, "standard input: cannot be copied", "set TMPDIR")
    assert list(tmp_path.iterdir()) == []


@release
def test_an_unexpected_error_prints_its_traceback(tmp_path):
    (tmp_path / "jinja2.py").write_text("raise OSError('libfoo.so: cannot open')")
    environment = {"PYTHONPATH": python_path(tmp_path)}
    ended = bounded(*COMPARE, "--out", tmp_path / "out", environment=environment)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.endswith("OSError: libfoo.so: cannot open\n")
    assert not (tmp_path / "out").exists()


@release
def test_a_report_shows_any_file_name_without_settings_home_or_locale(tmp_path):
    (tmp_path / "matplotlibrc").write_text("no colon\nunknown: 1\nbackend: none\n")
    names = [r"$\frac{$.run", "_a.run", "中文😀.run", "a\nb.run", "\x1b[31m.run"]
    for name in names:
        shutil.copy(RUN, tmp_path / name)
    words = ("compare", QRELS, *names, "-m", "PRES@100 R@100", "--out", "out")
    home = {"HOME": "/none", "MPLCONFIGDIR": "/none", "MPLBACKEND": "none"}
    ended = bounded(*words, cwd=tmp_path, environment=home | C_LOCALE | {"COLUMNS": "1"})
    assert ended == (0, "", "pres-eval: written: out/report.html\n")
    pictures = list((tmp_path / "out").glob("*.svg"))
    assert pictures
    for picture in pictures:
        ElementTree.parse(picture)


# --- Measures of other packages, which ir-measures computes. -------------------------------------


@pytest.mark.parametrize(
    ("measure", "mean"),
    [
        ("P@10", 0.05),
        ("nDCG(gains={3: 5000})@10", 0.5),
        # gdeval, in Perl: (2³-1)/2⁴ at rank 1 of the first of two topics
        pytest.param(
            "ERR@10",
            0.21875,
            marks=pytest.mark.skipif(not shutil.which("perl"), reason="perl is not installed"),
        ),
    ],
)
def test_what_people_use_is_scored(here, measure, mean):
    (here / "qrels").write_text("1 0 a 3\n1 0 b -2\n1 0 c 0\n2 0 a 0\n2 0 b -1\n")
    (here / "run").write_text("1 Q0 a 0 1e308 t\n1 Q0 b 0 1 t\n2 Q0 b 0 1 t\n3 Q0 a 0 1 t\n")
    out = pres_eval("score", "qrels", "run", "-m", measure, "-f", "tsv", "-p", "5").stdout
    assert out.split()[-1] == f"{mean:.5f}"


def test_any_error_of_a_provider_is_one_line(here, capfd):
    # ir-measures divides by zero if a ranking contains no document that is not relevant.
    (here / "run").write_text("q1 Q0 a 1 2 t\n")
    line = refused("score", "qrels", "run", "-m", "Accuracy")
    assert "cannot compute Accuracy (ZeroDivisionError: " in line
    assert capfd.readouterr() == ("", "")
