"""Lay out the data of the page "PRES on systematic reviews".

    git clone --no-checkout --depth 1 https://github.com/CLEF-TAR/tar clef-tar
    python docs/clef_tar.py clef-tar data/clef-tar-2017

The first argument is a clone of the repository of CLEF's task on technologically assisted
reviews. The second is the folder to write: the judgements, a folder `runs` with 17 runs, all
compressed with gzip, and two tables with the scores that the organisers published. The script
reads the clone with git, so it needs no checkout. A checkout fails on Windows, because the
repository contains file names that Windows rejects.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
from itertools import product
from pathlib import Path

SOURCE = "2017-TAR"

#: Each file of the study, and where the repository keeps it.
FILES = {
    "qrels.abstract.txt.gz": "testing/qrels/qrel_abs_test.txt",
    "qrels.content.txt.gz": "testing/qrels/qrel_content_test.txt",
    "runs/amc.run.gz": "participant-runs/AMC/clef-finals/amc.run.res",
    "runs/ecnu.run2.gz": "participant-runs/ECNU/run2.res.txt",
    "runs/ecnu.run3.gz": "participant-runs/ECNU/run3.res.txt",
    "runs/iiit.run1.gz": "participant-runs/IIIT/run1.res.txt",
    "runs/iiit.run2.gz": "participant-runs/IIIT/run2.res.txt",
    **{
        f"runs/padua.{name}.gz": f"participant-runs/Padua/cost/{name}"
        for name in (
            "ims_iafapc_m10p10f0t150p2m10",
            "ims_iafapc_m10p20f0t150p2m10",
            "ims_iafapc_m10p20f0t300p2m10",
            "ims_iafapc_m10p5f0t0p2m10",
        )
    },
    **{
        f"runs/qut.{name}.gz": f"participant-runs/QUT/{name}.txt"
        for name in ("result_bool_es_test", "result_pico_es_test")
    },
    **{
        f"runs/uos.{name}.gz": f"participant-runs/UOS/test/{name}.res"
        for name in ("sis.AL30Q_BM25", "sis.TMAL30Q_BM25")
    },
    **{
        f"runs/waterloo.{name}.gz": f"participant-runs/Waterloo/{name}.txt"
        for name in ("A-rank-normal", "A-thresh-normal", "B-rank-normal", "B-thresh-normal")
    },
}


#: What each table of published scores contains, after run, level and topic.
COUNTS = ("num_docs", "num_rels", "num_shown", "rels_found")
TABLES = {
    "official.tsv": (*COUNTS, "ap", "norm_area"),
    "official-effort.tsv": (*COUNTS, "last_rel", "wss_100", "wss_95"),
}

#: The published scores by each level of judgements: a file per run, with topic, name and value.
RESULTS = {
    "abstract": "participant-results-abstract/{}.results",
    "content": "participant-results-document/{}.results",
}

#: Runs without published scores (Padua's), or with repeated documents.
UNPUBLISHED = ("padua.", "uos.sis.TMAL30Q")
#: The scores in this file are not those of the run that the repository contains.
OF_ANOTHER_RUN = ("uos.sis.AL30Q_BM25", "abstract")


def lay_out(clone: Path, folder: Path) -> None:
    """Write the files of the study, and the tables of published scores, from a clone."""
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    for name, source in FILES.items():
        (folder / name).write_bytes(gzip.compress(content(clone, source), mtime=0))
    scores = published(clone)
    for name, columns in TABLES.items():
        rows = ["\t".join(("run", "level", "topic", *columns))]
        rows += [
            "\t".join((*key, *(of[column] for column in columns))) for key, of in scores.items()
        ]
        (folder / name).write_text("\n".join(rows) + "\n", encoding="utf-8")


def content(clone: Path, source: str) -> bytes:
    """Return the content of a file of the repository."""
    read = ["git", "-C", str(clone), "show", f"HEAD:{SOURCE}/{source}"]
    return subprocess.run(read, check=True, stdout=subprocess.PIPE).stdout


def published(clone: Path) -> dict[tuple[str, str, str], dict[str, str]]:
    """Return the published scores by name for each run, level and topic."""
    runs = [name.removeprefix("runs/").removesuffix(".gz") for name in FILES if "runs/" in name]
    scores: dict[tuple[str, str, str], dict[str, str]] = {}
    for run, (level, file) in product(runs, RESULTS.items()):
        if run.startswith(UNPUBLISHED) or (run, level) == OF_ANOTHER_RUN:
            continue
        for line in content(clone, file.format(run)).decode().splitlines():
            topic, *score = line.split("\t")
            if topic != "ALL" and len(score) == 2:  # other lines are messages
                name, value = score
                scores.setdefault((run, level, topic), {})[name] = value
    return scores


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"usage: python {sys.argv[0]} CLONE FOLDER")
    lay_out(Path(sys.argv[1]), Path(sys.argv[2]))
