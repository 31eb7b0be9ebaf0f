"""Our measures as metrics of ranx."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pres_plugin.adapters.ranx.native.hits import rank
from pres_plugin.measures import Measure, MeasureError
from pres_plugin.measures.parameters import CUTOFF, LARGEST
from pres_plugin.measures.parsing import with_number
from pres_plugin.measures.ranx_names import number_example
from pres_plugin.ranking.scores import RankedTopics


@dataclass(frozen=True)
class Metric:
    """A function that scores topics. ranx calls it like its own metrics."""

    #: The metric as users write it, without cutoff and relevance level.
    name: str
    #: The measure to compute. Each call passes the cutoff and the relevance level.
    measure: Measure

    def __call__(self, qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> NDArray[np.float64]:
        """Return the score of each topic. The arguments are those of :func:`.hits.rank`."""
        label = f"{self.name}@{k}" if k else self.name
        measure = self._measure(k or None, label)
        if rel_lvl != 1:
            label += f"-l{rel_lvl}"
        # With N, examine all documents, to detect topics with more documents than N. Among judged
        # documents, the cutoff may lie beyond it.
        k = 0 if measure.N or measure.judged_only else measure.cutoff or 0
        ranks, examined, judged = rank(qrels, run, k, rel_lvl, judged_only=measure.judged_only)
        # ranx passes lists without ids to metrics.
        ranked = RankedTopics(ranks, examined, lambda i: f"topic number {i + 1}", judged)
        return ranked.score(measure, label=label)

    def check_zero(self) -> None:
        """Raise a MeasureError if the number after ``@`` is a recall; as a cutoff, 0 means none."""
        if self.measure.declaration.at != CUTOFF:
            self._measure(0, f"{self.name}@0")

    def _measure(self, number: int | None, label: str) -> Measure:
        """Return the measure with the number after ``@``, if there is one."""
        at = self.measure.declaration.at
        try:
            measure = self.measure if number is None else with_number(self.measure, number)
            measure.check_complete()
        except MeasureError as error:
            unit, most = ("", LARGEST) if at == CUTOFF else (" in per cent", 100)
            raise MeasureError(
                f"{label}: the {at.name} ({at.desc}){unit} must be from 1 to {most}; "
                f"for instance {self.name}@{number_example(self.measure)}"
            ) from error
        return measure
