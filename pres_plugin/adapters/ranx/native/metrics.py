"""Our measures as metrics of ranx."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pres_plugin.adapters.ranx.native.hits import rank
from pres_plugin.measures import Measure, MeasureError
from pres_plugin.measures.parameters import CUTOFF, LARGEST
from pres_plugin.ranking.scores import Ranked


@dataclass(frozen=True)
class Metric:
    """A function that scores topics. ranx calls it like its own metrics."""

    #: The metric as users write it, without cutoff and relevance level.
    name: str
    #: The measure to compute. Each call passes the cutoff and the relevance level.
    measure: Measure

    def __call__(self, qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> NDArray[np.float64]:
        """Return the score of each topic. The arguments are those of :func:`.hits.rank`."""
        written = f"{self.name}@{k}" if k else self.name
        is_optional = self.measure.declaration.requires(self.measure.params) is None
        if not (is_optional and k == 0) and not 1 <= k <= LARGEST:
            raise MeasureError(
                f"{written}: the cutoff ({CUTOFF.desc}) must be from 1 to {LARGEST}; "
                f"for instance {self.name}@100"
            )
        if rel_lvl != 1:
            written += f"-l{rel_lvl}"
        # With N, examine all documents, to detect topics with more documents than N.
        ranks, retrieved = rank(qrels, run, k if self.measure.N is None else 0, rel_lvl)
        ranked = Ranked(ranks, retrieved, lambda i: _topic(qrels, i))
        return ranked.score(self.measure, k or None, written=written)


# ranx passes lists without topic ids to metrics. This attribute stores a list's source.
_SOURCE = "_pres_plugin_source"


def remember_topics(converted: Any, source: Any) -> None:
    """Store the qrels that ranx converted to a list, so that messages can name a topic."""
    # If numba's compiler is disabled, this is a plain list, which cannot have attributes.
    with suppress(AttributeError):
        setattr(converted, _SOURCE, source)


def _topic(qrels: Any, i: int) -> str:
    """Return a name for topic `i`: its id if that is known, otherwise its number."""
    source = getattr(qrels, _SOURCE, None)
    return f"topic number {i + 1}" if source is None else f"topic {list(source.keys())[i]!r}"
