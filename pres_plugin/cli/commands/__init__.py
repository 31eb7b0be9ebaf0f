"""The subcommands of ``pres-eval``: each is one module here and one line in the table below."""

from __future__ import annotations

#: The text in ``pres-eval --help`` for each subcommand. Its module and the function in it
#: have the same name.
COMMANDS = {
    "check": "Check whether values are PRES, and if not, which variant they match.",
    "compare": "Compare runs by several measures, and measures with each other.",
    "completion": "Print the script that completes arguments in a shell.",
    "doctor": "Check what is installed, by scoring the paper's example.",
    "explain": "Explain the PRES of runs on one topic.",
    "robustness": "Test whether runs keep their order with fewer judgements.",
    "score": "Score runs against judgements.",
    "sweep": "Score runs at many cutoffs.",
}
