"""The subcommands of ``pres-eval``: one module for each, and one line in this table."""

from __future__ import annotations

#: Each subcommand, which its module defines under the same name, and its line in
#: ``pres-eval --help``.
COMMANDS = {
    "compare": "Compare runs by several measures, and measures with each other.",
    "completion": "Print the script that completes arguments in a shell.",
    "doctor": "Check what is installed, by scoring the paper's example.",
    "explain": "Explain the PRES of runs on one topic.",
    "robustness": "Test whether runs keep their order with fewer judgements.",
    "score": "Score runs against judgements.",
    "sweep": "Score runs at many cutoffs.",
}
