"""A comparison of runs in three to six sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pres_plugin.remedy import listed
from pres_plugin.study.estimates import estimates
from pres_plugin.study.sentences.methods import between
from pres_plugin.study.sentences.pairs import (
    Pairs,
    of_all,
    out_of,
    pairs_by,
    pairs_of_runs,
    plural_of,
    whether,
)
from pres_plugin.study.sentences.undecided import reasons, undecided
from pres_plugin.study.sentences.words import (
    DECIMALS,
    MOST_MEASURES,
    alternatives,
    capitalised,
    count,
    name,
    names,
    p_value,
    value_of,
)

if TYPE_CHECKING:
    from pres_plugin.study.compare import Comparison

# Up to this many significant differences are all named.
_FEW = 6


def comparison_sentences(comparison: Comparison) -> list[str]:
    """Describe a comparison in three to six sentences."""
    if len(comparison.scores.runs) == 1:
        return _one_run(comparison)
    return list(_several_runs(comparison))


def _one_run(comparison: Comparison) -> list[str]:
    scores = comparison.scores
    measures = scores.measures[:MOST_MEASURES]
    values = [
        f"{value_of(measure, scores.means[0, m])} by {measure}"
        + _given(_mean_interval(comparison, measure, scores.runs[0]))
        for m, measure in enumerate(measures)
    ]
    first = scores.values[0, :, 0]
    if len(scores.topics) == 1:
        topics = f"These are the scores of one topic, {name(scores.topics[0])}."
    else:
        lowest, highest = (
            f"{value_of(measures[0], first[t])} (topic {name(scores.topics[t])})"
            for t in (int(first.argmin()), int(first.argmax()))
        )
        topics = (
            f"By {measures[0]}, the scores of its {count(len(first), 'topic')} range from {lowest} "
            f"to {highest}."
        )
    return [
        f"The only run, {name(scores.runs[0])}, scores {listed(values)}{_more(comparison)}.",
        topics,
        "With one run, there is no difference to test.",
    ]


def _several_runs(comparison: Comparison) -> Iterator[str]:
    measures = comparison.scores.measures[:MOST_MEASURES]
    pairs = [pairs_by(comparison, measure) for measure in measures]
    of_pairs = pairs_of_runs(comparison)
    yield _best_runs(comparison)
    yield from _significant(comparison, pairs, of_pairs)
    yield from _named_differences(pairs)
    yield from _disagreeing_test(comparison, pairs)
    yield from _disagreement(comparison, of_pairs)
    yield from undecided(comparison, pairs)
    yield from reasons(comparison, pairs, of_pairs)


def _more(comparison: Comparison) -> str:
    left = len(comparison.scores.measures) - MOST_MEASURES
    if left < 1:
        return ""
    return f"; the tables contain {left:,} more {'measure' if left == 1 else 'measures'}"


def _given(text: str) -> str:
    return f" ({text})" if text else ""


def _mean_interval(comparison: Comparison, measure: str, run: str) -> str:
    """Return the confidence interval of a mean, or nothing if there is none."""
    scores = comparison.scores
    means = estimates(scores, scores.measures.index(measure), comparison.columns.get("intervals"))
    mean = means[scores.runs.index(run)]
    return between(comparison.how, measure, mean.low, mean.high)


def _best(comparison: Comparison, measure: str) -> list[str]:
    """Return the runs with the highest mean, in the order of the runs."""
    scores = comparison.scores
    means = scores.means[:, scores.measures.index(measure)].tolist()
    highest = round(max(means), DECIMALS)  # as when printed; numpy sometimes differs
    return [
        run
        for run, mean in zip(scores.runs, means, strict=True)
        if round(mean, DECIMALS) == highest
    ]


def _best_runs(comparison: Comparison) -> str:
    """Say which runs have the highest means."""
    scores = comparison.scores
    by_runs: dict[tuple[str, ...], list[str]] = {}
    for m, measure in enumerate(scores.measures[:MOST_MEASURES]):
        best = _best(comparison, measure)
        given = _mean_interval(comparison, measure, best[0]) if len(best) == 1 else ""
        texts = filter(None, [value_of(measure, scores.means[:, m].max()), given])
        by_runs.setdefault(tuple(best), []).append(f"{measure} ({', '.join(texts)})")
    clauses = []
    for best_runs, of_measures in by_runs.items():
        if len(best_runs) == len(scores.runs):
            clauses.append(f"all {len(best_runs):,} runs have the same mean {listed(of_measures)}")
        else:
            verb = "has" if len(best_runs) == 1 else "share"
            clauses.append(f"{names(best_runs)} {verb} the highest mean {listed(of_measures)}")
    text = "; ".join(clauses) + _more(comparison)
    return f"{capitalised(text) if text.startswith('all ') else text}."


def _significant(comparison: Comparison, pairs: Sequence[Pairs], of_pairs: str) -> Iterator[str]:
    """Count the significant differences by each measure."""
    n_pairs = len(pairs[0].sign)
    counts = {
        each.measure: int(np.count_nonzero(each.sign))
        for each in pairs
        if n_pairs > 1 or not each.disagrees.any()
    }
    if not counts:
        return
    n_topics = count(len(comparison.scores.topics), "topic")
    if n_pairs == 1:
        differ = _only_pair_differs(comparison, counts)
    else:
        differ = _differs(counts, n_pairs, of_pairs)
    yield f"{differ} ({comparison.how.of_tests()}; {n_topics})."


def _only_pair_differs(comparison: Comparison, counts: dict[str, int]) -> str:
    yes = [measure for measure, number in counts.items() if number]
    no = [measure for measure, number in counts.items() if not number]
    if not comparison.baselines:
        return "The two runs " + whether(
            yes, no, "differ significantly", "do not differ significantly"
        )
    run, baseline = (name(comparison.columns["pairs"][column][0]) for column in ("first", "second"))
    significantly = f"significantly from the baseline {baseline}"
    return f"{run} " + whether(
        yes, no, f"differs {significantly}", f"does not differ {significantly}"
    )


def _differs(counts: dict[str, int], n_pairs: int, of_pairs: str) -> str:
    measures = list(counts)
    if not any(counts.values()):
        return (
            f"None of the {n_pairs:,} {plural_of(of_pairs)} differs significantly by "
            f"{alternatives(measures)}"
        )
    if all(number == n_pairs for number in counts.values()):
        return f"All {n_pairs:,} {plural_of(of_pairs)} differ significantly by {listed(measures)}"
    (first, number), *others = counts.items()
    verb = "differs" if number <= 1 else "differ"
    parts = [f"{out_of(number, n_pairs)} {verb} significantly by {first}"]
    parts += [f"{out_of(number, n_pairs)} by {measure}" for measure, number in others]
    return f"Of the {n_pairs:,} {plural_of(of_pairs)}, {listed(parts)}"


def _named_differences(pairs: Sequence[Pairs]) -> Iterator[str]:
    """Name all significant differences if there are few, otherwise the largest by each measure."""
    total = sum(int(np.count_nonzero(each.sign)) for each in pairs)
    if not total:
        return
    clauses: list[str] = []
    for each in pairs:
        rows = np.flatnonzero(each.sign)
        if len(rows) == 0:
            continue
        size = each.table["difference"] * each.sign
        rows = rows[np.argsort(-size[rows].round(12), kind="stable")]
        if total > _FEW:
            first, second, difference, p = each.row(int(rows[0]))
            is_of = "it is" if clauses else "is"
            by = f"by {each.measure}{', ' if clauses else ' '}{is_of}"
            largest = value_of(each.measure, difference)
            clauses.append(f"{by} {largest} ({name(first)} over {name(second)}, {p_value(p)})")
        else:
            named = listed([each.named(row) for row in rows.tolist()])
            clauses.append(f"by {each.measure}, {named}")
    if total > _FEW:
        yield f"The largest significant difference {'; '.join(clauses)}."
    else:
        which = "This difference is" if total == 1 else "These differences are"
        yield f"{which} significant: {'; '.join(clauses)}."


def _disagreeing_test(comparison: Comparison, pairs: Sequence[Pairs]) -> Iterator[str]:
    """Say that the means do not point the same way as significant differences."""
    counts = {each.measure: int(each.disagrees.sum()) for each in pairs if each.disagrees.any()}
    if not counts:
        return
    example = next(each for each in pairs if each.disagrees.any())
    first, second, difference, p = example.row(int(np.flatnonzero(example.disagrees)[0]))
    mean = f"{value_of(example.measure, difference)} higher"
    if not round(difference, 12):
        mean = "the same"
    such = ""
    if sum(counts.values()) > 1:
        numbers = listed([f"{number:,} by {measure}" for measure, number in counts.items()])
        such = f" Such pairs: {numbers}."
    yield (
        f"By {example.measure}, the test favours {name(second)} over {name(first)} ({p_value(p)}), "
        f"but the mean of {name(first)} is {mean}, so neither counts as better "
        f"({comparison.how.of_tests()}).{such}"
    )


def _disagreement(comparison: Comparison, of_pairs: str) -> Iterator[str]:
    """Say how two measures disagree about the runs: PRES and AP, if both are there."""
    measures = _contrasted(comparison.scores.measures)
    if measures is None:
        return
    first, second = (pairs_by(comparison, measure) for measure in measures)
    bests = [_best(comparison, measure) for measure in measures]
    runs = "runs" if max(map(len, bests)) > 1 else "run"
    best = f"the same best {runs}" if bests[0] == bests[1] else "different best runs"
    n_pairs = len(first.sign)
    differently = first.table["difference"] * second.table["difference"] < 0
    ordered = _ordered(int(np.count_nonzero(differently)), n_pairs, of_pairs)
    opposite = np.flatnonzero(first.sign * second.sign == -1)
    if len(opposite):
        row = int(opposite[0])
        higher, lower = (first.table[column][row] for column in ("first", "second"))
        if first.sign[row] < 0:
            higher, lower = lower, higher
        where = f"for {of_all(len(opposite), n_pairs, of_pairs)}, " if n_pairs > 1 else ""
        such_as = " such as" if len(opposite) > 1 else ""
        significantly = (
            f"{where}they find significant differences in opposite directions,{such_as} "
            f"{name(higher)} over {name(lower)} by {measures[0]} and the reverse by {measures[1]}"
        )
    elif n_pairs > 1:
        significantly = "for no pair do they find significant differences in opposite directions"
    else:
        significantly = "they do not find significant differences in opposite directions"
    yield f"{measures[0]} and {measures[1]} have {best} and {ordered}; {significantly}."


def _ordered(number: int, n_pairs: int, of_pairs: str) -> str:
    """Say how many pairs two measures order differently."""
    if n_pairs > 1:
        return f"order {of_all(number, n_pairs, of_pairs)} differently"
    return f"{'order' if number else 'do not order'} the two runs differently"


def _contrasted(measures: Sequence[str]) -> tuple[str, str] | None:
    """Return PRES and AP, or the first two measures."""
    named: dict[str, str] = {}
    for measure in measures:
        named.setdefault(re.split(r"\W", measure, maxsplit=1)[0], measure)
    if "PRES" in named and "AP" in named:
        return named["PRES"], named["AP"]
    return (measures[0], measures[1]) if len(measures) > 1 else None
