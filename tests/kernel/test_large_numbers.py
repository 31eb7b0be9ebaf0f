"""How exact scores are if n·Nmax is too large for the whole numbers of 64-bit floats."""

from fractions import Fraction

import by_definition
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pres_plugin import pres
from pres_plugin.kernel.statistics import score
from pres_plugin.kernel.topics import RelevantRanks
from pres_plugin.measures.declared import PRES

#: Up to this n·Nmax, arrays contain no number above 2⁵³, which floats represent exactly.
EXACT_UP_TO = 2**52


def in_arrays(ranks, n, n_max):
    topics = RelevantRanks(
        np.array([n]), np.array(ranks, dtype=np.int64), np.array([0, len(ranks)])
    )
    (found,) = score(PRES.declaration.formula, topics, n_max).tolist()
    return found


@st.composite
def rankings(draw, least, most):
    """Ranks of documents within Nmax, n and Nmax, where n·Nmax is between `least` and `most`."""
    n = draw(st.sampled_from([1, 2, 3, 50, 1000]))
    n_max = draw(st.integers(-(-least // n), most // n))
    ranks = draw(st.lists(st.integers(1, n_max), unique=True, max_size=min(n, 50)))
    return ranks, n, n_max


@given(rankings(1000, EXACT_UP_TO))
def test_arrays_give_the_float_nearest_to_the_true_score(ranking):
    assert in_arrays(*ranking) == float(by_definition.pres(*ranking))


@given(rankings(EXACT_UP_TO + 1, 2**61))
def test_beyond_2_to_the_52_the_error_of_arrays_is_small(ranking):
    true = by_definition.pres(*ranking)
    assert abs(Fraction(in_arrays(*ranking)) - true) <= true * Fraction(4, 10**16)


@given(rankings(1000, 2**61))
def test_a_single_topic_has_no_such_bound(ranking):
    assert pres(*ranking) == float(by_definition.pres(*ranking))
