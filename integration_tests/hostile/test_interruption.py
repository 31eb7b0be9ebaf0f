"""A signal ends the command at once, whatever it waits for, and no copy of its input remains."""

import os
import signal
import subprocess

import pytest
from command import COMMAND, EXAMPLES

pytestmark = pytest.mark.release

QRELS, RUN = str(EXAMPLES / "qrels.txt"), str(EXAMPLES / "system-1.run")
#: More than a pipe holds: when all of it is written, the command has begun to read.
ENOUGH = b"# a comment\n" * 20_000
#: How many seconds the command may take to end. It needs a few hundredths on an idle machine.
AT_ONCE = 20

SIGNALS = {signal.SIGINT: 130, signal.SIGTERM: 143}

# The same code reads standard input for all subcommands.
CASES = [
    *((["score", "-", RUN], number) for number in SIGNALS),
    (["score", "-m", "nDCG@10", QRELS, "-"], signal.SIGINT),
    (["check", "-", QRELS, RUN, "--n-max", "100"], signal.SIGINT),
    (["compare", QRELS, "-", RUN], signal.SIGINT),
]


def heed_signals():
    """Undo what shells with background jobs set for the processes that they start."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def start(arguments, folder, **options):
    environment = {**os.environ, "TMPDIR": str(folder)}
    return subprocess.Popen(
        [COMMAND, *arguments],
        env=environment,
        preexec_fn=heed_signals,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def check_ended(process, code, folder):
    stdout, stderr = process.communicate(timeout=AT_ONCE)
    assert (process.returncode, stdout, stderr.strip()) == (code, "", "")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(("arguments", "number"), CASES)
def test_waiting_for_standard_input(arguments, number, tmp_path):
    ours, theirs = os.pipe()
    with os.fdopen(theirs, "wb") as write, start(arguments, tmp_path, stdin=ours) as process:
        os.close(ours)
        write.write(ENOUGH)
        process.send_signal(number)
        # Our end of the pipe is still open, so the input has not ended.
        check_ended(process, SIGNALS[number], tmp_path)


def test_waiting_for_a_pipe_with_a_name(tmp_path):
    pipe, folder = tmp_path / "pipe", tmp_path / "temporary"
    os.mkfifo(pipe)
    folder.mkdir()
    with start(["score", QRELS, str(pipe)], folder) as process, pipe.open("wb") as write:
        write.write(ENOUGH)
        process.send_signal(signal.SIGTERM)
        check_ended(process, SIGNALS[signal.SIGTERM], folder)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Judgements, and a run of 60 MB, which takes more than a second to score."""
    folder = tmp_path_factory.mktemp("large")
    topic = "".join(f"q{{}} Q0 EP{i} {i} {2000 - i} large\n" for i in range(2000))
    with (folder / "run").open("w") as run:
        run.writelines(topic.replace("{}", str(number)) for number in range(1200))
    (folder / "qrels").write_text("".join(f"q{number} 0 EP7 1\n" for number in range(1200)))
    return folder


@pytest.mark.skipif(not os.path.exists("/proc/self/io"), reason="Linux counts what a process reads")
def test_while_a_run_is_scored(large, tmp_path):
    files = [str(large / "qrels"), str(large / "run")]
    with start(["score", *files], tmp_path) as process:
        while has_read(process) < 2e7:
            assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        check_ended(process, SIGNALS[signal.SIGTERM], tmp_path)


def has_read(process):
    """Return how many bytes a process has read from files."""
    with open(f"/proc/{process.pid}/io") as counts:
        return int(counts.readline().split()[1])
