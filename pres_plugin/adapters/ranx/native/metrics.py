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
from pres_plugin.measures.ranx_names import parse_ranx_name
from pres_plugin.ranking.scores import Ranked

__all__ = ["Metric", "metric", "remember_topics"]


@dataclass(frozen=True)
class Metric:
    """A function that scores topics and is called like ranx's own.

    Attributes
    ----------
    name : str
        The metric as users write it, up to the cutoff.
    measure : Measure
        The measure to compute; its cutoff and relevance level come with each call.
    """

    name: str
    measure: Measure

    def __call__(self, qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> NDArray[np.float64]:
        """Return the score of each topic.

        Parameters
        ----------
        qrels, run : typed list or ndarray
            One array per topic, with document ids and relevance or score.
        k : int, default 0
            Cutoff; 0 if the metric's string has none.
        rel_lvl : int, default 1
            Minimum relevance of a relevant document.

        Returns
        -------
        ndarray of float64, shape (T,)
            The scores; 0 for topics without relevant documents.

        Raises
        ------
        MeasureError
            If the cutoff is missing or wrong, or a topic has more documents
            than the collection.
        """
        self._check_cutoff(k)
        # With N, all documents are examined, since the collection may be too small for them.
        found = rank(qrels, run, k if self.measure.N is None else 0, rel_lvl)
        ranked = Ranked(found.ranks, found.retrieved, lambda i: _topic(qrels, i))
        return ranked.score(self.measure, k or None, written=self._written(k, rel_lvl))

    def _check_cutoff(self, k: int) -> None:
        is_optional = self.measure.declaration.requires(self.measure.params) is None
        if not (is_optional and k == 0) and not 1 <= k <= LARGEST:
            cutoff = f"@{k}" if k else ""
            raise MeasureError(
                f"{self.name}{cutoff}: the cutoff ({CUTOFF.desc}) must be from 1 to {LARGEST}; "
                f"for instance {self.name}@100"
            )

    def _written(self, k: int, rel_lvl: int) -> str:
        cutoff = f"@{k}" if k else ""
        level = f"-l{rel_lvl}" if rel_lvl != 1 else ""
        return f"{self.name}{cutoff}{level}"


def metric(name: str) -> Metric | None:
    """Return the metric for a name without cutoff and relevance level; None if it is not ours."""
    ours = parse_ranx_name(name)
    return None if ours is None else Metric(name, ours.measure)


# ranx passes lists without ids to metrics. This attribute keeps the source of such a list.
_SOURCE = "_pres_plugin_source"


def remember_topics(converted: Any, source: Any) -> None:
    """Keep the qrels that ranx has converted to a list, so that errors can name a topic."""
    # With numba's compiler switched off, it is a plain list, which takes no attributes.
    with suppress(AttributeError):
        setattr(converted, _SOURCE, source)


def _topic(qrels: Any, i: int) -> str:
    """Name topic `i` of the qrels that a metric got, by its id if that is known."""
    source = getattr(qrels, _SOURCE, None)
    return f"topic number {i + 1}" if source is None else f"topic {list(source.keys())[i]!r}"
