"""What each variant of PRES computes, by a definition of its own: rank by rank, with fractions.

Nothing here comes from the package.
"""

from fractions import Fraction

#: The ranks of missed documents, given n, the number of documents found, and Nmax.
MISSED = {
    "rank Nmax": lambda n, m, k: [k] * (n - m),
    "rank Nmax+1": lambda n, m, k: [k + 1] * (n - m),
    "the ranks Nmax+1 to Nmax+n_missed": lambda n, m, k: range(k + 1, k + 1 + n - m),
    "the ranks Nmax+n_found+1 to Nmax+n, as in PRES": lambda n, m, k: range(k + m + 1, k + n + 1),
    "n_found ranks up to Nmax+n, as equation 4 is printed": lambda n, m, k: range(
        k + n - m + 1, k + n + 1
    ),
    "no rank": lambda n, m, k: [],
}

#: The score, given the sum of ranks, n, the number of documents found, and Nmax.
DIVISORS = {
    "n × Nmax, as in PRES": lambda ranks, n, m, k: 1 - (ranks / n - mean(n)) / k,
    "n(Nmax-n)": lambda ranks, n, m, k: 1 - (ranks / n - mean(n)) / (k - n),
    "n_found × Nmax": lambda ranks, n, m, k: 1 - (ranks - n * mean(n)) / (m * k),
    "n_found × Nmax, with n_found(n+1)/2 in place of n(n+1)/2": lambda ranks, n, m, k: (
        1 - (ranks / m - mean(n)) / k
    ),
    "n_found × Nmax, with n_found(n_found+1)/2 in place of n(n+1)/2": lambda ranks, n, m, k: (
        1 - (ranks / m - mean(m)) / k
    ),
}


def mean(n):
    """The mean of the ranks 1 to n."""
    return Fraction(n + 1, 2)


def score(ranks, n, n_max, missed="rank Nmax", divisor="n × Nmax, as in PRES", clamped=False):
    """Return the score of a topic with n relevant documents, some of them found at these ranks."""
    found = [rank for rank in ranks if rank <= n_max]
    every = [*found, *MISSED[missed](n, len(found), n_max)]
    try:
        value = DIVISORS[divisor](Fraction(sum(every)), n, len(found), n_max)
    except ZeroDivisionError:  # nothing is found or relevant
        return Fraction(0)
    return min(max(value, Fraction(0)), Fraction(1)) if clamped else value
