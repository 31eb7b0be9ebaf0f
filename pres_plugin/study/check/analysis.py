"""Check whether reported values are PRES, and if not, which known variants they match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress
from math import nan
from typing import Any

import numpy as np

from pres_plugin.kernel.topics import Floats
from pres_plugin.measures import PRES
from pres_plugin.messages import InputError, check_common_topic, problems_of, quoted
from pres_plugin.output.words import count
from pres_plugin.study.arguments import LARGEST_LEVEL, whole
from pres_plugin.study.check.values import MEAN, Values, is_number
from pres_plugin.study.check.variants import variants
from pres_plugin.study.runs import AnyQrels, AnyRuns, judged, ranked_runs

#: Values with more decimals than this may be 32-bit floats, whose further decimals are noise.
_ENOUGH_DECIMALS = 6

#: The rounding error that is allowed in computed values.
_NOISE = 1e-13

#: The number of topics that the text shows.
_SHOWN = 5


@dataclass(frozen=True)
class Compared:
    """A reported value, and the PRES of its topic; the mean is called ``all``.

    .. versionadded:: 0.2.0
    """

    query_id: str
    value: float
    pres: float


@dataclass(frozen=True)
class Verdict:
    """What a check found; its string states it in words.

    .. versionadded:: 0.2.0

    Attributes
    ----------
    run, measure : str
        The name of the run, and PRES with its parameters.
    is_pres : bool
        Whether all values are PRES.
    decimals : int
        The number of decimals that are compared.
    agreeing, compared : int
        The number of topics whose value is PRES, and of judged topics with a value.
    not_compared : int
        The number of topics that have either a value or judgements, but not both.
    differences : tuple of Compared
        The topics, and the mean, whose value is not PRES.
    matches : tuple of str
        The known variants that give the values, if they are not PRES.
    """

    run: str
    measure: str
    is_pres: bool
    decimals: int
    agreeing: int
    compared: int
    not_compared: int
    differences: tuple[Compared, ...]
    matches: tuple[str, ...]

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        to = f"to {count(self.decimals, 'decimal')}"
        what, agree = "The mean is", ""
        if self.compared:
            what = "The values are"
            agree = f": {self.agreeing:,} of {count(self.compared, 'topic')} agree"
        negation = "" if self.is_pres else " not"
        yield f"{what}{negation} {self.measure} of {self.run}, {to}{agree}."
        if self.compared and self.not_compared:
            yield f"Topics without a value or without judgements: {self.not_compared:,}."
        for each in self.differences[:_SHOWN]:
            yield f"- {each.query_id}: {each.value:.6g} instead of {each.pres:.6f}"
        if len(self.differences) > _SHOWN:
            yield f"- and {len(self.differences) - _SHOWN:,} more"
        if self.matches:
            yield f"Known variants that match {to}:"
            yield from map("- {}".format, self.matches)
        elif not self.is_pres:
            yield "No known variant matches."


def check(
    qrels: AnyQrels,
    runs: AnyRuns,
    values: Values,
    n_max: int,
    *,
    rel: int = 1,
    n_docs: int | None = None,
) -> Verdict:
    """Check whether values are a run's PRES at Nmax; if not, look for variants that match.

    Values agree if they differ by at most half a unit of the last decimal that is written, so
    that every way of rounding is accepted. Only six decimals are compared, because values with
    more may be 32-bit floats. A topic with n ≥ Nmax is not compared with variants that divide by
    n(Nmax-n), because programs treat it in different ways.

    .. versionadded:: 0.2.0

    Parameters
    ----------
    qrels : dict of dict
        The judgements.
    runs : dict of dict of dict
        One run by its name.
    values : dict of str to float or str
        The value of each topic, as a number or as it is written. The mean is called ``all``.
    n_max : int
        Nmax.
    rel : int, default 1
        The lowest relevance that counts as relevant.
    n_docs : int, optional
        The number of documents in the collection, to look for Rnorm.

    Returns
    -------
    Verdict
        Whether the values are PRES, how many agree, and which variants match.

    Raises
    ------
    InputError
        If there are several runs, if no topic with a value is judged, if a value is not a number,
        if `n_max`, `rel` or `n_docs` is not a positive whole number, or if the judgements or the
        run are invalid.

    Examples
    --------
    Nothing was found, and missed documents were placed at rank 101:

    >>> from pres_plugin.study.check import check
    >>> qrels = {"q1": {f"d{i}": 1 for i in range(30)}}
    >>> verdict = check(qrels, {"mine": {"q1": {"x": 1.0}}}, {"q1": "0.145"}, n_max=100)
    >>> print(verdict)
    The values are not PRES@100 of mine, to 3 decimals: 0 of 1 topic agree.
    - q1: 0.145 instead of 0.000000
    Known variants that match to 3 decimals:
    - Missed documents get rank Nmax+1. The divisor is n × Nmax, as in PRES.
    <BLANKLINE>
    """
    measure = PRES(cutoff=whole("n_max", n_max), rel=whole("rel", rel, 1, LARGEST_LEVEL))
    judgements = judged(qrels, [measure])
    run, *more = ranked_runs(judgements, runs)
    if more:
        raise InputError("there are several runs; give only one")
    topics = judgements.topics
    names = [*topics, MEAN * (MEAN not in topics)]
    check_common_topic(values, names, "values")
    for topic, each in values.items():
        if not is_number(each):
            raise InputError(f"values: topic {quoted(topic)}: {each!r:.60} is not a finite number")
    value = np.array([float(values.get(name, nan)) for name in names])
    known = ~np.isnan(value)
    # A number without decimals, such as 1, must not agree with everything above 0.5.
    decimals = np.array([len(str(values.get(name)).partition(".")[2]) for name in names])
    decimals = decimals.clip(1, _ENOUGH_DECIMALS)
    # A number such as 0.5 may have lost zeros at its end, so the longest one counts.
    decimals[:-1] = decimals[:-1].max()
    allowed = 0.5 * 10.0**-decimals + _NOISE

    def excess(scores: Floats) -> Any:
        return np.abs(value - np.append(scores, scores.mean())) - allowed

    ranked = judgements.ranked(run, measure.document_choice)
    pres = ranked.score(measure)
    wrong = excess(pres) > 0
    with problems_of():  # a topic may have more documents than N
        others = variants(ranked, n_max, n_docs) if wrong.any() else ()
        # A topic that has no value, or that a variant does not define, is NaN.
        matches = [each for each, scores in others if np.fmax.reduce(excess(scores)) <= 0]
    rows = map(Compared, names, value.tolist(), [*pres.tolist(), float(pres.mean())])
    return Verdict(
        run.name,
        str(measure),
        is_pres=not wrong.any(),
        decimals=int(decimals[known].min()),
        agreeing=int((known & ~wrong)[:-1].sum()),
        compared=int(known[:-1].sum()),
        not_compared=len({*topics} ^ (values.keys() - {MEAN})),
        differences=tuple(compress(rows, wrong)),
        matches=tuple(matches),
    )
