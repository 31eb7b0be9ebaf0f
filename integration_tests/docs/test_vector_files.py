"""The test vectors are what their script writes, follow their schema, and are the papers'.

The page about them shows what known variants of PRES compute; here, each is computed from the
definition that the page gives. ``integration_tests/test_contract.py`` scores the vectors through
every interface.
"""

import csv
import io
import json
import re
from fractions import Fraction
from pathlib import Path

import make_vectors
import pytest

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "vectors"
PAGE = (DOCS / "how-to" / "check-your-implementation.md").read_text(encoding="utf-8")
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


# --- The page: what the known variants compute. --------------------------------------------------


def pres_of(ranks, n, n_max, divisor=None):
    """PRES by its formula, from the ranks that are assigned to all n relevant documents."""
    return 1 - (sum(ranks) - Fraction(n * (n + 1), 2)) / (divisor or n * n_max)


def missed_ranks(found, n, n_max):
    return [*found, *range(n_max + len(found) + 1, n_max + n + 1)]


def from_ranks(score):
    """Define a variant by a function that scores a topic from `n`, its ranks and the case."""

    def variant(case):
        topics = case["expected"]["topics"].values()
        values = [score(topic["n"], topic["ranks"], case) for topic in topics]
        return sum(values) / len(values)

    return variant


def missed_at(after):
    """All missed documents have the rank that is so far after Nmax."""

    def score(n, ranks, case):
        found = [rank for rank in ranks if rank <= case["n_max"]]
        ranks = found + [case["n_max"] + after] * (n - len(found))
        return pres_of(ranks, n, case["n_max"])

    return from_ranks(score)


def in_order(rank_documents):
    """The documents of the only topic are in the order that a function puts the rows in."""

    def variant(case):
        (rows,), (qrels,) = case["run"].values(), case["qrels"].values()
        docs = [doc for doc, _ in rank_documents(rows)]
        ranks = [docs.index(doc) + 1 for doc in qrels]
        return pres_of(ranks, len(ranks), case["n_max"])

    return variant


@from_ranks
def only_retrieved(n, ranks, case):
    return pres_of(ranks, len(ranks), case["n_max"])


@from_ranks
def length_for_n_max(n, ranks, case):
    (rows,) = case["run"].values()
    return pres_of(missed_ranks(ranks, n, len(rows)), n, len(rows))


def mean_of_retrieved(case):
    topics = case["expected"]["topics"]
    return sum(topics[topic]["PRES"] for topic in case["run"]) / len(case["run"])


def repeats_counted(case):
    (rows,), (qrels,) = case["run"].values(), case["qrels"].values()
    rows = sorted(rows, key=lambda row: -row[1])
    ranks = [rank for rank, (doc, _) in enumerate(rows, start=1) if doc in qrels]
    # Every rank counts as a document found: PRES = (found·Nmax - Σr + found(found+1)/2) / (n·Nmax).
    found, n, n_max = len(ranks), len(qrels), case["n_max"]
    return Fraction(2 * (found * n_max - sum(ranks)) + found * (found + 1), 2 * n * n_max)


VARIANTS = {
    "Missed documents at Nmax": missed_at(0),
    "Missed documents at Nmax + 1": missed_at(1),
    "Divided by n(Nmax − n)": from_ranks(
        lambda n, ranks, case: pres_of(ranks, n, case["n_max"], n * (case["n_max"] - n))
    ),
    "Only retrieved documents counted in n": only_retrieved,
    "No cutoff": from_ranks(lambda n, ranks, case: pres_of(ranks, n, case["n_max"])),
    "Nmax is the number of results": length_for_n_max,
    "Scores compared in 64 bits": in_order(lambda rows: sorted(rows, key=lambda row: -row[1])),
    "Ties by ascending id": in_order(lambda rows: sorted(rows, key=lambda row: (-row[1], row[0]))),
    "Ties by file order": in_order(lambda rows: sorted(rows, key=lambda row: -row[1])),
    "Topics without results left out": mean_of_retrieved,
    "Repeated documents counted twice": repeats_counted,
    "PRES_est": lambda case: case["expected"]["mean"]["PRES_est"],
    "Rnorm": lambda case: case["expected"]["mean"]["Rnorm"],
}


def shown_variants():
    """The rows of the page's table: a variant, a test vector, its PRES, and the variant's value."""
    table = re.search(r"<!-- table: variants -->\n(.*?)<!-- end -->", PAGE, flags=re.DOTALL)[1]
    for line in table.strip().splitlines()[2:]:
        variant, _, *cells = re.split(r" *\| *", line)[1:-1]
        for name, pres, instead in zip(*(cell.split(", ") for cell in cells), strict=True):
            yield pytest.param(variant, name.strip("`"), pres, instead, id=f"{variant}, {name}")


def test_the_page_shows_all_variants():
    assert list(dict.fromkeys(row.values[0] for row in shown_variants())) == list(VARIANTS)


@pytest.mark.parametrize(("variant", "name", "pres", "instead"), [*shown_variants()])
def test_the_page_shows_what_variants_compute(variant, name, pres, instead):
    values = CASES[name]["expected"]["mean"]["PRES"], VARIANTS[variant](CASES[name])
    assert tuple(f"{float(value):.3f}" for value in values) == (pres, instead)


def test_the_page_counts_the_cases():
    repeated = [case for case in CASES.values() if case["duplicates"] != "none"]
    assert len(repeated) == 6
    assert "the six\ncases whose `duplicates` is not `none`" in PAGE
    assert f"| {len(CASES)} cases: " in PAGE
