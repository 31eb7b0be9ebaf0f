"""ASReview's project files are read as ASReview wrote them, or rejected with a reason."""

import gzip
import json
import os
import tempfile
import threading
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from asreview_files import DATASET, RECORD, RESULTS, database, members, simulation, write
from hypothesis import given, settings
from hypothesis import strategies as st

from pres_plugin.formats.asreview import project as module
from pres_plugin.formats.asreview.project import Screening, read_screening
from pres_plugin.formats.base import FileError

LABELS = [0, 1, 0, 1, 1, 0]
ORDER, PRIORS = [4, 0, 1], [3, 2]
EXPECTED = Screening(
    ["3", "2"], ["4", "0", "1"], {"0": 0, "1": 1, "2": 0, "3": 1, "4": 1, "5": 0}, True
)


@pytest.mark.parametrize("version", [2, 3])
def test_records_come_in_the_order_in_which_they_were_screened(tmp_path, version):
    path = simulation(tmp_path / "a.asreview", LABELS, ORDER, PRIORS, version=version)
    assert read_screening(path) == {DATASET: EXPECTED}


def test_records_without_a_label_are_not_judged_unless_it_is_a_simulation(tmp_path):
    labels = [1, None, None, None, None]
    screened = [(3, 1), (2, 0), (4, None)]  # the user is reading record 4
    path = simulation(tmp_path / "a.asreview", labels, screened, [0], mode="oracle")
    expected = Screening(["0"], ["3", "2"], {"0": 1, "3": 1, "2": 0}, False)
    assert read_screening(path) == {DATASET: expected}


def test_each_dataset_is_called_by_its_file_and_keeps_its_own_order(tmp_path):
    content = members([1, 0], [1, 0])
    rows = [(0, "x", "t", 1, 5), (1, "y", "t", 0, 6), (1, "x", "t", 0, 7)]
    content["results.db"] = database(
        RECORD, RESULTS,
        many=[
            ("INSERT INTO record(dataset_row, dataset_id, title, included, record_id) "
             "VALUES (?, ?, ?, ?, ?)", rows),
            ("INSERT INTO results(record_id, label, querier) VALUES (?, ?, 'max')",
             [(7, 0), (6, 0), (5, 1)]),
        ],
    )  # fmt: skip
    config = json.loads(content["project.json"])
    config["datasets"] = [{"id": "x", "name": "a.ris"}, {"id": "y", "name": "b.csv"}]
    content["project.json"] = json.dumps(config)
    assert read_screening(write(tmp_path / "a.asreview", content)) == {
        "a.ris": Screening([], ["7", "5"], {"5": 1, "7": 0}),
        "b.csv": Screening([], ["6"], {"6": 0}),
    }


def test_a_file_may_be_compressed_again(tmp_path):
    path = Path(simulation(tmp_path / "a.asreview", LABELS, ORDER, PRIORS))
    packed = tmp_path / "a.asreview.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read_screening(str(packed)) == {DATASET: EXPECTED}


def with_config(**changes):
    def changed(content):
        config = {**json.loads(content["project.json"]), **changes}
        kept = {name: value for name, value in config.items() if value is not None}
        content["project.json"] = json.dumps(kept)

    return changed


def replaced(**new):
    return lambda content: content.update(
        {name.replace("__", "/").replace("_", "."): data for name, data in new.items()}
    )


def without(member):
    return lambda content: content.pop(member)


def rows(records=((0, "d", "t", 1, 0),), results=((0, 1),), record=RECORD, result=RESULTS):
    """Replace the database by one with these rows."""
    insert = "INSERT INTO record(dataset_row, dataset_id, title, included, record_id) VALUES "
    return replaced(
        results_db=database(
            record, result,
            many=[
                (insert + "(?, ?, ?, ?, ?)", records),
                ("INSERT INTO results(record_id, label, querier) VALUES (?, ?, 'max')", results),
            ],
        )
    )  # fmt: skip


LOOSE = RESULTS.replace("INTEGER UNIQUE, label INTEGER", "BLOB, label BLOB")
VIEW = "CREATE VIEW results AS SELECT 0 AS record_id, 1 AS label, 'max' AS querier, 0 AS rowid"
COMPUTED = RESULTS.replace("label INTEGER", "label INTEGER AS (1)")


@pytest.mark.parametrize(
    ("change", "version", "message"),
    [
        (without("project.json"), 3, "contains no project.json"),
        (replaced(project_json="{"), 3, "project.json is not valid JSON"),
        (replaced(project_json="[" * 100_000), 3, "project.json is not valid JSON"),
        (replaced(project_json="[]"), 3, "project.json must contain a JSON object"),
        (replaced(project_json=b" " * ((1 << 24) + 1)), 3, "larger than the maximum of 16 MiB"),
        (with_config(project_file_version=1), 3, "version '1' cannot be read; import it into"),
        (with_config(project_file_version=4), 3, "version '4' cannot be read; versions 2 and 3"),
        (with_config(project_file_version=None, version="1.6.6"), 3, "version '1' cannot"),
        (with_config(project_file_version=None, version=None), 3, "version '' cannot"),
        (with_config(project_file_version=[3]), 3, "version '[3]' cannot"),
        (with_config(datasets=[{"id": "x"}]), 3, "each needs an id and a name"),
        (with_config(datasets=[{"id": [], "name": "x"}]), 3, "each needs an id and a name"),
        (with_config(datasets=7), 3, "each needs an id and a name"),
        (
            with_config(datasets=[{"id": "x", "name": "z"}, {"id": "y", "name": "z"}]),
            3,
            "two have the same name",
        ),
        (with_config(reviews=[]), 2, "contains no review or simulation yet"),
        (with_config(reviews=[{"id": "r"}, {"id": "s"}]), 2, "contains 2 reviews"),
        (with_config(reviews=[{"id": "../../etc"}]), 2, "no 'reviews/../../etc/results.db'"),
        (with_config(reviews=["r"]), 2, "each needs an id"),
        (without("results.db"), 3, "contains no 'results.db'"),
        (without("data_store.db"), 2, "contains no 'data_store.db'"),
        (without("reviews/r/results.db"), 2, "contains no 'reviews/r/results.db'"),
        (replaced(results_db=b""), 3, "results.db contains no table 'record'"),
        (replaced(results_db=b"text" * 999), 3, "results.db is damaged or not a database"),
        (replaced(results_db=database(RECORD)), 3, "contains no table 'results'"),
        (rows(results=[]), 3, "no record has been screened yet"),
        (rows(results=[(0, None)]), 3, "no record has been screened yet"),
        (rows(records=[(0, "d", "t", None, 0)]), 3, "record 0 has no label"),
        (rows(records=[(0, "d", "t", 2, 0)]), 3, "record 0 must be labelled 0 or 1, got 2"),
        (rows(records=[(0, "d" * 5000, "t", 1, 0)]), 3, "record 0 belongs to no dataset"),
        (rows(records=[(0, b"d", "t", 1, 0)]), 3, "record 0 belongs to no dataset"),
        (rows(results=[(0, "yes")]), 3, "record 0 must be labelled 0 or 1, got 'yes'"),
        (rows(results=[(0.0, 1)], result=LOOSE), 3, "record 0.0 was screened, but is not"),
        (rows(results=[(9, 1)]), 3, "record 9 was screened, but is not in the dataset"),
        (rows(results=[(0, 1), (0, 1)], result=LOOSE), 3, "record 0 was screened twice"),
        (replaced(results_db=database(RECORD, VIEW)), 3, "contains no table 'results'"),
        (replaced(results_db=database(RECORD, COMPUTED)), 3, "contains computed values"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_line_that_names_the_file(tmp_path, change, version, message):
    content = members(LABELS, ORDER, version=version)
    change(content)
    path = write(tmp_path / "bad.asreview", content)
    with pytest.raises(FileError) as error:
        read_screening(path)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not an ASReview project"),
        (b"1 0 d 1\n", "not an ASReview project"),
        (None, "there is no such file"),
    ],
)
def test_a_file_that_is_no_archive_is_named(tmp_path, content, message):
    path = tmp_path / "a.asreview"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FileError, match=f"^mine: .*{message}"):
        read_screening(str(path), "mine")


def test_a_folder_and_a_pipe_are_rejected(tmp_path):
    with pytest.raises(FileError, match="cannot be read"):
        read_screening(str(tmp_path))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=[b"PK"])
    writer.start()
    with pytest.raises(FileError, match="cannot be read from a pipe"):
        read_screening(str(pipe))
    writer.join()


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compression_is_rejected(tmp_path, method):
    path = write(tmp_path / "a.asreview", members(LABELS, ORDER), method)
    with pytest.raises(FileError, match="with a method that ASReview does not use"):
        read_screening(path)


def test_an_archive_made_to_fill_the_disk_is_not_unpacked(tmp_path, monkeypatch):
    written = []
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(
        module, "TemporaryDirectory", lambda **_: written.append(1) or tempfile.TemporaryDirectory()
    )
    content = members(LABELS, ORDER)
    content["results.db"] += bytes(80 << 20)  # 80 MiB, packed to 80 KiB
    path = write(tmp_path / "bomb.asreview", content)
    assert os.path.getsize(path) < 1 << 20
    with pytest.raises(FileError, match=r"results\.db is larger than the maximum of 64 MiB"):
        read_screening(path)
    assert written
    assert os.listdir(tmp_path) == ["bomb.asreview"]


def test_no_other_member_is_unpacked(tmp_path):
    content = {**members(LABELS, ORDER, PRIORS), "../escaped": "x", "data/x.csv": "x"}
    path = write(tmp_path / "a.asreview", content)
    assert read_screening(path) == {DATASET: EXPECTED}
    assert os.listdir(tmp_path) == ["a.asreview"]


@pytest.fixture(scope="module", params=[2, 3])
def whole(request, tmp_path_factory):
    """The bytes of a file, and a path to write damaged ones to."""
    path = tmp_path_factory.mktemp("damaged") / "a.asreview"
    simulation(path, LABELS, ORDER, PRIORS, version=request.param)
    return path.read_bytes(), path.with_name("b.asreview")


@settings(max_examples=20)
@given(data=st.data())
def test_a_damaged_file_is_rejected_or_read_as_before(whole, data):
    content, path = whole
    at = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        damaged = content[:at]
    else:
        damaged = content[:at] + bytes([data.draw(st.integers(0, 255))]) + content[at + 1 :]
    path.write_bytes(damaged)
    with suppress(FileError):
        assert read_screening(str(path)) == {DATASET: EXPECTED}


@settings(max_examples=20)
@given(data=st.data())
def test_a_damaged_database_never_stops_the_reader_with_another_error(whole, data):
    _, path = whole
    content = members(LABELS, ORDER, PRIORS)
    damaged = bytearray(content["results.db"])
    for _ in range(data.draw(st.integers(1, 20))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    content["results.db"] = bytes(damaged)
    write(path, content)
    with suppress(FileError):
        for screening in read_screening(str(path)).values():
            assert set(screening.screened) <= set(screening.labels)
