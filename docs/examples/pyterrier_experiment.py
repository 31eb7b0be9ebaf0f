"""Compare three retrieval models by PRES in a PyTerrier experiment, then tune BM25 for PRES.

In a clone of pres-plugin, run:

    pip install '.[pyterrier]' pyterrier-pisa
    python docs/examples/pyterrier_experiment.py [COLLECTION]

COLLECTION is a folder that contains ``doc-text.trec``, ``query-text.trec`` and
``qrels.txt``, in TREC's formats. The first two may be compressed with gzip, with
the ending ``.gz``. Without COLLECTION, the script uses 35 short texts about
growing fruit, in the folder ``harvest``. PISA indexes the documents in a
temporary folder. It does not need Java.
"""

import gzip
import os
import re
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import pyterrier as pt
from pyterrier.measures import AP, PRES, PRES_est, R, Rnorm
from pyterrier_pisa import PisaIndex


@contextmanager
def quiet():
    """Hide PISA's messages.

    PISA is not written in Python, so replacing `sys.stdout` and `sys.stderr` has no effect on it.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    terminal = [os.dup(1), os.dup(2)]
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for descriptor, copy in zip((1, 2), terminal, strict=True):
            os.dup2(copy, descriptor)
            os.close(copy)


def text_of(folder, name):
    """Return the text of a file, which may be compressed with gzip."""
    plain, gzipped = folder / name, folder / f"{name}.gz"
    return plain.read_text() if plain.exists() else gzip.open(gzipped, "rt").read()


def documents(folder):
    """Return the documents of a collection in the form that PyTerrier indexes."""
    found = re.findall(r"<DOCNO>(.+?)</DOCNO>(.+?)</DOC>", text_of(folder, "doc-text.trec"), re.S)
    return [{"docno": docno.strip(), "text": text.strip()} for docno, text in found]


def topics(folder):
    """Return the topics of a collection as a dataframe for PyTerrier."""
    found = re.findall(
        r"<num>(.+?)</num>\s*<title>(.+?)</title>", text_of(folder, "query-text.trec"), re.S
    )
    return pd.DataFrame(
        [(qid.strip(), title.strip()) for qid, title in found], columns=["qid", "query"]
    )


def experiment(index, queries, qrels, measures, depth):
    """Score three models, each retrieving `depth` documents, and test two of them against BM25."""
    models = {
        "BM25": index.bm25(num_results=depth),
        "query likelihood": index.qld(num_results=depth),
        "PL2": index.pl2(num_results=depth),
    }
    return pt.Experiment(
        list(models.values()),
        queries,
        qrels,
        measures,
        names=[f"{name}, top {depth}" for name in models],
        baseline=0,
        correction="holm",
        validate="error",
    )


def table(results, measures):
    """Format the means of each system, with a star if it differs from BM25 at the 5 % level."""
    shown = results[["name"]].copy()
    for name in map(str, measures):
        differs = results[f"{name} p-value corrected"] < 0.05
        shown[name] = [
            f"{mean:.4f}{'*' if star else ' '}"
            for mean, star in zip(results[name], differs, strict=True)
        ]
    return shown.to_string(index=False)


class BM25(pt.Transformer):
    """BM25 with parameters that PyTerrier can vary."""

    def __init__(self, index, k1=0.9, b=0.4):
        self.index, self.k1, self.b = index, k1, b

    def transform(self, queries):
        """Return the ranked documents for each query."""
        return self.index.bm25(k1=self.k1, b=self.b)(queries)


def main(folder):
    """Index the collection, compare the models, and tune BM25."""
    docs, queries = documents(folder), topics(folder)
    qrels = pt.io.read_qrels(str(folder / "qrels.txt"))
    n_docs = len(docs)
    # Values of Nmax. Those for the small collection are lower than its number of documents.
    few, many = (100, 1000) if n_docs > 1000 else (5, 20)
    measures = [
        AP,
        R @ few,
        R @ many,
        PRES @ few,
        PRES @ many,
        PRES_est @ 10,
        Rnorm(N=n_docs),
    ]
    with tempfile.TemporaryDirectory() as temporary:
        index = PisaIndex(f"{temporary}/index", text_field="text")
        with quiet():
            index.index(docs)
            results = pd.concat(
                [experiment(index, queries, qrels, measures, depth) for depth in (many, n_docs)]
            )
        print(f"{n_docs} documents, {len(queries)} topics; * differs from BM25 (t-test, Holm)")
        print(table(results, measures))

        bm25 = BM25(index)
        with quiet():
            _, best, _ = pt.GridSearch(
                bm25,
                {bm25: {"k1": [0.6, 0.8, 1.0, 1.2, 1.4], "b": [0.2, 0.3, 0.4, 0.5, 0.6]}},
                queries,
                qrels,
                metric=PRES @ few,
                return_type="both",
            )
        before = results[f"PRES@{few}"].iloc[0]
        print(
            f"\nBM25's PRES@{few} on the topics on which it was tuned: {best:.4f} "
            f"(k1={bm25.k1}, b={bm25.b}); was {before:.4f}"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "harvest")
