"""Check whether reported values are PRES, and if not, which known variants they match."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pres_plugin.ranking.inputs import Judgements
from pres_plugin.study.inputs import Qrels, Run, StudyError, checked_n_max, checked_qrels, whole
from pres_plugin.study.limits import LARGEST_LEVEL
from pres_plugin.study.values import Number, Values, no_common_topic
from pres_plugin.study.variants import (
    PRES,
    Rows,
    ScoredRun,
    Variant,
    Way,
    combinations_of,
    combined,
)

#: Values with more decimals than this may be 32-bit floats, whose further decimals are noise.
_ENOUGH_DECIMALS = 6

#: The maximum number of variants to combine. A mean alone would match more of them by chance.
_MOST_FOR_TOPICS, _MOST_FOR_A_MEAN = 3, 2

#: The rounding error that is allowed in computed values.
_NOISE = 1e-13


class Difference(NamedTuple):
    """A topic whose value is not its PRES; the topic is None for the mean."""

    query_id: str | None
    value: float
    pres: float


class Match(NamedTuple):
    """Variants that together give the values, and the number of decimals that agree."""

    variants: tuple[Variant, ...]
    decimals: int


class Closest(NamedTuple):
    """The variant whose values differ least from those given; None stands for PRES."""

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
    without_results : tuple of str
        Judged topics for which the run retrieved nothing.
    matches : tuple of Match
        The smallest combinations of known variants that give the values, if they are not PRES.
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
    without_results: tuple[str, ...]
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
    rows: Mapping[str, Rows] | None = None,
) -> Verdict:
    """Check whether values are a run's PRES at Nmax; if not, look for variants that match.

    Values agree if they differ by at most half a unit of the last decimal that is written, so
    that every way of rounding is accepted. Values with more than six decimals need to agree
    to six, since they may be 32-bit floats. Variants are combined only if no smaller
    combination matches: up to three, or two if there is only a mean.

    Parameters
    ----------
    qrels, run : dict of dict
        The judgements, and the run in the order of its file.
    values : Values
        The values to check, from :func:`pres_plugin.study.values.read_values`.
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
    >>> from pres_plugin.study.values import Number, Values
    >>> qrels = {"q1": {f"d{i}": 1 for i in range(30)}}
    >>> values = Values({"q1": Number(0.145, decimals=3)})
    >>> verdict = check(qrels, {"q1": {"x": 1.0}}, values, n_max=100)
    >>> verdict.is_pres, verdict.matches[0].variants[0].name
    (False, 'missed-after-n-max')
    """
    n_max = checked_n_max("n_max", n_max)
    rel = whole("rel", rel, 1, LARGEST_LEVEL)
    n_docs = None if n_docs is None else whole("n_docs", n_docs, 1)
    relevant = Judgements(checked_qrels(qrels)).at_least(rel)
    scored = ScoredRun(relevant, run, n_max, n_docs, rows)
    given = _Given(values, scored)
    decimals = given.decimals_of(PRES)
    differences, mean = given.differences()
    matches = () if decimals is not None else tuple(given.matches())
    return Verdict(
        decimals,
        compared=len(given.numbers),
        agreeing=len(given.numbers) - sum(d.query_id is not None for d in differences),
        judged=len(relevant),
        differences=differences,
        mean=mean,
        not_judged=tuple(topic for topic in values.topics if topic not in relevant),
        missing=tuple(t for t in relevant if t not in values.topics) if values.topics else (),
        without_results=tuple(
            t for t, found in zip(relevant, scored.has_results, strict=True) if not found
        ),
        matches=matches,
        closest=given.closest() if decimals is None and not matches else None,
    )


class _Given:
    """The values to check, together with the run that they are compared with."""

    def __init__(self, values: Values, scored: ScoredRun) -> None:
        self.numbers: list[Number] = []
        self._topics: list[str] = []
        self._positions: list[int] = []
        for i, topic in enumerate(scored.topics):
            if topic in values.topics:
                self._topics.append(topic)
                self._positions.append(i)
                self.numbers.append(values.topics[topic])
        if problem := no_common_topic(values.topics, scored.topics):
            raise StudyError(problem)
        # A number such as 0.5 may have lost zeros at its end, so the longest one counts.
        self._decimals: int = max((number.decimals for number in self.numbers), default=0)
        self._mean = values.mean
        self._scored = scored

    def decimals_of(self, way: Way) -> int | None:
        """Return the number of decimals to which the values agree with those of `way`, or None."""
        shift = round(math.log10(way.scale))
        found = []
        for pair in self._pairs(way):
            # Most ways differ on the first topics.
            if (agreed := _agreed(*pair, shift)) is None:
                return None
            found.append(agreed)
        return min(found)

    def differences(self) -> tuple[tuple[Difference, ...], Difference | None]:
        """Return the values that are not PRES, and the comparison of the means."""
        names = [*self._topics, *([None] if self._mean else [])]
        different, mean = [], None
        for name, (value, decimals, pres) in zip(names, self._pairs(PRES), strict=True):
            difference = Difference(name, value, pres)
            if name is None:
                mean = difference
            if _agreed(value, decimals, pres) is None:
                different.append(difference)
        return tuple(different), mean

    def matches(self) -> Iterator[Match]:
        """Iterate over the smallest combinations of variants that match the values."""
        most = _MOST_FOR_TOPICS if self.numbers else _MOST_FOR_A_MEAN
        is_found = False
        for size in range(1, most + 1):
            for variants in combinations_of(self._scored.variants, size):
                decimals = self.decimals_of(combined(variants))
                if decimals is not None:
                    is_found = True
                    yield Match(variants, decimals)
            if is_found:
                return

    def closest(self) -> Closest:
        """Return the variant with the smallest mean absolute difference."""
        choices: list[tuple[Variant, ...]] = [(), *combinations_of(self._scored.variants, 1)]
        closest = [
            Closest(next(iter(variants), None), self._distance(combined(variants)))
            for variants in choices
        ]
        return min(closest, key=lambda each: each.mean_difference)

    def _distance(self, way: Way) -> float:
        distances = [abs(value - expected) for value, _, expected in self._pairs(way)]
        return math.fsum(distances) / len(distances)

    def _pairs(self, way: Way) -> Iterator[tuple[float, int, float]]:
        """Yield each value with its decimals, and what it should be; the mean comes last."""
        if self.numbers:
            scores = self._scored.scores(way)[self._positions].tolist()
            for number, score in zip(self.numbers, scores, strict=True):
                yield number.value, self._decimals, score
        if self._mean is not None:
            yield *self._mean, self._scored.mean(way)


def _agreed(value: float, decimals: int, expected: float, shift: int = 0) -> int | None:
    """Return the number of decimals to which a value agrees with the expected one, or None.

    `shift` is 2 for percentages, whose decimals count as two more.
    """
    # A number without decimals, such as 1, must not agree with everything above 0.5.
    decimals = max(decimals + shift, 1)
    difference = abs(value - expected) / 10**shift
    least = min(decimals, _ENOUGH_DECIMALS)
    return next(
        (d for d in range(decimals, least - 1, -1) if difference <= 0.5 * 10.0**-d + _NOISE), None
    )
