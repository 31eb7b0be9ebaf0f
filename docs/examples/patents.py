"""Makes the folder ``patents`` beside it: four made-up systems on twenty made-up topics.

    python docs/examples/patents.py

Each system finds a part of the relevant documents, at ranks that are drawn at
random: a Boolean search few and early, one that follows citations most and late.
Runs have 100 documents a topic, judgements all that is relevant and, of the
rest, what any system has among its first ten.
"""

import gzip
import random
from pathlib import Path

FOLDER = Path(__file__).parent / "patents"

N_TOPICS, DEPTH = 20, 100

#: Of each system, the part of the relevant documents that it finds, and their mean rank.
SYSTEMS = {
    "boolean": (0.45, 8),
    "bm25": (0.75, 22),
    "citations": (0.9, 32),
    "dense": (0.7, 22),
}


def topic(number):
    """The documents of a topic: those that are relevant, and others."""
    rng = random.Random(f"topic {number}")
    doc_ids = [f"EP{i}" for i in rng.sample(range(1_000_000, 2_000_000), 240)]
    n = rng.randint(4, 30)
    return doc_ids[:n], doc_ids[n:]


def ranking(number, system):
    """What a system finds for a topic, best first."""
    relevant, others = topic(number)
    part, mean_rank = SYSTEMS[system]
    rng = random.Random(f"{system} {number}")
    # What is hard for one topic is so for all of its documents.
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
    """The text of each file, by name."""
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
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    for name, lines in files().items():
        text = "".join(lines).encode()
        # Without a time, the same text is the same file.
        (FOLDER / name).write_bytes(gzip.compress(text, mtime=0) if name.endswith("gz") else text)


if __name__ == "__main__":
    main()
