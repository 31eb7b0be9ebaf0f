"""Somebody's values are read in the formats that people and programs write."""

import gzip
import json

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pres_plugin.formats.base import FileError
from pres_plugin.study.check.values import LARGEST, Number, Values, read_values

Q1, Q2, MEAN = Number(0.5, 3), Number(0.25, 3), Number(0.375, 3)
TOPICS = {"q1": Q1, "q2": Q2}
BOTH = {**TOPICS, None: MEAN}
ONLY_MEAN = {None: MEAN}

FILES = {
    "CSV": ("query_id,value\nq1,0.500\nq2,0.250\n", TOPICS),
    "CSV of pandas": (",topic,pres_100\n0,q1,0.500\n1,q2,0.250\n", TOPICS),
    "CSV, Windows": ("\ufeffquery_id,value\r\nq1,0.500\r\nq2,0.250\r\n", TOPICS),
    "TSV": ("topic\tpres\nq1\t0.500\nq2\t0.250\nALL\t0.375\n", BOTH),
    "two columns": ("q1 0.500\n\nq2   0.250\nall 0.375", BOTH),
    "trec_eval": (
        "runid                 \tall\tmine\nmap                   \tq1\tnan\n"
        "pres_100              \tq1\t0.500\nmap                   \tq2\t0.2\n"
        "pres_100              \tq2\t0.250\npres_100              \tall\t0.375\n",
        BOTH,
    ),
    "two runs": (
        "run,query_id,value\nother,q1,0.9\nmine.run,q1,0.500\nmine.run,q2,0.250\n",
        TOPICS,
    ),
    "another run's name": (
        "other.run\tq1\tPRES@100\t0.500\nother.run\tq2\tPRES@100\t0.250",
        TOPICS,
    ),
    "JSON": ('{"q1": 0.500, "q2": 0.250, "all": 0.375}', BOTH),
    "JSON, records": ('[{"qid": "q1", "pres": 0.500}, {"qid": "q2", "pres": 0.250}]', TOPICS),
    "escaped topics": ("a\\tb\t0.500\n", {"a\tb": Q1}),
}


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Read a file with this content, called `values`."""
    monkeypatch.chdir(tmp_path)

    def read(content, judged=("q1", "q2", "a\tb"), run="mine.run", rel=1):
        content = content.encode() if isinstance(content, str) else content
        (tmp_path / "values").write_bytes(content)
        return read_values("values", 100, judged, run, rel=rel)

    return read


@pytest.mark.parametrize(("content", "expected"), FILES.values(), ids=FILES)
def test_formats(read, content, expected):
    assert read(content) == Values(expected)
    assert read(gzip.compress(content.encode())) == Values(expected)


def lines(form, values):
    return "".join(form.format(*item) for item in values.items())


#: How a file contains several measures of topic q1, or in the last three layouts their means.
LAYOUTS = {
    "trec_eval": lambda values: lines("{}\tq1\t{}\n", values),
    "ir_measures -q": lambda values: lines("q1\t{}\t{}\n", values),
    "pres-eval -q": lambda values: lines("mine.run\tq1\t{}\t{}\n", values),
    "wide CSV": lambda values: pd.DataFrame([{"qid": "q1", **values}]).to_csv(index=False),
    "wide table": lambda values: (
        lines("{1}", {"": f"qid  {'  '.join(values)}\n-- ---\n"})
        + "  ".join(["q1", *map(str, values.values())])
    ),
    "JSON, wide records": lambda values: json.dumps([{"qid": "q1", **values}]),
    "JSON of measures": json.dumps,
    "ir_measures": lambda values: lines("{}\t{}\n", values),
    "pres-eval": lambda values: lines("mine.run\t{}\t{}\n", values),
}
OF_MEANS = list(LAYOUTS)[-3:]


@pytest.mark.parametrize(
    ("rel", "chosen", "others"),
    [
        (1, "PRES@100", ["PRES(rel=2)@100", "PRES(rel=2,judged_only=True)@100", "PRES@10"]),
        (2, "PRES(rel=2)@100", ["PRES(rel=2,judged_only=True)@100", "PRES@100", "pres_100"]),
        (1, "pres.100", ["PRES(rel=2)@100", "PRES", "pres_10"]),
        (2, "pres_100", ["PRES@100", "Pres"]),  # trec_eval sets the level with an option
    ],
)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_one_pres_ap_and_recall_are_chosen_in_all_layouts_and_orders(
    read, layout, rel, chosen, others
):
    for names in ([chosen, *others], [*others, chosen]):
        values = {name: 0.125 if name == chosen else 0.5 for name in names}
        values |= {"AP": 1, "R@10": 1, "map_cut_100": 0.0625, "recall_100": 0.25}
        topic = None if layout in OF_MEANS else "q1"
        assert read(LAYOUTS[layout](values), rel=rel) == Values(
            {topic: Number(0.125, 3)}, {topic: Number(0.0625, 4)}, {topic: Number(0.25, 2)}
        )


WRONG = {
    "empty": (" \n\t\n", "values: the file is empty"),
    "not UTF-8": (b"q1,0.5\nq\xff,0.5\n", "values: line 2 is not UTF-8 text"),
    "damaged": (gzip.compress(b"q1,0.5\n")[:-4], "values: the compressed file is damaged (Comp"),
    "too large": (gzip.compress(b" " * (LARGEST + 1)), "values: a file of values may be at most"),
    "two unknown columns": ("topic,a,b\nq1,1,1\n", "values: there is no measure PRES@100; found a"),
    "not a number": ("q1 0.5\nq2 high\n", "values: 'q2': 'high' is not a finite number"),
    "repeated topic": ("q1 0.5\nq1 0.5\n", "values: 'q1' already has a value"),
    "no PRES": ("q1 AP 1\nq1 R 1\n", "values: there is no measure PRES@100"),
    "JSON, damaged": ('{"q1": 0.5,\n"q2": }', "values: this is not JSON such as"),
    "JSON, NaN": ('{"q1": NaN}', "values: 'q1': 'NaN' is not a finite number"),
    "JSON, nested": ("[" * 100_000, "values: this is not JSON such as"),
}


@pytest.mark.parametrize(("content", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named_with_its_place(read, content, said):
    with pytest.raises(FileError) as error:
        read(content)
    assert str(error.value).startswith(said)


FRAGMENTS = [
    *'{}[]",;:\t\n\r -|\\',
    *("q1", "all", "pres", "PRES@100", "topic", "run", "measure", "runid", "0.5", "1e9", "NaN"),
    *('"q1": 0.5', "null", "\ufeff", "\x00", "\u2028", "é", "[@", "("),
]
TEXTS = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=3), max_size=20).map("".join)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS)
def test_any_text_has_values_or_an_error(read, text):
    try:
        values = read(text.encode(errors="surrogatepass"))
    except FileError as error:
        assert str(error).startswith("values")  # noqa: PT017 (most texts are wrong)
    else:
        assert values.pres
