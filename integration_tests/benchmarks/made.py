"""Made-up judgements and runs, in memory and in files. Imports nothing that uses memory."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]


def topics(
    n_topics: int, n_docs: int, n_runs: int = 1, in_order: bool = True
) -> Iterator[tuple[str, dict[str, int], list[dict[str, float]]]]:
    """Yield the id of each topic, its judgements, and the scores in each run.

    Most of the judged documents are retrieved, and one in four is relevant. With `in_order`,
    scores fall.
    """
    rng = random.Random(0)
    n_judged = min(n_docs, 100)
    for number in range(n_topics):
        docs = [f"EP{n:07}" for n in rng.sample(range(10**7), n_docs + n_judged // 2)]
        judged = {doc: int(i % 4 == 0) for i, doc in enumerate(docs[-n_judged:])}
        runs = []
        for _ in range(n_runs):
            rng.shuffle(docs)
            scores = [rng.gauss(20, 5) for _ in range(n_docs)]
            if in_order:
                scores.sort(reverse=True)
            runs.append(dict(zip(docs, scores, strict=False)))
        yield f"q{number:05}", judged, runs


def dicts(n_topics: int, n_docs: int, in_order: bool = True) -> tuple[Qrels, Run]:
    """Return judgements and a run by topic and document."""
    qrels: Qrels = {}
    run: Run = {}
    for topic, judged, (scores,) in topics(n_topics, n_docs, in_order=in_order):
        qrels[topic], run[topic] = judged, scores
    return qrels, run


def rows(by_topic: Qrels | Run) -> Iterator[tuple[str, str, float]]:
    """Yield topic, document and number of each document."""
    return ((q, d, v) for q, docs in by_topic.items() for d, v in docs.items())


def frame(by_topic: Qrels | Run, *columns: str) -> Any:
    """Return judgements or a run as a pandas frame."""
    import pandas as pd

    return pd.DataFrame(rows(by_topic), columns=columns)


def write(folder: str, *numbers: int) -> None:
    """Write ``qrels`` and ``runs/000`` and so on, in a process of its own, as it takes memory."""
    subprocess.run([sys.executable, __file__, folder, *map(str, numbers)], check=True)


def _write(folder: Path, n_topics: int, n_docs: int, n_runs: int = 1) -> None:
    (folder / "runs").mkdir()
    files = [(folder / "runs" / f"{r:03}").open("w") for r in range(n_runs)]
    with (folder / "qrels").open("w") as qrels:
        for topic, judged, runs in topics(n_topics, n_docs, n_runs):
            qrels.writelines(f"{topic} 0 {doc} {n}\n" for doc, n in judged.items())
            for file, run in zip(files, runs, strict=True):
                file.writelines(
                    f"{topic} Q0 {doc} {rank} {score:.6f} tag\n"
                    for rank, (doc, score) in enumerate(run.items(), start=1)
                )
    for file in files:
        file.close()


def write_other_formats(folder: str, n_topics: int, n_docs: int) -> None:
    """Write the run as JSON, JSON lines and Parquet, too."""
    _, run = dicts(n_topics, n_docs)
    at = Path(folder)
    (at / "run.json").write_text(json.dumps(run))
    with (at / "run.jsonl").open("w") as lines:
        for topic, docs in run.items():
            results = [{"corpus_id": doc, "score": score} for doc, score in docs.items()]
            lines.write(json.dumps({"query_id": topic, "results": results}) + "\n")
    frame(run, "query_id", "doc_id", "score").to_parquet(at / "run.parquet")


if __name__ == "__main__":
    _write(Path(sys.argv[1]), *map(int, sys.argv[2:]))
