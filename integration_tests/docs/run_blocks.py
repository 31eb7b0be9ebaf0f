"""Runs the blocks of a page in the process that this starts, one after the other.

Standard input has them as JSON, pairs of kind and text. What each prints goes to
standard output, with a record separator behind it.
"""

import json
import subprocess
import sys
import traceback
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
        subprocess.run(command, shell=True, stderr=subprocess.STDOUT, check=False)


def commands(transcript):
    """What stands behind each dollar sign, to the first line without a backslash at its end."""
    lines = iter(transcript.splitlines())
    for line in lines:
        if line.startswith("$ "):
            command = line[2:]
            while command.endswith("\\"):
                command += "\n" + next(lines)
            yield command


def main():
    blocks = json.load(sys.stdin)
    page = sys.modules["__main__"] = ModuleType("__main__")
    for kind, text in blocks:
        if kind == "python":
            run_python(text, vars(page))
        else:
            run_console(text)
        print(SEPARATOR, end="", flush=True)


if __name__ == "__main__":
    main()
