"""A measure as data: its name, its parameters and its formula."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from inspect import getdoc
from typing import Any

from pres_plugin.kernel.arguments import whole
from pres_plugin.kernel.goal import Goal
from pres_plugin.kernel.statistics import Formula, score
from pres_plugin.kernel.topic import RankedTopic
from pres_plugin.measures.parameters import (
    COLLECTION_SIZE,
    CUTOFF,
    RECALL,
    ROUNDING,
    MeasureError,
    Parameter,
    Value,
)


@dataclass(frozen=True)
class Declaration:
    """A measure, independent of any framework."""

    #: The name in measure strings.
    name: str
    pretty_name: str
    #: One sentence about the measure.
    short_desc: str
    #: Scores one topic from ranks. Its docstring describes the measure.
    function: Callable[..., float]
    #: A value after ``@`` sets the first parameter.
    parameters: tuple[Parameter, ...]
    formula: Formula
    #: Whether a measure string must contain a cutoff.
    needs_cutoff: bool = False
    #: Whether Nmax affects the score even if a topic has fewer retrieved documents.
    counts_to_n_max: bool = False
    #: 1 if a higher score means a better run, -1 if a lower one does, and 0 if neither does.
    direction: int = 1
    #: Other names that ir-measures gives the measure.
    aliases: tuple[str, ...] = ()

    @property
    def at(self) -> Parameter:
        """The parameter that a value after ``@`` sets."""
        return self.parameters[0]

    @property
    def lower_name(self) -> str:
        """The name in Python, trec_eval's style and ranx, such as ``pres_est`` and ``last_rel``."""
        return self.function.__name__

    @property
    def doc(self) -> str:
        """A description of several paragraphs."""
        paragraphs = (getdoc(self.function) or "").partition("\n\nParameters\n")[0]
        without_footnotes = re.sub(r",? \[\d\]_", "", paragraphs)
        return f"{self.short_desc}\n\n{without_footnotes}\n\nFor instance {self.example}."

    @property
    def example(self) -> str:
        """A complete measure string, or two, for error messages."""
        if self.takes(COLLECTION_SIZE):
            return f"{self._with_size('N=11429')} or {self._with_size('judged_only=True')}"
        return f"{self.name}@100" if self.needs_cutoff else f"{self.name} or {self.name}@100"

    def _with_size(self, size: str) -> str:
        return f"{self.name}({size})" + (f"@{RECALL.default}" if self.takes(RECALL) else "")

    def score(
        self,
        ranks: Iterable[int],
        n_relevant: int,
        *,
        n_max: int | None = None,
        n_docs: int | None = None,
        recall: Any = RECALL.default,
        rounding: Any = ROUNDING.default,
    ) -> float:
        """Return the score of one topic, given the ranks of its relevant documents.

        Raise a ValueError if an argument that the measure uses is missing or invalid.
        """
        if n_max is not None or self.counts_to_n_max:
            n_max = whole("n_max", n_max)
        if self.takes(COLLECTION_SIZE):
            n_docs = whole("n_docs", n_docs)
        goal = Goal(RECALL.read(recall), ROUNDING.read(rounding))
        topic = RankedTopic.checked(ranks, n_relevant)
        if n_docs is not None:
            topic.check_collection_size(n_docs)
        return float(score(self.formula, topic, n_max, n_docs, goal))

    @cached_property
    def by_name(self) -> dict[str, Parameter]:
        """The parameters by their names."""
        return {parameter.name: parameter for parameter in self.parameters}

    def takes(self, parameter: Parameter) -> bool:
        """Return whether the measure has a parameter of this name."""
        return parameter.name in self.by_name

    def checked(self, params: Mapping[str, Any]) -> dict[str, Value]:
        """Check each parameter by itself, and return all as Python numbers.

        An unknown name and an invalid value raise a MeasureError.
        """
        known = self.by_name
        for name in params:
            if name not in known:
                raise MeasureError(
                    f"{self.name} has no parameter {name!r}; it accepts {', '.join(known)}"
                )
        try:
            return {
                name: known[name].read(value, f"{self.name}: {name} ({known[name].desc})")
                for name, value in params.items()
            }
        except ValueError as error:
            raise MeasureError(f"{error}; for instance {self.example}") from None

    def requires(self, params: Mapping[str, Value], has_size: bool) -> str | None:
        """Return which parameter is missing or contradicts another one, or None.

        `has_size` states whether the size of the collection is given, if N is not.
        """
        if self.needs_cutoff and "cutoff" not in params:
            return f"a cutoff is missing ({CUTOFF.desc}); write {self.example}"
        judged_only = params.get("judged_only")
        if "N" in params and judged_only:
            return (
                "N and judged_only=True cannot be combined: with judged_only=True, "
                "each topic's collection consists of its judged documents"
            )
        if "N" in params or judged_only or has_size or not self.takes(COLLECTION_SIZE):
            return None
        return (
            f"the collection's size is missing; write {self._with_size('N=...')} with the number "
            f"of documents in the collection, or {self._with_size('judged_only=True')} if each "
            "topic's collection is judged completely"
        )
