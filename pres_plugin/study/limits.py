"""The largest values that arguments of studies may have, in Python and on the command line.

Memory and time grow with these values, and nobody needs larger ones.
"""

#: Values of Nmax in a sweep.
MOST_CUTOFFS = 10_000

#: Samples of the judgements, in total over all fractions.
MOST_SAMPLES = 10_000

#: A relevance level, which judgements store in 64 bits.
LARGEST_LEVEL = 2**63 - 1

#: A seed of random samples: 128 bits, as numpy recommends.
LARGEST_SEED = 2**128 - 1

#: Rows to keep of a run that repeats documents, to check values that may count each repetition.
MOST_ROWS = 2_000_000

#: The smallest number of resamples for a confidence interval or a randomization test. With fewer,
#: the results depend too much on the seed.
FEWEST_RESAMPLES = 999
MOST_RESAMPLES = 100_000
