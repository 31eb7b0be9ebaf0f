"""Settings of methods that draw topics or signs at random.

A method draws once per block of rows, and each block starts from the same seed. So each row,
which is a run or a pair of runs, sees the same resamples, whatever the other rows are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: The number of topics to draw at once, and of values to compute from them.
_DRAWN_AT_ONCE = 1_000_000
_COMPUTED_AT_ONCE = 4_000_000

#: The smallest number of rows to resample at once, because drawing takes time, too.
_FEWEST_ROWS = 128


@dataclass(frozen=True)
class Resampling:
    """How many resamples to draw, from which seed."""

    resamples: int = 9999
    seed: int = 0

    def options(self, n_topics: int) -> dict[str, Any]:
        """Return keyword arguments for SciPy's resampling, with a newly seeded generator."""
        return {
            "n_resamples": self.resamples,
            "batch": max(1, _DRAWN_AT_ONCE // n_topics),
            "rng": np.random.default_rng(self.seed),
        }

    def blocks(self, rows: NDArray[np.float64]) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """Yield blocks of as many rows as fit into memory, each after its slice."""
        size = max(_FEWEST_ROWS, _COMPUTED_AT_ONCE // self.resamples)
        for start in range(0, len(rows), size):
            block = slice(start, start + size)
            yield block, rows[block]
