"""Lay out the data of the page "PRES on systematic reviews".

    git clone --no-checkout --depth 1 https://github.com/CLEF-TAR/tar clef-tar
    python docs/clef_tar.py clef-tar data/clef-tar-2017

The first argument is a clone of the repository of CLEF's task on technologically assisted
reviews. The second is the folder to write: the judgements, and a folder `runs` with 17 runs,
all compressed with gzip. The script reads the clone with git, so it needs no checkout. A
checkout fails on Windows, because the repository contains file names that Windows rejects.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

SOURCE = "2017-TAR"

#: Each file of the study, and where the repository keeps it.
FILES = {
    "qrels.abstract.txt.gz": "testing/qrels/qrel_abs_test.txt",
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


def lay_out(clone: Path, folder: Path) -> None:
    """Copy the files of the study from a clone into a folder, compressed with gzip."""
    for name, source in FILES.items():
        read = ["git", "-C", str(clone), "show", f"HEAD:{SOURCE}/{source}"]
        content = subprocess.run(read, check=True, stdout=subprocess.PIPE).stdout
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(content, mtime=0))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"usage: python {sys.argv[0]} CLONE FOLDER")
    lay_out(Path(sys.argv[1]), Path(sys.argv[2]))
