"""The test vectors are what their script writes, follow their schema, and are the papers'.

``integration_tests/test_vectors.py`` scores them through every interface.
"""

import csv
import io
import json
from fractions import Fraction
from pathlib import Path

import make_vectors
import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "vectors"
TEXT = {name: (FOLDER / name).read_text(encoding="utf-8") for name in make_vectors.files()}
VECTORS = json.loads(TEXT["pres-vectors.json"])
CASES = {case["name"]: case for case in VECTORS["cases"]}


def test_the_files_are_up_to_date():
    assert make_vectors.files() == TEXT


def test_the_json_file_follows_its_schema():
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    schema = json.loads((FOLDER / VECTORS["$schema"]).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(VECTORS)


def test_names_are_used_once():
    assert len(CASES) == len(VECTORS["cases"])


def test_the_csv_file_contains_the_same_cases():
    by_case = {}
    for row in csv.DictReader(io.StringIO(TEXT["pres-vectors.csv"])):
        parameters = {name: row[name] for name in ("about", "duplicates")}
        parameters |= {name: int(row[name]) for name in ("n_max", "n_docs")}
        empty = {"name": row["case"], "qrels": {}, "run": {}, "expected": {"topics": {}}}
        case = by_case.setdefault(row["case"], empty | parameters)
        values = {name: float(row[name]) for name in VECTORS["measures"] if row[name]}
        if row["topic"] == "mean":
            case["expected"]["mean"] = values
            continue
        qrels, run = (
            [tuple(pair.rsplit(":", 1)) for pair in row[column].split()]
            for column in ("qrels", "run")
        )
        if qrels:
            case["qrels"][row["topic"]] = {doc: int(relevance) for doc, relevance in qrels}
            ranks = [int(rank) for rank in row["ranks"].split()]
            case["expected"]["topics"][row["topic"]] = {"n": int(row["n"]), "ranks": ranks} | values
        if run:
            case["run"][row["topic"]] = [[doc, float(score)] for doc, score in run]
    assert by_case == CASES


@pytest.mark.parametrize(
    ("name", "measure", "printed"),
    [
        # SIGIR 2010, Tables 1 and 2. System 2's AP is misprinted there.
        ("paper-system-1", "AP", "0.25"),
        ("paper-system-1", "R", "0.25"),
        ("paper-system-1", "PRES", "0.25"),
        ("paper-system-2", "AP", "0.0475"),
        ("paper-system-2", "R", "1"),
        ("paper-system-2", "PRES", "0.505"),
        ("paper-system-3", "AP", "1"),
        ("paper-system-3", "R", "1"),
        ("paper-system-3", "PRES", "1"),
        ("paper-system-4", "AP", "0.2727"),
        ("paper-system-4", "R", "1"),
        ("paper-system-4", "PRES", "0.28"),
        # Table 3.
        ("paper-topic-1", "PRES", "0.039"),
        ("paper-topic-5", "PRES", "0.636"),
        ("paper-topic-8", "PRES", "0.964"),
    ],
)
def test_the_papers_examples_have_the_printed_values(name, measure, printed):
    digits = len(printed.partition(".")[2])
    assert round(CASES[name]["expected"]["mean"][measure], digits) == float(printed)


def test_missed_documents_have_the_ranks_of_the_worked_example():
    ranks = [3, 8, 20, 31, 54, 77, 100]
    assert make_vectors.with_missed(ranks, 10, 110) == [*ranks, 108, 109, 110]
    in_full = 1 - (Fraction(sum([*ranks, 108, 109, 110]), 10) - Fraction(11, 2)) / 100
    values = CASES["paper-missed-three-of-ten"]["expected"]["topics"]["q1"]
    assert (values["n"], values["ranks"], values["PRES"]) == (10, ranks, float(in_full))
