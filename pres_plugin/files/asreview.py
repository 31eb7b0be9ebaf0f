"""ASReview's simulations as rankings of records, for ``asreview pres``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pres_plugin.formats.asreview import Screening, read_screening
from pres_plugin.formats.base import FileError
from pres_plugin.kernel.topic import relevant_ranks
from pres_plugin.measures.declared import pres, recall, rnorm
from pres_plugin.remedy import Remedy

_COUNT_PRIORS = Remedy("count prior knowledge with {}", "priors", (True,))


@dataclass(frozen=True, eq=False)
class Simulation:
    """A simulation on one dataset, as a ranking of its records.

    Attributes
    ----------
    name, dataset : str
        The names of the simulation and of the dataset.
    ranking : list of str
        The ids of the records in the order in which they were screened.
    relevant : list of str
        The ids of the relevant records, screened or not.
    n_docs : int
        N, the number of labelled records.
    n_priors : int
        The number of records that were prior knowledge, whether they are counted or not.
    simulated : bool
        Whether this is a simulation. In other projects, only screened records have labels.

    Examples
    --------
    >>> from pres_plugin.files.asreview import Simulation
    >>> ranking, relevant = ["4", "0", "1"], ["1", "4"]
    >>> found = Simulation("mine", "data.csv", ranking, relevant, 10, 0, simulated=True)
    >>> found.ranks, found.pres(n_max=2), found.rnorm
    ([1, 3], 0.5, 0.9375)
    """

    name: str
    dataset: str
    ranking: list[str]
    relevant: list[str]
    n_docs: int
    n_priors: int
    simulated: bool

    @cached_property
    def ranks(self) -> list[int]:
        """The ranks of the relevant records that were screened, ascending."""
        return relevant_ranks(self.ranking, self.relevant)

    @property
    def last_rank(self) -> int | None:
        """The rank of the last relevant record that was screened, or None if there is none."""
        return self.ranks[-1] if self.ranks else None

    @property
    def rnorm(self) -> float:
        """Rnorm over the dataset; if all relevant records were found, 1 minus ASReview's loss."""
        return rnorm(self.ranks, len(self.relevant), self.n_docs)

    def pres(self, n_max: int) -> float:
        """Return PRES at Nmax."""
        return pres(self.ranks, len(self.relevant), n_max)

    def recall(self, n_max: int) -> float:
        """Return recall at Nmax."""
        return recall(self.ranks, len(self.relevant), n_max)


def read_simulations(path: str, name: str, *, priors: bool = False) -> Iterator[Simulation]:
    """Read the simulations in an ``.asreview`` file: one for each dataset.

    Parameters
    ----------
    path : str
        The file.
    name : str
        The name of the simulation in results.
    priors : bool, default False
        Whether prior knowledge counts as screened, at the first ranks. By default, it is
        left out of the ranking, of the relevant records and of the dataset, as in the loss
        that ASReview prints.

    Yields
    ------
    Simulation
        The records of each dataset as a ranking.

    Raises
    ------
    FileError
        If the file cannot be read, or if no relevant record is left to find.
    """
    for dataset, screening in read_screening(path).items():
        simulation = _simulation(name, dataset, screening, priors=priors)
        if not simulation.relevant:
            problem = f"{path}: dataset {dataset!r} has no relevant record"
            if any(screening.labels[record] for record in screening.priors):
                raise FileError(f"{problem} that was not prior knowledge", _COUNT_PRIORS)
            raise FileError(problem)
        yield simulation


def _simulation(name: str, dataset: str, screening: Screening, *, priors: bool) -> Simulation:
    left_out = set() if priors else set(screening.priors)
    labels = {record: label for record, label in screening.labels.items() if record not in left_out}
    return Simulation(
        name,
        dataset,
        [*(screening.priors if priors else ()), *screening.screened],
        [record for record, label in labels.items() if label],
        len(labels),
        len(screening.priors),
        screening.simulated,
    )
