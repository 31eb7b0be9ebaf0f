"""The scripts of ``pres-eval completion``, in the shells themselves."""

import os
import pty
import shutil
import subprocess
import sysconfig

import pytest
from command import EXAMPLES, pres_eval, read_terminal

SCRIPTS = sysconfig.get_path("scripts")
ENVIRONMENT = {**os.environ, "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}", "TERM": "dumb"}
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], ""),
    "zsh": (["zsh", "-f", "-i"], "autoload -U compinit; compinit -u -D; "),
}


def typed(shell, line, folder):
    """What a line has become, after a tab and with `printf` put before it, once it runs."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    start, setup = SHELLS[shell]
    script, result = folder / "script", folder / "result"
    script.write_text(pres_eval("completion", shell).stdout)
    # Ctrl-A and Ctrl-E: to the beginning and the end of the line.
    keys = f"{setup}. {script}\n{line}\t\x01printf '%s\\n' \x05 > {result}\nexit\n"
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        start,
        cwd=EXAMPLES,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**ENVIRONMENT, "HOME": str(folder)},
        start_new_session=True,
    ):
        os.close(theirs)
        os.write(ours, keys.encode())
        read_terminal(ours)
    return result.read_text().split()


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("pres-eval compare --test wil", "wilcoxon"),
        ("pres-eval score qr", "qrels.txt"),
    ],
)
def test_a_tab_completes(shell, line, completed, tmp_path):
    assert typed(shell, line, tmp_path) == [*line.split()[:-1], completed]


def test_fish_offers_what_completes(tmp_path):
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    script = "pres-eval completion fish | source; complete -C 'pres-eval compare --correction b'"
    result = subprocess.run(
        ["fish", "--no-config", "-c", script],
        env={**ENVIRONMENT, "HOME": str(tmp_path)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    # Behind a tab, fish shows what each is.
    offered = [line.split("\t")[0] for line in result.stdout.splitlines()]
    assert offered == ["bonferroni", "bh"]
