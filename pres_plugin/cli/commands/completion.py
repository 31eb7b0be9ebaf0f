"""``pres-eval completion``: print the script with which a shell completes arguments."""

from __future__ import annotations

import click
from click.shell_completion import shell_complete


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script that completes subcommands, options, their values and files.

    For bash, add to ~/.bashrc: eval "$(pres-eval completion bash)"

    For zsh, add to ~/.zshrc, after compinit: eval "$(pres-eval completion zsh)"

    For fish, save the output once as ~/.config/fish/completions/pres-eval.fish.
    """
    group = context.find_root().command
    shell_complete(group, {}, "pres-eval", "_PRES_EVAL_COMPLETE", f"{shell}_source")
