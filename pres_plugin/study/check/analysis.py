"""Check whether reported values are PRES, and if not, which known variants they match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress
from math import log10, nan
from typing import Any

import numpy as np

from pres_plugin.kernel.topics import Floats
from pres_plugin.remedy import no_common_topic
from pres_plugin.study.check.values import Number, Values
from pres_plugin.study.check.variants import Rows, ScoredRun, Variant
from pres_plugin.study.inputs import LARGEST_LEVEL, Qrels, Run, StudyError, whole
from pres_plugin.study.ranks import RelevantDocuments

#: Values with more decimals than this may be 32-bit floats, whose further decimals are noise.
_ENOUGH_DECIMALS = 6

#: The rounding error that is allowed in computed values.
_NOISE = 1e-13


@dataclass(frozen=True)
class Difference:
    """A topic whose value is not its PRES; the topic is None for the mean."""

    query_id: str | None
    value: float
    pres: float


@dataclass(frozen=True)
class Outside:
    """A value that cannot be PRES: it is below AP or above recall; the topic is None for the mean.

    AP and recall are those at the same cutoff, or NaN if they are not known.
    """

    query_id: str | None
    ap: float
    value: float
    recall: float


@dataclass(frozen=True)
class Match:
    """A variant that gives the values, and the number of decimals that agree."""

    variant: Variant
    decimals: int


@dataclass(frozen=True)
class Closest:
    """The variant whose values are closest to the given ones, or None if PRES is closest."""

    variant: Variant | None
    mean_difference: float


@dataclass(frozen=True)
class Verdict:
    """What a check found.

    Attributes
    ----------
    decimals : int or None
        The number of decimals to which the values equal PRES; None if they differ.
    compared : int
        The number of topics with a value and judgements.
    agreeing : int
        The number of these topics whose value is PRES.
    judged : int
        The number of judged topics.
    differences : tuple of Difference
        The topics, and the mean, whose value is not PRES.
    mean : Difference or None
        The given mean and the mean of PRES, if a mean was given.
    not_judged : tuple of str
        Topics with a value that have no judgements.
    missing : tuple of str
        Judged topics without a value, if any topic has one.
    outside : tuple of Outside
        Values below AP or above recall at the same cutoff, which cannot be PRES.
    matches : tuple of Match
        The known variants that give the values, if they are not PRES.
    closest : Closest or None
        The closest known variant, if nothing matches.
    """

    decimals: int | None
    compared: int
    agreeing: int
    judged: int
    differences: tuple[Difference, ...]
    mean: Difference | None
    not_judged: tuple[str, ...]
    missing: tuple[str, ...]
    outside: tuple[Outside, ...]
    matches: tuple[Match, ...] = ()
    closest: Closest | None = None

    @property
    def is_pres(self) -> bool:
        """Whether the values are PRES."""
        return self.decimals is not None


def check(
    qrels: Qrels,
    run: Run,
    values: Values,
    n_max: int,
    *,
    rel: int = 1,
    n_docs: int | None = None,
    rows: Rows | None = None,
) -> Verdict:
    """Check whether values are a run's PRES at Nmax; if not, look for variants that match.

    Values agree if they differ by at most half a unit of the last decimal that is written, so
    that every way of rounding is accepted. Values with more than six decimals need to agree
    to six, since they may be 32-bit floats. Each known variant is compared by itself.

    PRES lies between AP and recall: AP@Nmax ≤ PRES@Nmax ≤ R@Nmax for every topic. If `values`
    contain AP or recall, each value outside these bounds is reported, whatever the run. Half a
    unit of the last decimal of both values is allowed.

    Parameters
    ----------
    qrels, run : dict of dict
        The judgements, and the run in the order of its file.
    values : Values
        The values to check, from :func:`pres_plugin.study.check.values.read_values`.
    n_max : int
        Nmax.
    rel : int, default 1
        The lowest relevance that counts as relevant.
    n_docs : int, optional
        The number of documents in the collection, to look for Rnorm.
    rows : mapping of str to sequence of (str, float), optional
        The documents and scores of each topic with all repetitions, if the run repeats any.

    Returns
    -------
    Verdict
        Whether the values are PRES, how many agree, and which variants match.

    Raises
    ------
    StudyError
        If no topic with a value is judged, if `n_max`, `rel` or `n_docs` is not a positive
        whole number, or if the judgements or the run are invalid.

    Examples
    --------
    Nothing was found, and missed documents were placed at rank 101:

    >>> from pres_plugin.study.check import check
    >>> from pres_plugin.study.check.values import Number, Values
    >>> qrels = {"q1": {f"d{i}": 1 for i in range(30)}}
    >>> values = Values({"q1": Number(0.145, decimals=3)})
    >>> verdict = check(qrels, {"q1": {"x": 1.0}}, values, n_max=100)
    >>> verdict.is_pres, verdict.matches[0].variant.name
    (False, 'missed-after-n-max')
    """
    n_max = whole("n_max", n_max)
    rel = whole("rel", rel, 1, LARGEST_LEVEL)
    n_docs = None if n_docs is None else whole("n_docs", n_docs)
    relevant = RelevantDocuments.of(qrels)
    scored = ScoredRun(relevant, run, n_max, rel, n_docs, rows)
    given, topics = values.pres, relevant.topics
    valued = [topic for topic in given if topic is not None]
    names = [*topics, None]
    at = [i for i, name in enumerate(names) if name in given]
    n_compared = len(at) - (None in given)
    if valued and (problem := no_common_topic(valued, topics, "values")):
        raise StudyError(problem)
    value, decimals = np.array([given[names[i]] for i in at]).T
    # A number such as 0.5 may have lost zeros at its end, so the longest one counts.
    decimals[:n_compared] = decimals[:n_compared].max(initial=0)
    pres = scored.scores()[at]
    off = np.abs(value - pres)
    differences = [
        Difference(names[i], *pair)
        for i, *pair in zip(at, value.tolist(), pres.tolist(), strict=True)
    ]
    wrong = tuple(compress(differences, off > _allowed(decimals)))
    agreed = _agreement(off, decimals)
    matches, closest = [], Closest(None, float(off.mean()))
    for variant in scored.variants if wrong else ():
        off = np.abs(value - scored.scores(variant.way)[at])
        scale = variant.way.scale
        found = _agreement(off / scale, decimals + log10(scale))
        if found is not None:
            matches.append(Match(variant, found))
        if off.mean() < closest.mean_difference:
            closest = Closest(variant, float(off.mean()))
    return Verdict(
        agreed,
        compared=n_compared,
        agreeing=n_compared - sum(each.query_id is not None for each in wrong),
        judged=len(topics),
        differences=wrong,
        mean=differences[-1] if None in given else None,
        not_judged=tuple(topic for topic in valued if topic not in relevant.qrels),
        missing=tuple(topic for topic in topics if topic not in given) if valued else (),
        outside=tuple(_outside(values)),
        matches=tuple(matches),
        closest=closest if wrong and not matches else None,
    )


def _allowed(decimals: Any) -> Any:
    """Return how much values may differ, given the number of their decimals."""
    # A number without decimals, such as 1, must not agree with everything above 0.5.
    return 0.5 * 10.0 ** -np.clip(decimals, 1, _ENOUGH_DECIMALS) + _NOISE


def _agreement(off: Floats, decimals: Floats) -> int | None:
    """Return the number of decimals to which all values agree, or None."""
    if (off > _allowed(decimals)).any():
        return None
    most = round(decimals.clip(1).min())
    return next(d for d in range(most, 0, -1) if off.max() <= 0.5 * 10.0**-d + _NOISE)


def _outside(values: Values) -> Iterator[Outside]:
    """Yield the values below AP or above recall."""
    none = Number(nan, 0)
    for topic, pres in values.pres.items():
        ap, recall = values.ap.get(topic, none), values.recall.get(topic, none)
        if _is_above(ap, pres) or _is_above(pres, recall):
            yield Outside(topic, ap.value, pres.value, recall.value)


def _is_above(number: Number, bound: Number) -> bool:
    """Return whether a number is above another one by more than rounding explains."""
    rounding = _allowed(number.decimals) + _allowed(bound.decimals)
    return bool(number.value - bound.value > rounding)
