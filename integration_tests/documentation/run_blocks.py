"""Runs the blocks of a page in this process, one after the other.

What each prints goes to standard output, with a record separator behind it.
"""

import shlex
import subprocess
import sys
import traceback
from contextlib import redirect_stderr
from types import ModuleType

SEPARATOR = "\x1e"


def run_python(code, namespace):
    """Run code; of an error, print what ends its traceback."""
    try:
        exec(compile(code, "<page>", "exec"), namespace)
    except Exception as error:
        print("".join(traceback.format_exception_only(error)), end="")


def run_console(transcript):
    """Run the commands of a transcript, the lines that begin with a dollar sign."""
    for command in commands(transcript):
        print(f"$ {command}", flush=True)
        if is_only_pres_eval(command):
            run_here(command)
        else:
            subprocess.run(command, shell=True, stderr=subprocess.STDOUT, check=False)


def is_only_pres_eval(command):
    """Whether a command is ``pres-eval`` with arguments, without pipes, redirections and lists."""
    words = shlex.shlex(command, punctuation_chars=True, posix=False)
    return command.startswith("pres-eval ") and not any(set(word) <= set("|&;<>") for word in words)


def run_here(command):
    """Run ``pres-eval`` in this process, which saves imports, with the arguments of a shell."""
    split = ["sh", "-c", f"printf '%s\\0' {command}"]
    arguments = subprocess.run(split, stdout=subprocess.PIPE, text=True, check=True).stdout
    # Not before, so that a page's code imports the package itself.
    from pres_plugin.cli import run as pres_eval

    sys.argv = arguments.split("\0")[:-1]
    with redirect_stderr(sys.stdout):
        pres_eval()


def commands(transcript):
    """What stands behind each dollar sign, to the first line without a backslash at its end."""
    lines = iter(transcript.splitlines())
    for line in lines:
        if line.startswith("$ "):
            command = line[2:]
            while command.endswith("\\"):
                command += "\n" + next(lines)
            yield command


def run(blocks):
    """Run blocks, which are pairs of language and text."""
    page = sys.modules["__main__"] = ModuleType("__main__")
    for language, text in blocks:
        if language == "python":
            run_python(text, vars(page))
        else:
            run_console(text)
        print(SEPARATOR, end="", flush=True)
