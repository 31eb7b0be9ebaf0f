"""A sweep in a few sentences."""

from __future__ import annotations

from itertools import islice

import numpy as np

from pres_plugin.remedy import listed
from pres_plugin.study.output.words import DECIMALS, MOST_MEASURES, count, name
from pres_plugin.study.scoring import has_direction
from pres_plugin.study.sweep.analysis import Sweep

# The number of leading runs to name per measure.
_MOST_LEADERS = 3


def sentences(found: Sweep) -> list[str]:
    """Describe which runs lead by the first measures, and where the lead changes."""
    compared = filter(has_direction, found.measures if len(found.runs) > 1 else ())
    return [
        *(_lead(found, measure) for measure in islice(compared, MOST_MEASURES)),
        *(
            f"With these weights of Nmax, no run has a higher expected {measure} than "
            f"{name(found.expected_scores()['run'][0])}."
            for measure in found.measures[:1]
            if found.weights is not None and has_direction(measure)
        ),
        f"These are means over {count(found.n_topics, 'topic')}, and a sweep does not test "
        "whether differences are significant.",
    ]


def _lead(found: Sweep, measure: str) -> str:
    """Say at how many cutoffs each run has the highest mean, and where the lead changes."""
    means = found.scores_by(measure).round(DECIMALS)
    leads = means == means.max(axis=0)
    if leads.all():
        return f"By {measure}, all runs have the same mean at every Nmax."
    times, n_cutoffs = leads.sum(axis=1), len(found.cutoffs)
    order = [r for r in np.argsort(-times, kind="stable") if times[r]]
    first, *rest = order[:_MOST_LEADERS]
    most = f"{name(found.runs[first])} leads at {times[first]:,}"
    texts = [f"{most} of {count(n_cutoffs, 'value')} of Nmax"]
    texts += [f"{name(found.runs[r])} at {times[r]:,}" for r in rest]
    if others := order[_MOST_LEADERS:]:
        texts.append(f"{count(len(others), 'other run')} at up to {times[others[0]]:,}")
    ties = ", with ties" if times.sum() > n_cutoffs else ""
    changes = "never changes"
    if steps := np.flatnonzero(np.diff(leads).any(axis=0)).tolist():
        before, after = found.cutoffs[steps[0] : steps[0] + 2]
        how_often = "once," if len(steps) == 1 else f"{len(steps):,} times, first"
        changes = f"changes {how_often} between Nmax = {before:,} and {after:,}"
    return f"By {measure}, {listed(texts)}{ties}; the lead {changes}."
