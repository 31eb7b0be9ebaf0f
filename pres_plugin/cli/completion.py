"""Complete measures in a shell; Click completes everything else."""

from __future__ import annotations

import re
from typing import Any

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class


def complete_measures(_: click.Context, __: click.Parameter, text: str) -> list[CompletionItem]:
    """Complete the last measure in a text, with a cutoff if the measure needs one."""
    return _complete(text, [form for name, m in _registered() for form in _forms(name, m)])


def complete_swept(_: click.Context, __: click.Parameter, text: str) -> list[CompletionItem]:
    """Complete the last measure in a text, without a cutoff, because the command sets it."""
    return _complete(text, [name for name, m in _registered() if "cutoff" in m.SUPPORTED_PARAMS])


def _complete(text: str, measures: list[str]) -> list[CompletionItem]:
    before, blank, word = text.rpartition(" ")
    return [CompletionItem(before + blank + m) for m in measures if m.startswith(word)]


def _registered() -> list[tuple[str, Any]]:
    import ir_measures

    return sorted(ir_measures.measures.registry.items())


def _forms(name: str, measure: Any) -> list[str]:
    """Return the valid ones of a measure's forms with and without a cutoff, or else its name."""
    forms = {name: {}, **{f"{name}@{k}": {"cutoff": k} for k in (10, 100, 1000)}}
    return [form for form, params in forms.items() if _is_valid(measure, params)] or [name]


def _is_valid(measure: Any, params: dict[str, int]) -> bool:
    try:
        measure(**params).validate_params()
    except (AssertionError, TypeError, ValueError):
        return False
    return True


@add_completion_class
class _Bash(BashComplete):
    """Click's completion for bash, which treats each ``@`` and ``=`` as a word."""

    def get_completion_args(self) -> tuple[list[str], str]:
        args, last = super().get_completion_args()
        *args, word = re.sub(r"\n?([@=])\n?", r"\1", "\n".join([*args, last])).split("\n")
        # In quotes, an @ does not separate words.
        self._split_at = "@" in word and (last == "@" or "@" not in last)
        return args, word

    def format_completion(self, item: CompletionItem) -> str:
        if self._split_at:  # bash replaces only the text from the @ on
            item.value = item.value[item.value.rfind("@") :]
        return super().format_completion(item)
