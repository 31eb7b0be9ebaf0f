"""The subcommands of ``pres-eval``: one module each, and one line each in the table below."""

from __future__ import annotations

#: The summary of each subcommand in ``pres-eval --help``, which fits on a line of 80 columns.
#: The subcommand, its module and the function in it have the same name.
COMMANDS = {
    "check": "Check whether values from another program are PRES.",
    "compare": "Compare runs by several measures, and measures with each other.",
    "completion": "Print a script that completes arguments in bash, zsh or fish.",
    "doctor": "Check which extras are installed, and whether they work.",
    "explain": "Show how each relevant document affects the PRES of a topic.",
    "gate": "Check that a run is not worse than a baseline.",
    "robustness": "Test whether runs keep their order with fewer judgements.",
    "score": "Score runs against judgements.",
    "sweep": "Score runs at many values of Nmax.",
}
