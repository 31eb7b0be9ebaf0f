"""Files as public tools write them: each is read as it is, with options, or refused with advice.

``layouts.json`` names the source of each. The ids in it are invented; the columns are not, except
that some come from manuals (their sources say that no file was found). In
``qrels`` and ``run``, ``*`` is the only topic of a file without topics, and the documents in a list
are in order, best first. ``refused`` is a part of the message, for the readers in ``reads``.
"""

import inspect
import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from beginnings import raises, warns
from written import parquet, workbook

from pres_plugin.files import read_qrels, read_run, score
from pres_plugin.messages import InputError

LAYOUTS = json.loads(Path(__file__).with_name("layouts.json").read_text(encoding="utf-8"))
READERS = {"qrels": read_qrels, "run": read_run}


def archive(members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as written:
        for name, text in members.items():
            written.writestr(name, text)
    return file.getvalue()


def content(layout):
    if "text" in layout:
        return ("\n".join(layout["text"]) + "\n").encode()
    if "hex" in layout:
        return bytes.fromhex(layout["hex"])
    if "zip" in layout:
        return archive(layout["zip"])
    return (
        parquet(*layout["parquet"].values()) if "parquet" in layout else workbook(layout["sheets"])
    )


@pytest.fixture
def saved(tmp_path, layout):
    """The path of the file or folder of a layout."""
    path = tmp_path / layout["file"]
    if "folder" not in layout:
        path.write_bytes(content(layout))
        return path
    path.mkdir()
    for name, text in layout["folder"].items():
        (path / name).write_text(text + "\n")
    return path


def best_first(documents):
    return sorted(documents, key=documents.get, reverse=True)


def matches(found, expected):
    """Return what was found in the form of what was expected."""
    if [*expected] == ["*"] and len(found) == 1:
        found = {"*": next(iter(found.values()))}
    return {
        topic: best_first(documents) if isinstance(expected.get(topic), list) else documents
        for topic, documents in found.items()
    }


def read(kind, path, options):
    """Read a file with those of the options that concern runs or judgements."""
    reader = READERS[kind]
    if kind == "run":
        options = {k: v for k, v in options.items() if k not in ("grades", "all_relevant")}
    return reader(path, **options)


READ = [(each, kind) for each in LAYOUTS for kind in READERS if kind in each and "how" not in each]
REFUSED = [
    (each, kind) for each in LAYOUTS if "refused" in each for kind in each.get("reads", READERS)
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("layout", "kind"), READ, ids=[f"{e['name']} ({k})" for e, k in READ])
def test_layouts_are_read(saved, layout, kind):
    found = read(kind, saved, layout.get("options", {}))
    assert matches(found, layout[kind]) == layout[kind]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("layout", "kind"), REFUSED, ids=[f"{e['name']} ({k})" for e, k in REFUSED]
)
def test_layouts_are_refused_with_advice(saved, layout, kind):
    with raises(InputError, f"{re.escape(str(saved))}[:,] ") as error:
        read(kind, saved, layout.get("options", {}))
    assert layout["refused"] in str(error.value)


FOLDERS = [each for each in LAYOUTS if each.get("how") == "score"]


@pytest.mark.parametrize("layout", FOLDERS, ids=[each["name"] for each in FOLDERS])
def test_folders_skip_what_is_no_run(saved, layout, tmp_path):
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    skipped = [name for name in layout["folder"] if Path(name).stem not in layout["run"]]
    with warns(UserWarning, re.escape(f"{saved}: skipped, because")) as warned:
        scores = score(tmp_path / "qrels", saved, "R@5")
    assert scores["run"].to_list() == layout["run"]
    [message] = [
        str(each.message) for each in warned if any(n in str(each.message) for n in skipped)
    ]
    assert all(name in message for name in skipped)


FAMILIES = [each for each in LAYOUTS if "families" in each]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("layout", FAMILIES, ids=[each["name"] for each in FAMILIES])
def test_exports_are_tables_of_families(saved, layout, tmp_path):
    judged, retrieved = layout["families"]
    (tmp_path / "qrels.tsv").write_text(f"qid\tdocno\tlabel\nq1\t{judged}\t1\n")
    (tmp_path / "run.tsv").write_text(f"qid\tdocno\tscore\nq1\t{retrieved}\t1\n")
    options = layout.get("options", {})
    scores = score(tmp_path / "qrels.tsv", tmp_path / "run.tsv", "R@1", families=saved, **options)
    assert scores["value"].to_list() == [1]


def test_json_names_options_that_exist():
    known = set().union(*(inspect.signature(each).parameters for each in READERS.values()))
    assert {name for each in LAYOUTS for name in each.get("options", {})} <= known


def test_pages_write_options_of_layouts():
    pages = Path(__file__).parents[3] / "docs" / "how-to"
    names = ("patents", "screening", "e-discovery")
    text = "".join((pages / f"{name}.md").read_text(encoding="utf-8") for name in names)
    text = re.sub("^pres-eval: .*", "", text, flags=re.MULTILINE)
    options = [each.get("options", {}) for each in LAYOUTS]
    columns = re.findall(r'\b(doc_id|family|rank|relevance|score)=(?:"([^"]+)"|(\w+))', text)
    assert len(set(columns)) > 8
    tested = {item for each in options for item in each.get("columns", {}).items()}
    assert {(kind, quoted or word) for kind, quoted, word in columns} <= tested
    grades = {words.replace("\n", " ") for words in re.findall(r'--grades\s"([^"]+)"', text)}
    assert len(grades) > 2
    tested = [each["grades"].items() for each in options if "grades" in each]
    assert grades <= {",".join(f"{word}={grade}" for word, grade in each) for each in tested}
