"""Find the ranks of the relevant documents of runs in files, for studies.

A study scores a run many times: at many cutoffs, or with many samples of the judgements. The ranks
stay the same, so the run is read and ranked once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pres_plugin.files.judgements import JudgedTopics
from pres_plugin.files.run_scores import RunTopics, found_in, whole_topics
from pres_plugin.files.streaming import Rows
from pres_plugin.formats.base import Duplicates


@dataclass(kw_only=True)
class RunRanks(RunTopics):
    """The ranks of the D relevant documents of T judged topics in one run."""

    name: str
    ranks: NDArray[np.int64]  # one per row of JudgedTopics.documents; 0 if not retrieved
    retrieved: NDArray[np.int64]  # the number of documents retrieved per judged topic


def rank_runs(
    rows: Rows, judged: JudgedTopics, duplicates: Duplicates = "error", name: str | None = None
) -> list[RunRanks]:
    """Rank the run of this name, or all runs; see :func:`.run_scores.score_runs`."""
    runs: dict[str, RunRanks] = {}
    for whole in whole_topics(rows, duplicates, name):
        for run_name, query_id, size in zip(
            whole.names, whole.query_ids, whole.sizes.tolist(), strict=True
        ):
            run = runs.get(run_name) or runs.setdefault(run_name, _empty(run_name, judged))
            run.add(query_id, size, judged)
            if (topic := judged.topics.get(query_id)) is not None:
                run.retrieved[topic] = size
        found = found_in(whole, judged)
        names = np.array(whole.names, dtype=object)[found["topic"].to_numpy()]
        documents, ranks = (found[column].to_numpy() for column in ("document", "rank"))
        for run_name in dict.fromkeys(whole.names):
            of_run = names == run_name
            runs[run_name].ranks[documents[of_run]] = ranks[of_run]
    return list(runs.values())


def _empty(name: str, judged: JudgedTopics) -> RunRanks:
    ranks, retrieved = (
        np.zeros(n, dtype=np.int64) for n in (judged.documents.height, len(judged.topics))
    )
    return RunRanks(name=name, ranks=ranks, retrieved=retrieved)
