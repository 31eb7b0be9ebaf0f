"""Decide whether a run is worse than a baseline: a gate for continuous integration.

It is a decision about a comparison of two runs, so its report contains that of the comparison.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from pres_plugin.kernel.arguments import number
from pres_plugin.messages import InputError, problems_of
from pres_plugin.output.tables import Table, as_value
from pres_plugin.output.words import DECIMALS, name
from pres_plugin.scoring import direction
from pres_plugin.study import result
from pres_plugin.study.arguments import checked_measures
from pres_plugin.study.compare import Comparison, compare
from pres_plugin.study.output.parts import Section
from pres_plugin.study.output.report import Report
from pres_plugin.study.runs import AnyQrels, AnyRuns, judged, ranked_runs

__all__ = ["Gate", "gate"]

#: The exit code of the command for each verdict. The code 2 means an error.
CODES = {"pass": 0, "worse": 1, "insufficient": 1, "undecided": 3}

# What each verdict means.
_SAID = {
    "pass": "{new} is not worse than {old} by more than {margin:g}",
    "worse": "{new} is worse than {old} by more than {margin:g}",
    "insufficient": "{new} does not reach a mean of {least:g}",
    "undecided": "{topics} topics cannot decide whether {new} is worse than {old} by more than "
    "{margin:g}, because the smallest difference that they can show is {smallest}",
}
_NUMBERS = (
    ": the mean {measure} changes from {baseline_mean} to {candidate_mean}, by "
    "{difference} (95 % interval {low} to {high}, {topics} topics)."
)
# The values of the measure in them.
_VALUES = ("baseline_mean", "candidate_mean", "difference", "low", "high", "smallest")


@dataclass(frozen=True, eq=False)
class Gate(result.Result):
    """The result of :func:`gate`.

    .. versionadded:: 0.2.0

    Attributes
    ----------
    verdict : {'pass', 'worse', 'insufficient', 'undecided'}
        The decision. The exit code of the command is 0, 1, 1 or 3.
    numbers : dict
        What ``pres-eval gate -f json`` prints:

        - `verdict`, `baseline`, `candidate`, `measure`, `margin` and `least`;
        - `baseline_mean`, `candidate_mean`, and `difference`, the second minus the first;
        - `low` and `high`: the bounds of the 95 % confidence interval of the difference;
        - `improved`, `worsened`, `equal`: the number of topics of each kind;
        - `p_value`: that of Student's paired t test of the difference;
        - `smallest`: half the width of the interval, which is the smallest difference that these
          topics can tell from 0;
        - `topics`: the number of topics;
        - `lost`: the rows of the table below.
    lost : Table
        The topics that lost most, at most five: `query_id`, `baseline`, `candidate` and
        `difference`.
    comparison : Comparison
        The comparison of the runs.
    """

    verdict: str
    numbers: dict[str, Any]
    lost: Table
    comparison: Comparison


def gate(
    qrels: AnyQrels,
    runs: AnyRuns,
    measure: Any,
    *,
    margin: float = 0.02,
    least: float | None = None,
) -> Gate:
    """Decide whether a candidate is worse than a baseline by more than a margin.

    The 95 % confidence interval of the mean difference decides, as in non-inferiority trials [1]_.
    The verdict is

    - ``insufficient`` if the candidate's mean is below `least`;
    - ``worse`` if the whole interval is below -`margin`;
    - ``pass`` if the whole interval is at or above -`margin`;
    - ``undecided`` otherwise: there are too few topics to tell.

    So if the true difference is -`margin`, about 2.5 % of the candidates pass, and about 2.5 % are
    worse. With fewer than 50 topics, more of them pass if a few topics lose much. The interval is
    that of :func:`pres_plugin.study.compare.compare`.

    .. versionadded:: 0.2.0

    Parameters
    ----------
    qrels : Qrels
        The judgements; see :func:`pres_plugin.study.scoring.score`.
    runs : AnyRuns
        Two runs by name: first the baseline, then the candidate.
    measure : str or ir_measures.Measure
        A single measure. If lower values are better, all signs are reversed, and `least` is the
        highest mean that is accepted.
    margin : float, default 0.02
        By how much the candidate may be worse, in units of the measure. With 0, a candidate passes
        only if it is clearly better, or if no score changes.
    least : float, optional
        The mean that the candidate must reach. By default, any mean is accepted.

    Returns
    -------
    Gate

    Raises
    ------
    InputError
        If the judgements or a run cannot be scored, if there are not one measure, two runs and at
        least two topics, if neither higher nor lower values of the measure are better, or if
        `margin` is not a finite number of at least 0.

    References
    ----------
    .. [1] G. Piaggio et al. Reporting of noninferiority and equivalence randomized trials. JAMA
       308(24), 2012, 2594-2604.

    Examples
    --------
    >>> from pres_plugin.study.gate import gate
    >>> qrels = {f"q{i}": {"a": 1, "b": 1} for i in range(8)}
    >>> old = {topic: {"a": 2.0, "b": 1.0} for topic in qrels}
    >>> new = {topic: {"x": 3.0, "a": 2.0, "b": 1.0} for topic in qrels}
    >>> found = gate(qrels, {"old": old, "new": new}, "PRES@10")
    >>> found.verdict, round(found.numbers["difference"], 4)
    ('worse', -0.1)
    """
    with problems_of():
        number("margin", margin, "at least 0", lambda it: 0 <= it < math.inf)
    asked = checked_measures(measure)
    judgements = judged(qrels, asked)
    ranked = list(ranked_runs(judgements, runs))
    if [len(asked), len(ranked)] != [1, 2] or len(judgements.topics) < 2:
        raise InputError(
            "a gate needs one measure (-m), two runs, first the baseline, and at least two topics; "
            f"got {len(asked)}, {len(ranked)} and {len(judgements.topics)}"
        )
    found = compare(judgements, ranked, asked, baselines=[ranked[0].name], confidence=0.95)
    return decided(found, margin, least)


def decided(found: Comparison, margin: float, least: float | None = None) -> Gate:
    """Decide about a comparison of two runs. The first run is the baseline."""
    scores = found.scores
    pairs = found.tables["pairs"].frame.rename({"first": "candidate", "second": "baseline"})
    # The standardised difference may be NaN, which JSON lacks.
    pair = pairs.drop("standardised").row(0, named=True)
    old, new = scores.means[:, 0].tolist()
    # Multiplied by this, higher values are better.
    sign = direction(pair["measure"])
    # Rounding errors do not decide.
    worst, best = sorted(round(sign * pair[bound] + margin, 12) for bound in ("low", "high"))
    verdict = "pass" if worst >= 0 else "worse" if best < 0 else "undecided"
    if least is not None and not round(sign * (new - least), 12) >= 0:
        verdict = "insufficient"
    before, after = scores.values[:, :, 0]
    changes = {"baseline": before, "candidate": after, "difference": (after - before).round(12)}
    worst_first = (sign * changes["difference"]).argsort(kind="stable")
    write: dict[str, Any] = dict.fromkeys(changes, as_value(pair["measure"]))
    by_topic = Table({"query_id": scores.topics, **changes}, {"query_id": "topic"}, **write)
    lost = by_topic.rows(worst_first[: min(5, pair["worsened"])])
    numbers = pair | {
        "verdict": verdict,
        "margin": margin,
        "least": least,
        "baseline_mean": old,
        "candidate_mean": new,
        "smallest": (best - worst) / 2,
        "topics": len(scores.topics),
        "lost": lost.frame.to_dicts(),
    }
    return Gate(verdict, numbers, lost, found)


@result.report.register(Gate)
def report(found: Gate, command: str = "") -> Report:
    """Return the report of the comparison, with the verdict in front; only that is printed."""
    of_runs, it = result.report(found.comparison, command), found.numbers
    lost = Section("lost", "Topics that lost most", found.lost)
    hidden = [
        replace(part, printed=False) if isinstance(part, Section) else part
        for part in of_runs.parts
    ]
    write = as_value(it["measure"])
    values = {key: write(it[key], DECIMALS) for key in _VALUES}
    values |= {"new": name(it["candidate"]), "old": name(it["baseline"])}
    said = (_SAID[found.verdict] + _NUMBERS).format_map(it | values)
    code = CODES[found.verdict]
    return replace(of_runs, parts=[lost, *hidden], summary=[said], exit_code=code)
