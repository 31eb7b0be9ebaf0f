"""Somebody's values are read in the formats that people and programs write."""

import gzip
import json
from itertools import permutations

import ir_measures
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pres_plugin.formats.base import FileError
from pres_plugin.study.values import LARGEST, Number, Values, as_number, read_values

Q1, Q2, MEAN = Number(0.5, 3), Number(0.25, 3), Number(0.375, 3)
TOPICS = Values({"q1": Q1, "q2": Q2})
BOTH = Values({"q1": Q1, "q2": Q2}, MEAN)
ONLY_MEAN = Values(mean=MEAN)

FILES = {
    "CSV": ("query_id,value\nq1,0.500\nq2,0.250\n", TOPICS),
    "CSV, PyTerrier's name": ("qid,score\nq1,0.500\nq2,0.250\n", TOPICS),
    "CSV, ranx's name": ("q_id,pres\nq1,0.500\nq2,0.250\n", TOPICS),
    "CSV, BEIR's name": ("query-id,PRES@100\nq1,0.500\nq2,0.250\n", TOPICS),
    "CSV, other order": ("PRES,topic\n0.500,q1\n0.250,q2\n", TOPICS),
    "CSV, one unknown name": ("topic,mine\nq1,0.500\nq2,0.250\n", TOPICS),
    "CSV, other columns": ("topic,n,pres\nq1,9,0.500\nq2,8,0.250\n", TOPICS),
    "CSV, other cutoffs": ("topic,PRES@9,PRES@100,AP\nq1,9,0.500,1\nq2,8,0.250,2\n", TOPICS),
    "CSV of pandas": (",topic,pres_100\n0,q1,0.500\n1,q2,0.250\n", TOPICS),
    "CSV without header": ("q1,0.500\nq2,0.250\nall,0.375\n", BOTH),
    "CSV with quotes": ('topic,pres\n"q1","0.500"\n"q2","0.250"\n', TOPICS),
    "CSV with semicolons": ("topic;pres\nq1;0.500\nq2;0.250\nmean;0.375\n", BOTH),
    "CSV, Windows": ("\ufeffquery_id,value\r\nq1,0.500\r\nq2,0.250\r\n", TOPICS),
    "CSV, no line break at the end": ("q1,0.500\nq2,0.250", TOPICS),
    "TSV": ("topic\tpres\nq1\t0.500\nq2\t0.250\n", TOPICS),
    "TSV without header": ("q1\t0.500\nq2\t0.250\nALL\t0.375\n", BOTH),
    "blanks": ("q1 0.500\n\nq2   0.250\n", TOPICS),
    "trec_eval": (
        "runid                 \tall\tmine\nmap                   \tq1\tnan\n"
        "pres_100              \tq1\t0.500\n"
        "map                   \tq2\t0.2\npres_100              \tq2\t0.250\n"
        "map                   \tall\t0.3\npres_100              \tall\t0.375\n",
        BOTH,
    ),
    "trec_eval, blanks": ("pres_100 q1 0.500\npres_100 q2 0.250\n", TOPICS),
    "trec_eval without topics": ("map all 0.1\npres_100 all 0.375\n", ONLY_MEAN),
    "ir_measures -q": ("q1\tPRES@100\t0.500\nq2\tPRES@100\t0.250\nall\tPRES@100\t0.375\n", BOTH),
    "ir_measures": ("AP\t0.1\nPRES@100\t0.375\n", ONLY_MEAN),
    "pres-eval -f tsv": ("mine.run\tAP\t0.1\nmine.run\tPRES@100\t0.375\n", ONLY_MEAN),
    "pres-eval -f csv": ("run,measure,value\nmine.run,PRES@100,0.375\n", ONLY_MEAN),
    "two runs": (
        "run,query_id,value\nother,q1,0.9\nmine.run,q1,0.500\nmine.run,q2,0.250\n",
        TOPICS,
    ),
    "a number": ("0.375\n", ONLY_MEAN),
    "JSON": ('{"q1": 0.500, "q2": 0.250}', TOPICS),
    "JSON, mean": ('{"q1": 0.500, "q2": 0.25, "all": 0.375}', BOTH),
    "JSON, only the mean": ('{"PRES@100": 0.375, "AP": 0.1}', ONLY_MEAN),
    "JSON of pytrec_eval": (
        '{"q1": {"map": 0.1, "pres_100": 0.500}, "q2": {"map": 0.1, "pres_100": 0.250}}',
        TOPICS,
    ),
    "JSON, records": ('[{"qid": "q1", "pres": 0.500}, {"qid": "q2", "pres": 0.250}]', TOPICS),
}


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Read a file with this content, called `values`."""
    monkeypatch.chdir(tmp_path)

    def read(content, judged=("q1", "q2"), run="mine.run", rel=1):
        content = content.encode() if isinstance(content, str) else content
        (tmp_path / "values").write_bytes(content)
        return read_values("values", 100, judged, run, rel=rel)

    return read


def lines(form, values):
    return "".join(form.format(*item) for item in values.items())


def records(values):
    return [{"qid": "q1", "measure": name, "value": value} for name, value in values.items()]


#: How a file contains several measures of topic q1, or in the last three layouts their means.
LAYOUTS = {
    "trec_eval": lambda values: lines("{}\tq1\t{}\n", values),
    "trec_eval, blanks": lambda values: lines("{} q1 {}\n", values),
    "ir_measures -q": lambda values: lines("q1\t{}\t{}\n", values),
    "pres-eval -q": lambda values: lines("mine.run\tq1\t{}\t{}\n", values),
    "long CSV": lambda values: pd.DataFrame(records(values)).to_csv(index=False),
    "wide CSV": lambda values: pd.DataFrame([{"qid": "q1", **values}]).to_csv(index=False),
    "wide table": lambda values: (
        f"qid {' '.join(values)}\nq1 {' '.join(map(str, values.values()))}\n"
    ),
    "JSON, long records": lambda values: json.dumps(records(values)),
    "JSON, wide records": lambda values: json.dumps([{"qid": "q1", **values}]),
    "JSON of topics": lambda values: json.dumps({"q1": values}),
    "JSON of measures": lambda values: json.dumps(values),
    "ir_measures": lambda values: lines("{}\t{}\n", values),
    "pres-eval": lambda values: lines("mine.run\t{}\t{}\n", values),
}
OF_MEANS = list(LAYOUTS)[-3:]


@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize(
    "names", [*permutations(["PRES@100", "PRES(rel=2)@100", "PRES(rel=2,judged_only=True)@100"])]
)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_pres_is_chosen_by_its_parameters(read, layout, names, rel):
    values = dict(zip(names, (0.125, 0.375, 0.625), strict=True))
    number = Number(values["PRES@100" if rel == 1 else "PRES(rel=2)@100"], 3)
    expected = Values(mean=number) if layout in OF_MEANS else Values({"q1": number})
    assert read(LAYOUTS[layout](values), rel=rel) == expected


@pytest.mark.parametrize("layout", LAYOUTS)
def test_without_the_wanted_pres_the_others_are_named(read, layout):
    values = {"PRES@100": 0.5, "PRES(judged_only=True)@100": 0.25, "PRES(rel=2)@10": 0.125}
    with pytest.raises(FileError) as error:
        read(LAYOUTS[layout](values), rel=2)
    assert str(error.value) == (
        "values: there is no measure PRES(rel=2)@100; found PRES@100, PRES(judged_only=True)@100, "
        "PRES(rel=2)@10"
    )


@pytest.mark.parametrize(
    ("rel", "chosen", "other"),
    [
        *((1, name, "PRES(rel=2)@100") for name in ("pres_100", "pres.100", "Pres", "pres@100")),
        (1, "PRES(rel=1)@100", "PRES(rel=1)@10"),
        (1, "PRES(cutoff=100)", "PRES"),
        (1, "pres_100", "PRES"),
        (2, "PRES(rel=2)", "PRES"),
        (2, "PRES(rel=2)@100", "pres_100"),
        (2, "PRES(cutoff=100,rel=2)", "PRES(rel=2)"),
        (2, "pres_100", "PRES@100"),  # trec_eval sets the level with an option, not in the name
    ],
)
def test_spellings_of_pres(read, rel, chosen, other):
    for values in ({chosen: 0.5, other: 0.25}, {other: 0.25, chosen: 0.5}):
        for layout in ("ir_measures -q", "wide CSV"):
            assert read(LAYOUTS[layout](values), rel=rel).topics["q1"].value == 0.5


@pytest.mark.parametrize("names", [["PRES@100", "pres_100"], ["pres_100", "PRES@100"]])
def test_of_two_names_of_one_measure_the_first_counts(read, names):
    values = dict(zip(names, (0.5, 0.25), strict=True))
    assert read(LAYOUTS["wide CSV"](values)).topics["q1"].value == 0.5


@pytest.mark.parametrize(("content", "expected"), FILES.values(), ids=FILES)
def test_formats(read, content, expected):
    assert read(content) == expected
    assert read(gzip.compress(content.encode())) == expected


def test_files_of_other_programs(read):
    """Files that pandas and ir-measures write themselves."""
    frame = pd.DataFrame({"qid": ["q1", "q2"], "pres": [0.5, 0.125]})
    expected = {"q1": 0.5, "q2": 0.125}
    for text in (
        frame.to_csv(),
        frame.to_csv(index=False),
        frame.to_csv(sep="\t"),
        frame.to_json(orient="records"),
        frame.to_string(index=False),
        frame.set_index("qid")["pres"].to_csv(),
        frame.set_index("qid")["pres"].to_json(),
        json.dumps(expected),
    ):
        found = {topic: number.value for topic, number in read(text).topics.items()}
        assert found == expected
    measures = [ir_measures.parse_measure(name) for name in ("AP", "PRES@100")]
    qrels, run = {"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1.0}, "q2": {"x": 1.0}}
    metrics = ir_measures.iter_calc(measures, qrels, run)
    lines = [f"{m.query_id}\t{m.measure}\t{m.value:.4f}\n" for m in metrics]
    assert read("".join(lines)) == Values({"q1": Number(1.0, 4), "q2": Number(0.0, 4)})


def test_a_topic_called_all_is_no_mean(read):
    assert read("all,0.5\nmean,0.25\n", ["all"]) == Values({"all": Number(0.5, 1)}, Number(0.25, 2))
    assert read('{"pres": 0.5}', ["pres"]) == Values({"pres": Number(0.5, 1)})


def test_topics_that_tsv_escapes(read):
    assert list(read("a\\tb\t0.5\n", ["a\tb"]).topics) == ["a\tb"]
    assert list(read("a\\tb\t0.5\n", ["a\\tb"]).topics) == ["a\\tb"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.50", Number(0.5, 2)),
        ("1", Number(1.0, 0)),
        ("1.", Number(1.0, 0)),
        (".5", Number(0.5, 1)),
        ("-0.25", Number(-0.25, 2)),
        ("5e-1", Number(0.5, 1)),
        ("1.25E-03", Number(0.00125, 5)),
        ("12E1", Number(120, 0)),
        ("0.1234567890123456", Number(0.1234567890123456, 12)),
        ("1e-999999", Number(0.0, 12)),
        *((text, None) for text in ("", "x", "1_0", "٠.٥", "nan", "inf", "1e999", "0x1", "1,5")),
        *((text, None) for text in ("1e99999999999", "--1", "0.5%", " 0.5")),
    ],
)
def test_numbers(text, expected):
    assert as_number(text) == expected


WRONG = {
    "empty": ("", "values: the file is empty"),
    "blank": (" \n\t\n", "values: the file is empty"),
    "binary": (b"q1,\0", "values: this is a binary file, not text"),
    "not UTF-8": (b"q1,0.5\nq\xff,0.5\n", "values, line 2: this is not UTF-8 text"),
    "damaged": (gzip.compress(b"q1,0.5\n")[:-4], "values: the compressed file is damaged (Comp"),
    "too large": (gzip.compress(b" " * (LARGEST + 1)), "values: a file of values may be at most"),
    "only a header": ("topic,pres\n", "values: the file contains no values"),
    "no topics": ("x,pres\nq1,0.5\n", "values, line 1: there is no column of topics (query_id); "),
    "no values": (
        "topic,a,b\nq1,0.5,1\n",
        "values, line 1: there is no column of values (value); ",
    ),
    "only dashes": ("---\n", "values: the file contains no values"),
    "only commas": (",,\n", "values: the file contains no values"),
    "4 million digits": ("1" * (LARGEST - 9) + "x", "values, line 1: the value '11111"),
    "wide without header": ("q,1,2,3,4\n", "values, line 1: 5 fields without a header; write a"),
    "short line": (
        "topic,pres\nq1,0.5\nq2\n",
        "values, line 3: expected 2 fields (topic, pres), got 1",
    ),
    "not a number": ("q1 0.5\nq2 high\n", "values, line 2: the value 'high' is not a number"),
    "first not a number": ("q1 nan\nq2 0.5\n", "values, line 1: the value is nan; write a finite"),
    "NaN": ("q1,0.5\nq2,NaN\n", "values, line 2: the value is NaN; write a finite number"),
    "infinite": ("q1,0.5\nq2,-inf\n", "values, line 2: the value is -inf; write a finite number"),
    "too many digits": ("q1,0.5\nq2,1e999\n", "values, line 2: the value '1e999' is not a number"),
    "missing": ("topic,pres\nq1,0.5\nq2,\n", "values, line 3: the value '' is not a number"),
    "repeated topic": ("q1,0.5\nq1,0.5\n", "values, line 2: topic 'q1' has a value already"),
    "two means": ("q1,0.5\nall,1\nmean,1\n", "values, line 3: there is another mean already"),
    "a number and more": ("0.5\n0.6\n", "values, line 2: write a topic and a value on each line"),
    "a word": ("what?", "values, line 1: the value 'what?' is not a number"),
    "open quote": ('topic,pres\n"q1,0.5\n', "values, line 2: this is not CSV (unexpected end of d"),
    "another Nmax": ("topic,PRES@9\nq1,1\n", "values: there is no measure PRES@100; found PRES@9"),
    "invalid PRES": ("q1 PRES(self=1)@100 1\nq1 R 1\n", "values: there is no measure PRES@100; "),
    "no PRES": ("q1 AP 1\nq1 R 1\n", "values: there is no measure PRES@100; found AP, R"),
    "no such run": (
        "run,topic,pres\na,q1,1\nb,q1,1\n",
        "values: there are several runs (a, b), but none is called mine.run",
    ),
    "JSON, damaged": ('{"q1": 0.5,\n"q2": }', "values, line 2: this is not JSON (Expecting value)"),
    "JSON, truncated": ('{"q1": 0.5', "values, line 1: this is not JSON (Expecting ',' delimiter)"),
    "JSON, NaN": ('{"q1": NaN}', "values: q1: the value is NaN; write a finite number"),
    "JSON, infinite": ('{"q1": -Infinity}', "values: q1: the value is -Infinity; write a finite"),
    "JSON, null": ('{"q1": null}', "values: q1: the value null is not a number"),
    "JSON, text": ('{"q1": "0.5"}', 'values: q1: the value is the string "0.5"; write a number'),
    "JSON, true": ('{"q1": {"pres": true}}', "values: q1 → pres: the value true is not a number"),
    "JSON, repeated key": ('{"q1": 1, "q1": 1}', "values: 'q1' occurs twice in an object"),
    "JSON, list of numbers": ("[1, 2]", "values: [0]: expected an object with a topic and a value"),
    "JSON, topic is a number": (
        '[{"qid": 1, "pres": 1}]',
        "values: [0].qid: write the qid as a string",
    ),
    "JSON, records, no value": (
        '[{"qid": "1"}]',
        "values: [0]: there is no column of values (valu",
    ),
    "JSON, nested": ("[" * 100_000, "values: the JSON is nested too deeply"),
    "JSON, empty": ("{}", "values: the file contains no values"),
}


@pytest.mark.parametrize(("content", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named_with_its_place(read, content, said):
    with pytest.raises(FileError) as error:
        read(content)
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300


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
        assert values.mean is not None or "q1" in values.topics
