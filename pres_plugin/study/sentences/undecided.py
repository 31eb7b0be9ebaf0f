"""What a comparison of runs leaves undecided, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pres_plugin.remedy import listed
from pres_plugin.study.sentences.methods import between
from pres_plugin.study.sentences.pairs import Pairs, of_all, out_of, whether
from pres_plugin.study.sentences.words import count, name, p_value, value_of
from pres_plugin.study.statistics.corrections import least_factor
from pres_plugin.study.statistics.tests import smallest_p_value

if TYPE_CHECKING:
    from pres_plugin.study.compare import Comparison


def undecided(comparison: Comparison, pairs: Sequence[Pairs]) -> Iterator[str]:
    """Name the first pair in the table whose difference is not significant."""
    for each in pairs:
        if len(each.undecided):
            yield _undecided_pair(comparison, each, int(each.undecided[0]))
            return


def _undecided_pair(comparison: Comparison, pairs: Pairs, row: int) -> str:
    first, second, difference, p = pairs.row(row)
    text = (
        f"The results do not show whether {name(first)} or {name(second)} is better by "
        f"{pairs.measure}: the difference of {value_of(pairs.measure, difference)} is not "
        f"significant ({p_value(p)})"
    )
    if comparison.how.confidence is not None:
        low, high = (pairs.table[column][row] for column in ("low", "high"))
        if first != pairs.table["first"][row]:
            low, high = -high, -low
        bounds = between(comparison.how, pairs.measure, low, high)
        if bounds:
            text += (
                f", and its {bounds} contains 0"
                if low <= 0 <= high
                else f", although its {bounds} does not contain 0"
            )
    return text + "."


def reasons(comparison: Comparison, pairs: Sequence[Pairs], of_pairs: str) -> Iterator[str]:
    """Say why differences remain undecided."""
    if not any(len(each.undecided) for each in pairs):
        return
    impossible = _impossible(comparison, len(pairs[0].sign))
    if impossible:
        yield impossible
    if comparison.has_intervals:
        yield from _zeros(comparison, pairs, of_pairs)
    elif not impossible and len(pairs[0].sign) > 1:
        yield from _largest_undecided(comparison, pairs)


def _impossible(comparison: Comparison, n_pairs: int) -> str:
    """Say that no difference can be significant, or return an empty text if one can."""
    how, n_topics = comparison.how, len(comparison.scores.topics)
    smallest, factor = smallest_p_value(how, n_topics), least_factor(how.correction, n_pairs)
    if min(1.0, smallest * factor) < how.alpha:
        return ""
    too_few = count(n_topics, "topic")
    if how.test == "randomization" and n_topics > np.log2(how.resamples):
        too_few = count(how.resamples, "resample")
    multiplied = (
        f", and the correction multiplies it by {factor:,}" if factor > 1 and smallest < 1 else ""
    )
    # Without an exponent, as people write numbers.
    bound = np.format_float_positional(smallest, precision=3, fractional=False, trim="-")
    return (
        f"With {too_few}, no p-value of this test can be below {bound}{multiplied}, "
        "so no difference can be significant."
    )


def _zeros(comparison: Comparison, pairs: Sequence[Pairs], of_pairs: str) -> Iterator[str]:
    """Count the intervals of differences that contain 0, by each measure."""

    def contain_zero(each: Pairs) -> int:
        return int(((each.table["low"] <= 0) & (each.table["high"] >= 0)).sum())

    counts = {each.measure: contain_zero(each) for each in pairs}
    n_pairs = len(pairs[0].sign)
    called = f"{comparison.how.level} confidence interval of the difference"
    if n_pairs == 1:
        yes = [measure for measure, number in counts.items() if number]
        no = [measure for measure, number in counts.items() if not number]
        by_measure = whether(yes, no, "contains 0", "does not contain 0")
        yield f"The {called} {by_measure}."
        return
    (first, number), *others = counts.items()
    parts = [f"for {of_all(number, n_pairs, of_pairs)} by {first}"]
    parts += [f"for {out_of(number, n_pairs)} by {measure}" for measure, number in others]
    yield f"The {called} contains 0 {listed(parts)}."


def _largest_undecided(comparison: Comparison, pairs: Sequence[Pairs]) -> Iterator[str]:
    """Name the largest difference that is not significant."""
    n_topics = count(len(comparison.scores.topics), "topic")
    for each in pairs:
        rows = each.undecided
        if len(rows):
            size = np.abs(each.table["difference"])[rows].round(12)
            first, second, difference, p = each.row(int(rows[size.argmax()]))
            yield (
                f"The largest difference by {each.measure} that is not significant with "
                f"{n_topics} is {value_of(each.measure, difference)} ({name(first)} over "
                f"{name(second)}, {p_value(p)}); this does not show that the two runs are equal."
            )
            return
