"""PRES in a PyTerrier experiment: three retrieval models, then BM25 tuned for PRES.

    pip install 'pres-plugin[pyterrier]' pyterrier-pisa
    python docs/examples/pyterrier_experiment.py [COLLECTION]

COLLECTION is a folder with ``doc-text.trec``, ``query-text.trec`` (either may be
gzipped, as ``.gz``) and ``qrels.txt``, in TREC's formats. Without it, 35 short
texts on growing fruit are searched, which come with this script. The documents
are indexed by PISA, in a temporary folder: no Java.
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
    """Keep PISA, which is not written in Python, from reporting each step on the terminal."""
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
    """The text of a file that may be gzipped."""
    plain, gzipped = folder / name, folder / f"{name}.gz"
    return plain.read_text() if plain.exists() else gzip.open(gzipped, "rt").read()


def documents(folder):
    """The documents of a collection, as PyTerrier indexes them."""
    found = re.findall(r"<DOCNO>(.+?)</DOCNO>(.+?)</DOC>", text_of(folder, "doc-text.trec"), re.S)
    return [{"docno": docno.strip(), "text": text.strip()} for docno, text in found]


def topics(folder):
    """The topics of a collection, as PyTerrier runs them."""
    found = re.findall(
        r"<num>(.+?)</num>\s*<title>(.+?)</title>", text_of(folder, "query-text.trec"), re.S
    )
    return pd.DataFrame(
        [(qid.strip(), title.strip()) for qid, title in found], columns=["qid", "query"]
    )


def experiment(index, queries, qrels, measures, depth):
    """Three models, the first `depth` documents of each, tested against BM25."""
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
    """Means of each system; a star where it differs from BM25 at the level of 5 %."""
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
        """Rank documents for the queries."""
        return self.index.bm25(k1=self.k1, b=self.b)(queries)


def main(folder):
    """Index, compare, tune."""
    docs, queries = documents(folder), topics(folder)
    qrels = pt.io.read_qrels(str(folder / "qrels.txt"))
    n_docs = len(docs)
    # What the user is willing to check: of the small collection, not all of it.
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
            f"\nBM25's PRES@{few}, tuned: {best:.4f} (k1={bm25.k1}, b={bm25.b}); was {before:.4f}"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "harvest")
