"""Read ASReview's projects and simulations with ASReview's own functions.

Each dataset is a topic. Prior knowledge comes first in the ranking, and is judged. So the labels
in one simulation are judgements for all simulations on the same data, whatever they began with.
The subcommand ``asreview pres`` is in :mod:`pres_plugin.cli.asreview`.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from pres_plugin.messages import InputError, imported, shortened
from pres_plugin.tables.base import DataFile
from pres_plugin.tables.opening import check_plain

__all__ = ["Screening", "read_screening"]


@dataclass(frozen=True)
class Screening:
    """How the records of one dataset were screened.

    .. versionadded:: 0.2.0

    Attributes
    ----------
    priors : list of str
        The ids of the records that were prior knowledge, in the order of their labelling.
    screened : list of str
        The ids of the other labelled records, in the order in which they were screened.
    labels : dict of str to int
        1 for each relevant record and 0 for the others. It contains all records of a
        simulation. In any other review, it contains only the records that have been labelled,
        priors included.
    simulated : bool
        Whether this is a simulation.
    """

    priors: list[str] = field(default_factory=list)
    screened: list[str] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    simulated: bool = True

    @property
    def ranking(self) -> list[str]:
        """The ids of all labelled records, best first: the priors, then the others."""
        return [*self.priors, *self.screened]

    def without_priors(self) -> Screening:
        """Return the screening without prior knowledge, as ASReview's loss leaves it out.

        Examples
        --------
        >>> import pres_plugin
        >>> from pres_plugin.tables.asreview import Screening
        >>> labels = {"0": 0, "1": 1, "2": 1, "3": 0, "4": 0}
        >>> found = Screening(["2", "3"], ["0", "1"], labels).without_priors()
        >>> found.ranking, found.labels
        (['0', '1'], {'0': 0, '1': 1, '4': 0})
        >>> round(pres_plugin.score(found.ranking, found.labels, "Rnorm(judged_only=True)"), 3)
        0.5
        """
        priors = set(self.priors)
        left = {record: label for record, label in self.labels.items() if record not in priors}
        return replace(self, priors=[], labels=left)


class AsreviewFile(DataFile):
    """A project or simulation: a run, and judgements for runs on the same data."""

    # Of every zip archive; :func:`read_screening` rejects others.
    signature: re.Pattern[bytes] = re.compile(rb"PK\x03\x04")

    def batches(self) -> Iterator[pl.DataFrame]:
        """Yield the labels, or scores from the number of labelled records down to 1."""
        for dataset, screening in read_screening(self.path, self.name).items():
            records = [*screening.labels]
            numbers: list[float] = [*screening.labels.values()]
            if self.reading.value == "score":
                records = screening.ranking
                numbers = [float(rank) for rank in range(len(records), 0, -1)]
            rows = pl.DataFrame({"doc_id": records, self.reading.value: numbers})
            yield rows.select(pl.lit(dataset).alias("query_id"), pl.all())


def read_screening(path: str, name: str | None = None) -> dict[str, Screening]:
    """Read how each dataset of an ASReview project or simulation was screened.

    Record ids are ASReview's ``record_id`` as strings, which are the same in all projects with
    the same data. Records with identical texts count separately, as they do in ASReview's loss.

    .. versionadded:: 0.2.0

    Parameters
    ----------
    path : str
        An ``.asreview`` file of a version that the installed ASReview can read.
    name : str, optional
        The file's name in errors; its path if not given.

    Returns
    -------
    dict of str to Screening
        One per dataset, by the dataset's file name.

    Raises
    ------
    InputError
        If the file cannot be read, is not an ASReview project or is damaged; or if no record has
        been screened.
    ImportError
        If ASReview is not installed.

    Examples
    --------
    >>> from pres_plugin.tables.asreview import read_screening
    >>> read_screening("missing.asreview")
    Traceback (most recent call last):
    pres_plugin.InputError: missing.asreview: there is no such file
    """
    shown = name or path
    check_plain(path, shown)
    members = []
    with suppress(zipfile.BadZipFile), zipfile.ZipFile(path) as archive:
        members = archive.namelist()
    if "project.json" not in members:
        problem = "no ASReview project, or an incomplete one; to score CSV, use pres-eval score"
        if members:
            problem = (
                "a zip archive; unpack it, and give a file in it (from Numbers, export to Excel)"
            )
        raise InputError(f"{shown}: this is {problem}")
    asreview = imported("asreview", f"{shown}: projects are read with ASReview", "asreview")
    with TemporaryDirectory(prefix="pres-plugin-") as folder:
        try:
            # A safe import gives the project a new id, because the id becomes a path.
            with asreview.Project.load(path, folder, safe_import=True) as project:
                config = project.config
                records = project.db.input[["record_id", "dataset_id", "included"]]
                results = project.db.get_results_table(
                    ["record_id", "label", "querier"], groups=True
                )
        # A damaged project makes ASReview raise errors of its own, of SQLite, pandas and others.
        except Exception as error:
            raise InputError(
                f"{shown}: ASReview cannot read it ({shortened(str(error))})"
            ) from None
    screenings = _screenings(config, records, results)
    if not any(each.priors or each.screened for each in screenings.values()):
        raise InputError(f"{shown}: no record has been screened yet")
    return screenings


def _screenings(config: Any, records: Any, results: Any) -> dict[str, Screening]:
    simulated = config["mode"] == "simulate"
    names = {dataset["id"]: dataset["name"] for dataset in config.get("datasets", ())}
    screenings: dict[str, Screening] = {}
    dataset_of = {}
    for record, dataset, included in records.itertuples(index=False):
        name = names.get(dataset, dataset)
        found = screenings.setdefault(name, Screening(simulated=simulated))
        dataset_of[record] = found
        if simulated:
            found.labels[str(record)] = int(included)
    # A record without a label is being read by a user.
    for record, label, querier in results.dropna(subset="label").itertuples(index=False):
        found = dataset_of[record]
        found.labels[str(record)] = int(label)
        # ASReview calls records prior knowledge if no querier has chosen them.
        is_prior = querier is None or querier != querier
        (found.priors if is_prior else found.screened).append(str(record))
    return screenings
