"""The help texts of the commands, as a terminal of 80 columns shows them."""

import re

from interpreter import run_python

from pres_plugin.cli.commands import COMMANDS


def test_each_subcommand_is_listed_in_one_line_without_importing_it():
    code = (
        "import sys; from pres_plugin.cli import run; sys.argv = ['pres-eval', '--help']; run();"
        "print(sorted({'numpy', 'polars'} & sys.modules.keys()))"
    )
    _, _, listed = run_python(code).partition("Commands:\n")
    *summaries, imported = listed.splitlines()
    found = [re.fullmatch(r"  (\w+) +([A-Z].*[^.]\.)", line) for line in summaries]
    assert {each[1]: each[2] for each in found} == COMMANDS
    assert imported == "[]"
