"""Documents are folded into families everywhere in the same way: as by hand."""

import json
import math

import narwhals as nw
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from beginnings import raises, warns
from hypothesis import given
from hypothesis import strategies as st
from written import parquet

from pres_plugin import InputError, pres
from pres_plugin.families import fold, unmapped
from pres_plugin.files import score
from pres_plugin.frames import fold_families
from pres_plugin.study import scoring
from pres_plugin.tables.mappings import mapping_of, read_groups, read_table

N_MAX = 4
DOCS = [f"EP{number}{kind}" for number in (1234567, 2345678) for kind in ("A1", "B1")] + ["x", "y"]
FAMILIES = {"EP1234567A1": "F1", "EP1234567B1": "F1", "EP2345678A1": "F2", "x": "F2"}


def by_hand(run, qrels, families):
    """Return PRES of the documents' families, counted in the plainest way."""
    groups = {}
    for doc in DOCS:
        groups.setdefault(families.get(doc, doc), set()).add(doc)
    found = {
        f: max(run[d] for d in docs & run.keys()) for f, docs in groups.items() if docs & run.keys()
    }
    judged = {f for f, docs in groups.items() if any(qrels.get(d, 0) > 0 for d in docs)}
    ranking = sorted(found, key=lambda family: (found[family], family), reverse=True)
    return pres([i for i, f in enumerate(ranking, 1) if f in judged], len(judged), N_MAX)


# Few scores, so that members of a family and families tie.
RUNS = st.dictionaries(st.sampled_from(DOCS), st.sampled_from([0.0, 1.0, 2.5]), min_size=1)
QRELS = st.dictionaries(st.sampled_from(DOCS), st.integers(-1, 2), min_size=1)


@pytest.mark.ci
@pytest.mark.parametrize("families", [FAMILIES, "publications"], ids=["mapping", "publications"])
@pytest.mark.filterwarnings("ignore:.*have no family")
def test_all_interfaces_fold_alike(tmp_path, families):
    names = families if isinstance(families, dict) else {d: d[:-2] for d in DOCS if d[:2] == "EP"}

    @given(RUNS, QRELS)
    def check(run, qrels):
        expected = by_hand(run, qrels, names)
        (tmp_path / "run").write_text("".join(f"q Q0 {d} 1 {s} t\n" for d, s in run.items()))
        (tmp_path / "qrels").write_text("".join(f"q 0 {d} {n}\n" for d, n in qrels.items()))
        measure = f"PRES@{N_MAX}"
        found = score(tmp_path / "qrels", tmp_path / "run", measure, families=families)
        assert found["value"].to_list() == [expected]
        folded = fold({"q": run}, families)
        found = scoring.score(fold({"q": qrels}, families), {"run": folded}, [measure])
        assert found.means.tolist() == [[expected]]
        for library in (pd, pl):
            rows = library.DataFrame(
                {"query_id": ["q"] * len(run), "doc_id": [*run], "s": [*run.values()]}
            )
            frame = fold_families(rows, families, "s")
            assert dict(zip(frame["doc_id"], frame["s"], strict=True)) == folded["q"]

    check()


def test_documents_without_a_family_are_counted_once(tmp_path):
    lines = [f"q{i} Q0 {doc_id} 1 {i} t\n" for i in range(20_000) for doc_id in "xyz"]
    (tmp_path / "run").write_text("".join(lines))
    (tmp_path / "qrels").write_text("q1 0 x 1\nq2 0 x 1\n")
    with warns(UserWarning, f"{tmp_path}/run: 2 of 3 documents have no family"):
        score(tmp_path / "qrels", tmp_path / "run", "PRES@4", families=FAMILIES)
    assert unmapped({"q": {"x": 1, "z": 2}}, FAMILIES) == {"z"}


LIBRARIES = [pd.DataFrame, pl.DataFrame, pa.table]


def test_a_member_whose_score_is_nan_is_refused():
    said = "topic 'q', document 'b': the score or relevance .*NaN"
    families, numbers = {"a": "F", "b": "F"}, [2.0, math.nan]
    with raises(ValueError, said):
        fold({"q": dict(zip("ab", numbers, strict=True))}, families)
    for library in LIBRARIES:
        rows = library({"query_id": ["q", "q"], "doc_id": ["a", "b"], "s": numbers})
        with raises(InputError, said):
            fold_families(rows, families, "s")


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("families", [{"x": "F", "z": "F"}, "publications"])
def test_a_missing_id_stays_missing(library, families):
    rows = library({"query_id": ["q"] * 3, "doc_id": ["x", None, "z"], "s": [1.0, 2.0, 3.0]})
    found = nw.from_native(fold_families(rows, families, "s")).get_column("doc_id")
    assert found.drop_nulls().to_list() == [*fold({"q": {"x": 1.0, "z": 3.0}}, families)["q"]]
    assert found.is_null().sum() == 1


@pytest.mark.parametrize(
    ("families", "error"), [("kind-codes", ValueError), (["a"], TypeError), ({"a": 1}, TypeError)]
)
def test_other_families_are_refused(families, error):
    for function in (fold, unmapped):
        with raises(error, r"families must (map ids|be a dict or 'publications')"):
            function({}, families)


ROWS = [("a", "1"), ("b", "1"), ("c", "2")]
MAPPINGS = {
    "f.csv": b"family,doc_id\n1,a\n1,b\n2,c\n",
    "excel.csv": "Publication No.;Family ID\r\na;1\r\n;\r\nb;1\r\nc;2\r\n".encode("utf-16"),
    "f.json": json.dumps(dict(ROWS)).encode(),
    "f.parquet": parquet(("docno", "family"), ROWS),
}


@pytest.mark.parametrize("name", MAPPINGS)
def test_families_are_read_from_files(tmp_path, name):
    (tmp_path / name).write_bytes(MAPPINGS[name])
    assert mapping_of(*read_table(str(tmp_path / name), "family")) == dict(ROWS)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("topic,group\nq1,A\nq1,B\n", ": the group of topic 'q1' is 'A' and 'B'"),
        ("topic,group\nq1,\n", ", line 2: topic 'q1': the group is empty"),
        ('{"q1": ["A"]}', r': expected text as its group, got \["A"\]'),
        ("q1,A\n", ": these columns are missing: query_id and group.*are q1, A"),
        ("", ": the file is empty"),
    ],
)
def test_wrong_groups_are_named(tmp_path, content, said):
    path = tmp_path / "groups"
    path.write_text(content)
    with raises(InputError, f"{path}{said}"):
        read_groups(str(path))
