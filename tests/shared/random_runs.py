"""A made-up collection for tests of whole studies."""

import random


def random_runs(n_runs, n_topics=5):
    """Judgements and runs: grades, ties, unjudged documents, missing and irrelevant topics."""
    rng = random.Random(0)
    qrels = {f"q{t}": {f"d{i}": rng.randint(-1, 2) for i in range(25)} for t in range(n_topics)}
    qrels["none"] = {"d1": 0}
    runs = {
        f"run{r}": {
            topic: {f"d{i}": rng.randint(0, 9) for i in rng.sample(range(40), 25)}
            for topic in qrels
        }
        for r in range(n_runs)
    }
    del runs["run0"]["q1"]
    return qrels, runs
