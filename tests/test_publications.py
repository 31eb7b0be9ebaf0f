"""Spellings of one publication number are one, and other numbers and ids are not."""

import csv
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pres_plugin.families import fold, unmapped
from pres_plugin.publications import number_of
from pres_plugin.tables.folding import Folding

# By hand, after the rules of the offices and tools that write them.
with Path(__file__).with_name("files").joinpath("publications.tsv").open(encoding="utf-8") as file:
    SPELLINGS = {row["spelling"]: row["number"] for row in csv.DictReader(file, delimiter="\t")}

OTHERS = [
    *("D12345", "12345678", "AB1234C", "clueweb09-en0000-00-00000", "MED-1234", "user1234"),
    *("LA010189-0001", "AP880212-0001", "FR940104-0-00001", "item1234a", "dev1234", "US1", ""),
    # Applications: with a check digit, a series, or an inventor's country.
    *("EP 99123456.7", "EP99123456", "DE 10 2008 012 345.6", "US 12/345,678"),
    *("PCT/EP2005/001234", "WO2005EP01234", "PI 0612345-8"),
    # The kind code has one digit, and the year of this number is not certain.
    *("EP1234567A10", "WO00112345A1", "JP 05-123456 A"),
]


def test_each_spelling_stands_for_its_number_in_every_interface():
    assert {spelling: number_of(spelling) for spelling in SPELLINGS} == SPELLINGS
    ids = pl.Series([*SPELLINGS, None, *OTHERS])
    expected = [*SPELLINGS.values(), None, *[None] * len(OTHERS)]
    assert Folding("publications").family(ids).to_list() == expected
    topics = {"q": dict.fromkeys([*SPELLINGS, *OTHERS], 1)}
    assert fold(topics, "publications")["q"].keys() == {*SPELLINGS.values(), *OTHERS}
    assert unmapped(topics, "publications") == {*OTHERS}


def test_blanks_that_do_not_break_a_line_are_blanks():
    assert number_of("US\u00a07,654,321\u202fB2 ") == "US7654321"


def family_of(doc_id):
    return number_of(doc_id) or doc_id


TEXTS = st.text("ABDEHIJKMPRSTUWXabe0123456789012345678901234567890 -/.,()_", max_size=20)
NUMBERS = r"(EP|US|WO|JP|KR|DE|CN|AU|TW|GB)[A-Z -]{0,3}[0-9 /,-]{4,14}[ (]?[A-Z]?[0-9]?[)]?"


@given(TEXTS | st.from_regex(NUMBERS, fullmatch=True))
def test_the_family_of_a_family_is_itself(doc_id):
    assert family_of(family_of(doc_id)) == family_of(doc_id)


# Two inventions each.
NEAR = [
    ("EP1234567A1", "EP123456A1"),  # a digit is missing, not a zero
    ("EP1234567A1", "WO1234567A1"),
    ("US2010123456A1", "US2001123456A1"),
    ("US20100123456A1", "US20101234560A1"),
    ("US 2010/0123456 A1", "US 10,123,456 B2"),
    ("US 12/345,678", "US 12,345,678 B2"),  # an application, and a patent
    ("USD123456S", "US123456A"),
    ("USRE12345E", "USPP12345P"),
    ("WO9912345A1", "WO2009012345A1"),
    ("WO0212345A1", "WO02123450A1"),
    ("WO 02/012345 A1", "WO 03/012345 A1"),
    ("JP H1-112345 A", "JP H11-12345 A"),
    ("JPS5612345A", "JPS5612345B2"),  # two series with the same numbers
    ("JP3456789B2", "JP3456789U"),
    ("JP3123456A", "JP3123456B2"),
    ("JPH05123456A", "JP5123456B2"),
    ("CN1085001A", "CN1085001C"),
    ("KR 10-2008-0012345 A", "KR 20-2008-0012345 U"),
    ("KR 10-0312345 B1", "KR 20-0312345 Y1"),
    ("KR850001234A", "KR850001234B1"),
    ("DE 10 2008 012 345 A1", "DE 20 2008 012 345 U1"),
    ("DE1712345A1", "DE1712345U"),
    ("SE0501234A", "SE501234C2"),  # these offices do not omit zeros
    ("FR2345678A1", "GB2345678A"),
    ("AP880212-0001", "AP880212-0002"),
]


@pytest.mark.parametrize(("one", "other"), NEAR)
def test_different_numbers_are_never_folded(one, other):
    assert family_of(one) != family_of(other)
