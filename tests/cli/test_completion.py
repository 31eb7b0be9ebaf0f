"""What completion in shells offers."""

import pytest
from click.shell_completion import ShellComplete

from pres_plugin.cli.app import pres_eval


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("sw", ("sweep", "plain")),
        ("compare --te", ("--test", "plain")),
        ("compare --test wil", ("wilcoxon", "plain")),
        ("score qr", ("qr", "file")),
    ],
)
def test_subcommands_options_values_and_files_are_completed(typed, offered):
    *arguments, last = typed.split()
    items = ShellComplete(pres_eval, {}, "pres-eval", "").get_completions(arguments, last)
    assert [(item.value, item.type) for item in items] == [offered]
