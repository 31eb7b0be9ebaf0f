"""Write project files as ASReview 2 and 3 do, without ASReview."""

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


def database(*statements, many=()):
    """Return a SQLite database as bytes, after these statements and (statement, rows)."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.db")
        connection = sqlite3.connect(path)
        for statement in statements:
            connection.execute(statement)
        for statement, rows in many:
            connection.executemany(statement, rows)
        connection.commit()
        connection.close()
        return path.read_bytes()


def members(labels, screened, priors=(), *, version=3, mode="simulate", dataset=DATASET):
    """Return the content of each member of a project file.

    `labels` contains the label of each record in the data, None if it has none, and
    `screened` the ids in order, or pairs of id and label if that differs from the data.
    """
    records = [(i, dataset, f"title {i}", label, i) for i, label in enumerate(labels)]
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
        "version": f"{version}.0",
        "id": "p",
        "mode": mode,
        "name": "p",
        "datasets": [{"id": dataset, "name": dataset}],
    }
    if version == 2:
        return {
            "project.json": json.dumps({**config, "reviews": [{"id": "r", "status": "finished"}]}),
            "data_store.db": database(RECORD, many=[fill_records]),
            "reviews/r/results.db": database(RESULTS, many=[fill_results]),
        }
    return {
        "project.json": json.dumps(
            {**config, "project_file_version": 3, "review": {"status": "finished", "model": {}}}
        ),
        "results.db": database(RECORD, RESULTS, many=[fill_records, fill_results]),
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
