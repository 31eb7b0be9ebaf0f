"""Write project files as ASReview 3 does, without ASReview."""

import json
import sqlite3
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

# The tables of ASReview 3.0.8, less indexes, triggers and what nobody reads here.
RECORD = """CREATE TABLE record (
    dataset_row INTEGER NOT NULL, dataset_id VARCHAR NOT NULL, title VARCHAR NOT NULL,
    abstract VARCHAR NOT NULL DEFAULT '', authors JSON NOT NULL DEFAULT '[]',
    keywords JSON NOT NULL DEFAULT '[]', year INTEGER, doi VARCHAR, url VARCHAR,
    included INTEGER, record_id INTEGER NOT NULL, duplicate_of INTEGER,
    group_id INTEGER GENERATED ALWAYS AS (COALESCE(duplicate_of, record_id)) VIRTUAL,
    PRIMARY KEY (record_id), UNIQUE (dataset_row, dataset_id))"""
RESULTS = """CREATE TABLE results (
    record_id INTEGER UNIQUE, label INTEGER, classifier TEXT, querier TEXT, balancer TEXT,
    feature_extractor TEXT, training_set INTEGER, time FLOAT, note TEXT, tags JSON,
    user_id INTEGER)"""

DATASET = "data.csv"


def database(*filled):
    """Return ASReview's database as bytes, filled by pairs of a statement and rows."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.db")
        connection = sqlite3.connect(path)
        for statement in (RECORD, RESULTS):
            connection.execute(statement)
        for statement, rows in filled:
            connection.executemany(statement, rows)
        connection.commit()
        connection.close()
        return path.read_bytes()


def members(labels, screened, priors=(), *, mode="simulate"):
    """Return the content of each member of a project file.

    `labels` contains the label of each record in the data, None if it has none, and
    `screened` the ids in order, or pairs of id and label if that differs from the data.
    """
    records = [(i, DATASET, f"title {i}", label, i) for i, label in enumerate(labels)]
    pairs = [one if isinstance(one, tuple) else (one, labels[one]) for one in screened]
    rows = [(i, labels[i], None, None) for i in priors]
    rows += [(i, label, "max", number) for number, (i, label) in enumerate(pairs)]
    fill_records = (
        "INSERT INTO record (dataset_row, dataset_id, title, included, record_id) "
        "VALUES (?, ?, ?, ?, ?)",
        records,
    )
    fill_results = (
        "INSERT INTO results (record_id, label, querier, training_set) VALUES (?, ?, ?, ?)",
        rows,
    )
    config = {
        "version": "3.0",
        "project_file_version": 3,
        "id": "p",
        "mode": mode,
        "name": "p",
        "datasets": [{"id": DATASET, "name": DATASET}],
        "review": {"status": "finished", "model": {}},
    }
    return {
        "project.json": json.dumps(config),
        "results.db": database(fill_records, fill_results),
    }


def write(path, content, compression=zipfile.ZIP_DEFLATED):
    """Write a project file with these members, and return its path as a string."""
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return str(path)


def simulation(path, labels, screened, priors=(), **options):
    """Write a project file; see :func:`members`."""
    return write(path, members(labels, screened, priors, **options))
