"""The scripts of ``pres-eval completion``, in the shells themselves."""

import os
import pty
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest
from command import pres_eval, pres_eval_process
from repetitions import every

SCRIPTS = sysconfig.get_path("scripts")
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"

SETUP = {"bash": "", "zsh": "autoload -U compinit; compinit -u -D; "}
START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
}


ENVIRONMENT = {**os.environ, "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}", "TERM": "dumb"}


def needs(shell):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")


def typed(shell, line, folder):
    """What a line has become, after a tab and with `printf` put before it, once it runs."""
    needs(shell)
    script, result = folder / "script", folder / "result"
    script.write_text(pres_eval("completion", shell).stdout)
    # Ctrl-A and Ctrl-E: to the beginning and the end of the line.
    keys = f"{SETUP[shell]}. {script}\n{line}\t\x01printf '%s\\n' \x05 > {result}\nexit\n"
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        START[shell],
        cwd=EXAMPLES,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**ENVIRONMENT, "HOME": str(folder)},
        start_new_session=True,
    ) as process:
        os.close(theirs)
        os.write(ours, keys.encode())
        while True:
            try:
                if not os.read(ours, 4096):
                    break
            except OSError:  # how Linux ends a terminal
                break
    os.close(ours)
    assert process.returncode == 0
    return result.read_text().splitlines()


@pytest.mark.parametrize("shell", SETUP)
@pytest.mark.parametrize(
    "tab",
    every(
        2,
        [
            ("pres-eval expl", ["pres-eval", "explain"]),
            ("pres-eval score --by", ["pres-eval", "score", "--by-query"]),
            ("pres-eval score -m PRES_est@1000", ["pres-eval", "score", "-m", "PRES_est@1000"]),
            ("pres-eval score -m nDC", ["pres-eval", "score", "-m", "nDCG"]),
            ("pres-eval sweep -m Rn", ["pres-eval", "sweep", "-m", "Rnorm"]),
            ("pres-eval score -m Rn", ["pres-eval", "score", "-m", "Rnorm"]),
            ("pres-eval score qr", ["pres-eval", "score", "qrels.txt"]),
        ],
    ),
    ids=str,
)
def test_a_tab_completes(shell, tab, tmp_path):
    line, completed = tab
    assert typed(shell, line, tmp_path) == completed


@pytest.mark.parametrize("shell", SETUP)
def test_the_process_prints_the_same_script(shell):
    needs(shell)
    result = pres_eval_process("completion", shell)
    assert result.stdout == pres_eval("completion", shell).stdout
    assert "_PRES_EVAL_COMPLETE" in result.stdout


@pytest.mark.parametrize(
    "tab",
    every(
        2,
        [
            ("pres-eval score -m PRES@", "PRES@10"),
            ("pres-eval score -m PRES_est@1", "PRES_est@10"),
            ("pres-eval score --measure=AP@1", "--measure=AP@10"),
            ("pres-eval score --measure=PRES_est@1000", "--measure=PRES_est@1000"),
            ("pres-eval score -m 'AP PRES_est@1000", "AP PRES_est@1000"),
            ("pres-eval score -m 'AP Rn", "AP Rnorm"),
            ("pres-eval score --measure=Rn", "--measure=Rnorm"),
        ],
    ),
    ids=str,
)
def test_in_bash_a_measure_is_one_word(tab, tmp_path):
    line, completed = tab
    assert typed("bash", line, tmp_path)[-1] == completed


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("pres-eval expl", ["explain"]),
        ("pres-eval score -m PRES_", ["PRES_est@10", "PRES_est@100", "PRES_est@1000"]),
        ("pres-eval sweep -m Rn", ["Rnorm"]),
        ("pres-eval score qr", ["qrels.txt"]),
    ],
)
def test_fish_offers_what_completes(line, offered, tmp_path):
    needs("fish")
    result = subprocess.run(
        ["fish", "--no-config", "-c", f"pres-eval completion fish | source; complete -C '{line}'"],
        cwd=EXAMPLES,
        env={**ENVIRONMENT, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    # Behind a tab, fish shows what each is.
    assert [line.split("\t")[0] for line in result.stdout.splitlines()] == offered
