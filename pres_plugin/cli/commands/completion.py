"""``pres-eval completion``: the script by which a shell completes its arguments."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator
from typing import Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    get_completion_class,
    split_arg_string,
)

__all__ = ["complete_measures", "complete_swept", "completion"]

_CUTOFFS = ("@10", "@100", "@1000")


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes commands, options, measures and files.

    For bash, add to ~/.bashrc: eval "$(pres-eval completion bash)"

    For zsh, add to ~/.zshrc, after compinit: eval "$(pres-eval completion zsh)"

    For fish, write it once to ~/.config/fish/completions/pres-eval.fish
    """
    command = context.find_root()
    name = command.info_name or "pres-eval"
    variable = f"_{name.replace('-', '_').upper()}_COMPLETE"
    found = get_completion_class(shell)
    if found is None:
        raise click.ClickException(f"Click knows no completion for {shell}")
    click.echo(found(command.command, {}, name, variable).source())


def complete_measures(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Measures that can be computed, for the last of the words typed."""
    return _items(incomplete, _measures)


def complete_swept(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Measures whose cutoff is still to come, for the last of the words typed."""
    return _items(incomplete, _without_cutoff)


def _items(incomplete: str, measures: Callable[[str], Iterator[str]]) -> list[CompletionItem]:
    before, blank, word = incomplete.rpartition(" ")
    return [CompletionItem(f"{before}{blank}{measure}") for measure in measures(word)]


def _registered() -> dict[str, Any]:
    import ir_measures

    import pres_plugin  # noqa: F401 (adds its measures)

    return dict(sorted(ir_measures.measures.registry.items()))


def _without_cutoff(word: str) -> Iterator[str]:
    for name, measure in _registered().items():
        if name.startswith(word) and "cutoff" in measure.SUPPORTED_PARAMS:
            yield name


def _measures(word: str) -> Iterator[str]:
    endings = ("", *_CUTOFFS, "(judged_only=True)")
    for name, measure in _registered().items():
        for ending in endings:
            if f"{name}{ending}".startswith(word) and _is_complete(measure, ending):
                yield f"{name}{ending}"


def _is_complete(measure: Any, ending: str) -> bool:
    if ending.startswith("("):
        # Where nothing shorter will do.
        return "judged_only" in measure.SUPPORTED_PARAMS and not _is_complete(measure(), "@1")
    try:
        (measure @ int(ending[1:]) if ending else measure()).validate_params()
    except (AssertionError, TypeError, ValueError):
        return False
    return True


class _Bash(BashComplete):
    """Click's completion for bash, but of measures: for bash, an ``@`` ends a word."""

    source_template = """\
%(complete_func)s() {
    local IFS=$'\\n'
    local type value completion response
    response=$(env COMP_LINE="${COMP_LINE:0:COMP_POINT}" \
%(complete_var)s=bash_complete "$1")
    COMPREPLY=()
    for completion in $response; do
        IFS=',' read -r type value <<< "$completion"
        if [[ $type == dir ]]; then
            compopt -o dirnames
        elif [[ $type == file ]]; then
            compopt -o default
        elif [[ $type == plain ]]; then
            COMPREPLY+=("$value")
        fi
    done
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""

    def get_completion_args(self) -> tuple[list[str], str]:
        # A mark at the end tells a new word from a finished one.
        _, *words, last = split_arg_string(os.environ["COMP_LINE"] + "\0")
        return words, last.removesuffix("\0")

    def format_completion(self, item: CompletionItem) -> str:
        """What is to replace the part of a word that bash takes for the word."""
        value = str(item.value)
        if not _in_quotes(os.environ["COMP_LINE"]):
            _, typed = self.get_completion_args()
            if typed.startswith("-"):
                typed = typed.partition("=")[2]
            value = value[typed.rfind("@") :] if "@" in typed else shlex.quote(value)
        return f"{item.type},{value}"


def _in_quotes(line: str) -> bool:
    return split_arg_string(f"{line} \0")[-1] != "\0"


add_completion_class(_Bash)
