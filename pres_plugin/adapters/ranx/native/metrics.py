"""PRES, PRES_est and Rnorm as metrics of ranx: their names, their labels and what they compute."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pres_plugin.adapters.ranx.native.hits import rank
from pres_plugin.measures import COLLECTION_SIZE, CUTOFF, LARGEST, MEASURES, Declaration

__all__ = ["NAMES", "Metric", "label", "metric", "remember_topics"]

_BY_NAME = {declaration.name.lower(): declaration for declaration in MEASURES}

#: What ranx users write, without cutoff, collection size and relevance level.
NAMES = tuple(_BY_NAME)


@dataclass(frozen=True)
class Metric:
    """A function that scores topics, called as ranx calls its own.

    Parameters
    ----------
    name : str
        As users write it, up to the cutoff.
    declaration : Declaration
        What it computes.
    n_docs : int, optional
        Number of documents in the collection, for the measure that needs it.

    Examples
    --------
    One topic, with documents 7 and 8 relevant, and a ranking of 5, 8 and 7:

    >>> import numpy as np
    >>> from pres_plugin.adapters.ranx.native.metrics import metric
    >>> qrels = np.array([[[7.0, 1.0], [8.0, 2.0]]])
    >>> run = np.array([[[5.0, 0.9], [8.0, 0.8], [7.0, 0.7]]])
    >>> metric("pres")(qrels, run, k=4).tolist()
    [0.75]
    """

    name: str
    declaration: Declaration
    n_docs: int | None = None

    @property
    def label(self) -> str:
        """The column's title in a report, up to the cutoff."""
        size = "" if self.n_docs is None else f"(N={self.n_docs})"
        return f"{self.declaration.name}{size}"

    def __call__(self, qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> NDArray[np.float64]:
        """The score of each topic.

        Parameters
        ----------
        qrels, run : typed list or ndarray
            Of each topic, an array of document ids and relevance or score.
        k : int, default 0
            Cutoff; 0 where the metric's string has none.
        rel_lvl : int, default 1
            Minimum relevance of a relevant document.

        Returns
        -------
        ndarray of float64, shape (T,)
            0 for topics without relevant documents.

        Raises
        ------
        ValueError
            If the cutoff is missing or wrong, or a topic has more documents
            than the collection.
        """
        if self.n_docs is None:
            if not 1 <= k <= LARGEST:
                raise ValueError(
                    f"{self.name} takes a cutoff from 1 to {LARGEST} ({CUTOFF.desc}); "
                    f"for instance {self.name}@100"
                )
            return self.declaration.score(rank(qrels, run, k, rel_lvl).ranks, None, k)
        if not 0 <= k <= LARGEST:
            raise ValueError(
                f"{self.name}@{k}: the cutoff ({CUTOFF.desc}) must be from 1 to {LARGEST}; "
                f"for instance {self.name}@100"
            )
        # Whether the collection is large enough shows only at full depth.
        ranked = rank(qrels, run, 0, rel_lvl)
        known = ranked.retrieved + ranked.ranks.n - np.diff(ranked.ranks.starts)
        if (too_large := np.flatnonzero(known > self.n_docs)).size:
            i = int(too_large[0])
            raise ValueError(
                f"{self._in_full(k, rel_lvl)}: {_topic(qrels, i)} has {known[i]} documents that "
                f"were retrieved or are relevant, more than {self.n_docs}, which must be the "
                f"{COLLECTION_SIZE.desc}"
            )
        return self.declaration.score(ranked.ranks, self.n_docs, k or None)

    def _in_full(self, k: int, rel_lvl: int) -> str:
        cutoff = f"@{k}" if k else ""
        level = f"-l{rel_lvl}" if rel_lvl != 1 else ""
        return f"{self.name}{cutoff}{level}"


def metric(name: str) -> Metric | None:
    """The metric of a name that ranx has taken cutoff and relevance level from.

    Parameters
    ----------
    name : str
        For instance ``pres`` or ``rnorm.11429``.

    Returns
    -------
    Metric or None
        None if the name is not one of ours.

    Raises
    ------
    ValueError
        If a collection size is missing or not a positive whole number.

    Examples
    --------
    >>> from pres_plugin.adapters.ranx.native.metrics import metric
    >>> metric("rnorm.11429").n_docs
    11429
    >>> metric("map") is None
    True
    """
    base, dot, size = name.partition(".")
    declaration = _BY_NAME.get(base)
    if declaration is None:
        return None
    if COLLECTION_SIZE not in declaration.parameters:
        return None if dot else Metric(name, declaration)
    if not (size.isascii() and size.isdigit() and 0 < int(size) <= LARGEST):
        raise ValueError(
            f"{name}: {base} takes the {COLLECTION_SIZE.desc} after a dot, "
            f"a whole number from 1 to {LARGEST}; for instance {base}.11429 or {base}.11429@1000"
        )
    return Metric(name, declaration, int(size))


def label(metric_string: str) -> str | None:
    """The title that reports give a metric, None if it is not one of ours.

    Examples
    --------
    >>> from pres_plugin.adapters.ranx.native.metrics import label
    >>> label("rnorm.11429@1000-l2")
    'Rnorm(N=11429)@1000-l2'
    """
    name_and_cutoff, dash, level = metric_string.partition("-l")
    name, at, cutoff = name_and_cutoff.partition("@")
    ours = metric(name)
    return None if ours is None else f"{ours.label}{at}{cutoff}{dash}{level}"


# Metrics get lists without ids: this is where their error messages find them.
_SOURCE = "_pres_plugin_source"


def remember_topics(converted: Any, source: Any) -> None:
    """Note on the list that ranx has made of qrels what it was made of."""
    # A plain list, as it is with numba's compiler switched off, takes no note.
    with suppress(AttributeError):
        setattr(converted, _SOURCE, source)


def _topic(qrels: Any, i: int) -> str:
    """Topic `i` of the qrels that a metric got, by its id where they came with ids."""
    source = getattr(qrels, _SOURCE, None)
    return f"topic number {i + 1}" if source is None else f"topic {list(source.keys())[i]!r}"
