"""The help texts of the commands, as a terminal of 80 columns shows them."""

import re

import click
import pytest
from click.testing import CliRunner
from interpreter import run_python

from pres_plugin.cli.app import pres_eval
from pres_plugin.cli.asreview import pres
from pres_plugin.cli.commands import COMMANDS

HELPED = {
    "pres-eval": pres_eval,
    **{name: pres_eval.get_command(click.Context(pres_eval), name) for name in COMMANDS},
    "asreview pres": pres,
}
each_command = pytest.mark.parametrize("name", HELPED)


def help_of(name):
    """The help of a command at 80 columns."""
    options = {"prog_name": name, "env": {"COLUMNS": "80"}, "max_content_width": 80}
    return CliRunner().invoke(HELPED[name], ["--help"], **options).output


@each_command
def test_help_is_made_of_whole_sentences_in_lines_that_fit(name):
    text = help_of(name)
    assert max(map(len, text.splitlines())) <= 80
    description, _, _ = text.partition("\n\nOptions:\n")
    _, first, *others = description.split("\n\n")
    assert re.fullmatch(r"  [A-Z].*\.", first), "the first sentence takes more than one line"
    for paragraph in others:
        assert paragraph.endswith((".", '"'))  # a quote ends a line of code


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
