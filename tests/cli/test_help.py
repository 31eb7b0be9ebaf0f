"""The help texts of the commands, as a terminal of 80 columns shows them."""

import re

import click
import pytest
from click.testing import CliRunner
from command import EXAMPLES

from pres_plugin.cli.app import pres_eval
from pres_plugin.cli.commands import COMMANDS
from pres_plugin.cli.simulations import pres

# The command of each subcommand of pres-eval, and of ASReview's.
SUBCOMMANDS = {
    name: pres_eval.get_command(click.Context(pres_eval, info_name="pres-eval"), name)
    for name in COMMANDS
}
HELPED = {"pres-eval": pres_eval, **SUBCOMMANDS, "asreview pres": pres}

WIDTH = 80
SUMMARY = re.compile(rf"  ({'|'.join(COMMANDS)}) +(.*)")


def help_of(name):
    """The help of a command at 80 columns."""
    result = CliRunner().invoke(
        HELPED[name], ["--help"], prog_name=name, env={"COLUMNS": "80"}, max_content_width=WIDTH
    )
    assert result.exit_code == 0, result.output
    return result.output


def paragraphs(text):
    return [" ".join(each.split()) for each in text.split("\n\n")]


@pytest.mark.parametrize("name", HELPED)
def test_nothing_is_cut_and_each_line_fits(name):
    text = help_of(name)
    assert max(map(len, text.splitlines())) <= WIDTH
    # Only the usage repeats an argument with dots.
    _, *others = paragraphs(text)
    assert "..." not in re.sub(r"\[\w+ \.\.\.\]", "", " ".join(others))
    assert "…" not in text


def test_each_subcommand_has_a_summary_of_one_line():
    _, _, summaries = help_of("pres-eval").partition("Commands:\n")
    lines = summaries.splitlines()
    found = [SUMMARY.fullmatch(line) for line in lines]
    assert all(found), lines
    assert {each[1]: each[2] for each in found} == COMMANDS
    assert all(re.fullmatch(r"[A-Z].*[^.]\.", each[2]) for each in found)


def test_the_page_says_which_question_each_subcommand_answers():
    text = (EXAMPLES.parent / "reference" / "command-line.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[`([\w ]+)`\]\(#([\w-]+)\) \| .*\? \|", text, flags=re.MULTILINE)
    assert {name for name, _ in rows} == {*COMMANDS, "asreview pres"}
    assert all(anchor.endswith(name.replace(" ", "-")) for name, anchor in rows)


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_shells_show_the_whole_summary(name):
    assert SUBCOMMANDS[name].get_short_help_str(limit=10) == COMMANDS[name]


@pytest.mark.parametrize("name", HELPED)
def test_a_description_is_made_of_whole_sentences(name):
    description, _, _ = help_of(name).partition("\n\nOptions:\n")
    _, first, *others = paragraphs(description)
    assert len(first) <= WIDTH - 2, "the first sentence takes more than one line"
    assert first.endswith(".")
    for paragraph in others:
        assert paragraph.endswith((".", '"')), paragraph  # a quote ends a line of code


@pytest.mark.parametrize(
    ("name", "option"),
    [
        pytest.param(name, option, id=f"{name} {option.opts[-1]}")
        for name, command in HELPED.items()
        for option in command.params
        if isinstance(option, click.Option)
    ],
)
def test_an_option_says_what_it_does_and_then_its_default(name, option):
    _, text = option.get_help_record(click.Context(HELPED[name]))
    assert re.fullmatch(r"[A-Z].*\.(  \[(default: [^][]+|required)\])?", text), text
    assert "places" not in text
    if option.default not in (None, False) and not option.is_flag and not option.required:
        assert "[default: " in text, text
