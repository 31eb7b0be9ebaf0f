"""Generate the folder ``patents`` next to this script: four made-up systems, twenty made-up topics.

    python docs/examples/patents.py

Each system finds some of the relevant documents, at random ranks. The Boolean
search finds few, but early. The search that follows citations finds most, but
late. Each run contains 100 documents per topic. The judgements contain all
relevant documents, and the first ten documents of each system.
"""

import gzip
import random
from pathlib import Path

FOLDER = Path(__file__).parent / "patents"

N_TOPICS, DEPTH = 20, 100

#: For each system, the fraction of the relevant documents that it finds, and their mean rank.
SYSTEMS = {
    "boolean": (0.45, 8),
    "bm25": (0.75, 22),
    "citations": (0.9, 32),
    "dense": (0.7, 22),
}


def topic(number):
    """Return the relevant documents of a topic, and other documents."""
    rng = random.Random(f"topic {number}")
    doc_ids = [f"EP{i}" for i in rng.sample(range(1_000_000, 2_000_000), 240)]
    n = rng.randint(4, 30)
    return doc_ids[:n], doc_ids[n:]


def ranking(number, system):
    """Return the ranking of a system for a topic, best first."""
    relevant, others = topic(number)
    part, mean_rank = SYSTEMS[system]
    rng = random.Random(f"{system} {number}")
    # Topics differ in difficulty, and the difficulty affects all documents of the topic.
    mean_rank *= rng.uniform(0.4, 1.6)
    at = {}
    for doc_id in relevant:
        if rng.random() < part:
            rank = 1 + int(rng.expovariate(1 / mean_rank))
            while rank in at:
                rank += 1
            at[rank] = doc_id
    rest = iter(rng.sample(others, len(others)))
    return [at.get(rank) or next(rest) for rank in range(1, DEPTH + 1)]


def files():
    """Return the lines of each file, by file name."""
    qrels, runs = [], {system: [] for system in SYSTEMS}
    for number in range(1, N_TOPICS + 1):
        relevant, _ = topic(number)
        judged = set(relevant)
        for system, lines in runs.items():
            found = ranking(number, system)
            judged.update(found[:10])
            lines += [
                f"T{number:02} Q0 {doc_id} {rank} {DEPTH + 1 - rank} {system}\n"
                for rank, doc_id in enumerate(found, start=1)
            ]
        qrels += [
            f"T{number:02} 0 {doc_id} {int(doc_id in relevant)}\n" for doc_id in sorted(judged)
        ]
    return {"qrels.txt": qrels} | {f"{system}.run.gz": lines for system, lines in runs.items()}


def main():
    """Write the files to the folder."""
    FOLDER.mkdir(exist_ok=True)
    for name, lines in files().items():
        text = "".join(lines).encode()
        # gzip stores a time. Setting it to 0 makes the files the same each time they are written.
        (FOLDER / name).write_bytes(gzip.compress(text, mtime=0) if name.endswith("gz") else text)


if __name__ == "__main__":
    main()
