"""Arguments that make no sense are refused at once, in one short line."""

import re

import pytest
from bounded import bounded, check_refused
from command import EXAMPLES, refused

from pres_plugin.cli.measures import split_measures
from pres_plugin.measures import MeasureError
from pres_plugin.measures.grammar import LONGEST
from pres_plugin.measures.parsing import parse, parse_any
from pres_plugin.measures.ranx_names import parse_ranx_name
from pres_plugin.measures.trec_names import parse_trec_name

INPUT = ["qrels.txt", "system-1.run"]
EXPLAIN = ["explain", *INPUT, "--query", "PAT-1"]
CHECK = ["check", "0.5", *INPUT, "--n-max", "9"]
QRELS, RUNS = {"q": {"a": 1}}, {"mine": {"q": {"a": 1.0}}}

MANY = "1" + "0" * 30
DIGITS = "9" * 5000

#: A command, one of its options, and values that this option refuses.
OPTIONS = [
    # One option gets the texts that no option reads as a number.
    (EXPLAIN, "--n-max", ["0", "-1", "1000000000001", DIGITS, "١٢", "", "nan", "inf", "0x10"]),
    (EXPLAIN, "--rel", ["0", MANY]),
    (["sweep", *INPUT], "--n-max", ["0", f"1:{10**400}:log5", "1:1000000000:1", "1:10001"]),
    (["sweep", *INPUT], "--n-max", ["1:9:log10000000000", "1:9999,20000:20001"]),
    (["robustness", *INPUT], "--samples", ["0", "2501", MANY]),
    (["robustness", *INPUT], "--seed", ["-1", str(2**128)]),
    (["robustness", *INPUT], "--fractions", ["0", "2", "nan", "0.5,,", "0.1," * 20_000]),
    (["robustness", *INPUT], "--fractions", [",".join(f"{i}e-5" for i in range(1, 20_000))]),
]
CASES = [
    pytest.param([*command, option, value], id=f"{command[0]} {option} {value:.20}")
    for command, option, values in OPTIONS
    for value in values
]


@pytest.mark.parametrize("arguments", CASES)
def test_number_that_cannot_be_meant(arguments):
    assert len(refused(*arguments, cwd=EXAMPLES)) < 400


#: Texts that Python's parser, or a program that reads them, might not survive.
MONSTERS = {
    "parentheses": "(" * 5000 + "P" + ")" * 5000,
    "brackets": "[" * 100_000,
    "dicts": "P(a=" + "{1:" * 5000 + "1" + "}" * 5000 + ")@10",
    "signs": "P@" + "-" * 100_000 + "1",
    "tildes": "~" * 100_000 + "P@1",
    "cutoffs": "P" + "@1" * 50_000,
    "digits": "P@" + "9" * 100_000,
    "digits of PRES": "PRES@" + "9" * 5000,
    "26 digits": "AP@" + "9" * 26,
    "a string": 'P(a="' + "x" * 100_000 + '")',
    "a name": "P" * 100_000,
    "nesting within the length": "P@" + "-" * (LONGEST - 10) + "1",
    "gains that cannot be sorted": "nDCG(gains={1: 1, 'a': 2})@10",
}


@pytest.mark.parametrize("measure", MONSTERS.values(), ids=MONSTERS)
@pytest.mark.parametrize("read", [parse_any, parse], ids=["studies", "frames and files"])
def test_measure_that_cannot_be_meant(read, measure):
    with pytest.raises(MeasureError) as caught:
        read(measure)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("command", ["score", "compare", "sweep", "robustness"])
def test_measure_that_cannot_be_meant_on_the_command_line(command):
    line = refused(command, *INPUT, "-m", MONSTERS["dicts"], cwd=EXAMPLES)
    assert len(line) < 600
    assert "qrels.txt" not in line


@pytest.mark.parametrize("name", ["pres." + "9" * 5000, "pres_" + "1," * 5000, "PRES" + "(" * 5000])
def test_long_name_in_the_style_of_trec_eval(name):
    with pytest.raises(MeasureError, match=f"the limit is {LONGEST}"):
        parse_trec_name(name)


@pytest.mark.parametrize("name", ["rnorm." + "9" * 5000, "pres@" + "9" * 5000])
def test_long_name_in_ranx(name):
    with pytest.raises(MeasureError, match=f"the limit is {LONGEST}"):
        parse_ranx_name(name)


@pytest.mark.parametrize(
    "text", ["PRES" + " " * 10**5 + "@10", "P@5 " * 10**4, "'" * 10**5, "(" * 10**5]
)
def test_splitting_measures_takes_no_longer_per_character_if_there_are_more(text):
    # If each blank looked at all others, these would take minutes.
    assert re.sub(r"\s", "", "".join(split_measures([text]))) == re.sub(r"\s", "", text)


@pytest.mark.release
@pytest.mark.parametrize("measure", ["PRES", "nDCG"])
def test_memory_at_the_most_cutoffs(measure):
    arguments = ("sweep", *INPUT, "--n-max", "1:10000", "-m", measure, "-p", "2")
    ended = bounded(*arguments, cwd=EXAMPLES, mib=400)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout


@pytest.mark.release
def test_a_picture_of_many_ranks(tmp_path):
    run = ["--n-max", "10000000000", "--out", tmp_path / "report"]
    ended = bounded(*EXPLAIN, *run, cwd=EXAMPLES, mib=500)
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "report" / "areas.svg").stat().st_size < 1_000_000


@pytest.mark.release
def test_the_process_survives_a_monster():
    ended = bounded("score", *INPUT, "-m", MONSTERS["signs"], cwd=EXAMPLES, seconds=20, mib=300)
    check_refused(ended, "characters; the limit is 1000")
