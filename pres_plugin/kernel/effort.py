"""Score one topic by the effort to find its relevant documents. Every input is checked."""

from __future__ import annotations

from collections.abc import Iterable

from pres_plugin.kernel.arguments import ranked_topic

__all__ = ["last_rel"]


def last_rel(ranks: Iterable[int], n_relevant: int, n_max: int | None = None) -> float:
    """Rank of the last relevant document that was found, as reported at CLEF TAR.

    Neither a high nor a low rank is better in itself: if it is low, the user had little
    effort, or the ranking missed relevant documents.

    Parameters
    ----------
    ranks : iterable of int
        1-based ranks of the relevant documents that were retrieved, at most
        `n_relevant` of them, in any order.
    n_relevant : int
        Number n of relevant documents of the topic, retrieved or not.
    n_max : int, optional
        Cutoff: the number of documents to consider; all by default.

    Returns
    -------
    float
        The highest of the ranks, or 0 if no relevant document was found.

    Raises
    ------
    ValueError
        For the same reasons as in :func:`.topic.pres`.

    Examples
    --------
    >>> from pres_plugin import last_rel
    >>> last_rel([1, 98, 99, 100], n_relevant=4)
    100.0
    >>> last_rel([1, 98, 99, 100], n_relevant=4, n_max=50)
    1.0
    """
    return float(max(ranked_topic(ranks, n_relevant).found(n_max), default=0))
