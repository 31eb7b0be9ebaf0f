"""Projects of ASReview with given labels."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

pytest.importorskip("asreview", reason="asreview is not installed")

from asreview import Project

DATASET = "data.csv"


def simulation(path, labels, screened, priors=(), *, mode="simulate"):
    """Write a project file, and return its path as a string.

    `labels` contains the label of each record in the data, None if it has none, and
    `screened` the ids in order, or pairs of id and label if that differs from the data.
    """
    pairs = [one if isinstance(one, tuple) else (one, labels[one]) for one in screened]
    with TemporaryDirectory() as folder:
        rows = [f"title {i},{'' if label is None else label}\n" for i, label in enumerate(labels)]
        data = Path(folder, DATASET)
        data.write_text("".join(["title,included\n", *rows]))
        with Project.create(Path(folder, "project"), project_mode=mode) as project:
            project.add_dataset(data)
            project.add_review()
            for record in priors:
                project.db.label_record(record, labels[record])
            ranking = [record for record, _ in pairs]
            project.db.add_last_ranking(ranking, "nb", "max", "balanced", "tfidf", len(priors))
            for record, label in pairs:
                project.db.query_top_ranked()
                if label is not None:  # else the user is reading it
                    project.db.label_record(record, label)
        project.export(Path(folder, "made.asreview"))
        shutil.copy(Path(folder, "made.asreview"), path)
    return str(path)
