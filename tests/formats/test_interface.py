"""A new format is a class and a line in the table; folders and several runs then work with it."""

import sys
from types import ModuleType

import polars as pl
import pytest

from pres_plugin.files import FileError, runs, score
from pres_plugin.formats import read_qrels, read_run
from pres_plugin.formats.base import DataFile, UnclearError
from pres_plugin.formats.recognition import FORMATS, Format


class Lists(DataFile):
    """Lines of a run, a topic, and documents in their order; judged are all documents."""

    endings = (".lists",)
    has_runs = True

    def pieces(self, value):
        with open(self.path) as file:
            for line in file:
                run, topic, *docs = line.split()
                if not docs:
                    raise UnclearError(f"topic {topic!r} has no documents")
                columns = {"query_id": topic, "doc_id": docs}
                values = [1] * len(docs) if value == "relevance" else range(len(docs), 0, -1)
                kind = pl.Int64 if value == "relevance" else pl.Float64
                named = {"run": run} if value == "score" else {}
                yield pl.DataFrame(named | columns | {value: values}).cast({value: kind})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    module = ModuleType("pres_plugin.formats.lists")
    module.Lists = Lists
    monkeypatch.setitem(sys.modules, module.__name__, module)
    line = Format(lambda start, reading: False, (".lists",), "lists", "Lists")
    monkeypatch.setitem(FORMATS, "lists", line)
    (tmp_path / "qrels.lists").write_text("- q1 a b\n- q2 c\n")
    return tmp_path


LINES = ["one q1 x a\n", "two q1 b a\n", "one q2 c\n"]
EXPECTED = [
    ("one", "q1", "R@1", 0.0),
    ("one", "q2", "R@1", 1.0),
    ("two", "q1", "R@1", 0.5),
    ("two", "q2", "R@1", 0.0),
]


def scored(folder, runs):
    return score(folder / "qrels.lists", folder / runs, "R@1").rows()


@pytest.mark.parametrize("rows_in_memory", [1, 3, 100])
@pytest.mark.parametrize("scattered", [False, True])
def test_a_file_of_several_runs_is_scored(folder, monkeypatch, rows_in_memory, scattered):
    monkeypatch.setattr(runs, "ROWS_IN_MEMORY", rows_in_memory)
    lines = [*LINES, "one q1 z\n"] if scattered else LINES
    (folder / "runs.lists").write_text("".join(lines))
    assert scored(folder, "runs.lists") == EXPECTED


def test_a_run_of_several_is_read_as_a_dict(folder):
    path = folder / "runs.lists"
    path.write_text("".join(LINES))
    assert read_run(path, run="one") == {"q1": {"x": 2.0, "a": 1.0}, "q2": {"c": 1.0}}
    assert read_qrels(folder / "qrels.lists") == {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}
    path.write_text("one q1 a b a\n")
    with pytest.raises(FileError, match="document 'a' is in topic 'q1' already"):
        read_run(path)


def test_the_files_of_a_folder_are_one_table(folder):
    (folder / "runs").mkdir()
    for i, line in enumerate(LINES):
        (folder / "runs" / f"{i}.lists").write_text(line)
    assert scored(folder, "runs") == EXPECTED


def test_without_a_careful_reader_the_error_of_a_piece_is_that_of_the_file(folder):
    (folder / "runs.lists").write_text("one q1\n")
    with pytest.raises(FileError, match=r"runs\.lists: topic 'q1' has no documents$"):
        scored(folder, "runs.lists")


def test_a_file_without_rows_is_an_error(folder):
    (folder / "runs.lists").write_text("")
    with pytest.raises(FileError, match=r"runs\.lists: the file contains no rows$"):
        scored(folder, "runs.lists")
