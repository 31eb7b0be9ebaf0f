"""Recognise publication numbers of patents, in the spellings of offices and search tools."""

from __future__ import annotations

import re

# WIPO Standard ST.3, with the former states in databases.
_OFFICES = """
AD AE AF AG AI AL AM AO AP AR AT AU AW AZ BA BB BD BE BF BG BH BI BJ BM BN BO BQ BR BS BT BW
BX BY BZ CA CD CF CG CH CI CK CL CM CN CO CR CS CU CV CW CY CZ DD DE DJ DK DM DO DZ EA EC EE
EG EH EM EP ER ES ET FI FJ FK FO FR GA GB GC GD GE GG GH GI GL GM GN GQ GR GS GT GW GY HK HN
HR HT HU ID IE IL IM IN IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI
LK LR LS LT LU LV LY MA MC MD ME MG MK ML MM MN MO MP MR MS MT MU MV MW MX MY MZ NA NE NG NI
NL NO NP NR NZ OA OM PA PE PG PH PK PL PT PW PY QA RO RS RU RW SA SB SC SD SE SG SH SI SK SL
SM SN SO SR ST SU SV SX SY SZ TC TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC
VE VG VN VU WO WS XN YE YU ZA ZM ZW
"""

# Non-breaking spaces separate the digits in some exports.
_BLANKS = " \u00a0\u202f"
_BETWEEN = f"[{_BLANKS},./_-]"

# The groups match an office, the kind code of citations such as EP-A-0123456 (WIPO ST.14), letters
# that belong to the number, its digits, and the kind code (WIPO ST.16). A single digit at the end
# is the check digit of an application number: EP 99123456.7.
_PUBLICATION = re.compile(
    rf"([A-Z]{{2}}){_BETWEEN}{{0,2}}(?:([ABCUY])\d?{_BETWEEN}{{1,2}})?"
    rf"(PI|MU|PA|PX|PP|RE|WO|[DEHIMPST])?{_BETWEEN}{{0,2}}"
    rf"(\d[{_BLANKS},./_\-\d]{{2,}}(?<=\d)(?<!{_BETWEEN}\d))"
    rf"(?:{_BETWEEN}{{0,3}}\(?([A-Z])\d?\)?)?",
    re.ASCII,
)
_THOUSANDS = re.compile(rf"(?<=\d)[{_BLANKS},.](?=\d{{3}}(?!\d))")

# How some offices number their publications. A slash replaces what separates digits, unless it
# separates thousands. The last group is the serial number, to which zeros are added until it has
# the stated width, and the text before it is put before it.
_FORMS = {
    office: [(re.compile(form), head, width) for form, head, width in forms]
    for office, forms in {
        # EPO, "EPODOC and DOCDB formats": leading zeros can be ignored.
        "EP": [(r"0*(\d{1,7})", "", 7)],
        # Applications: the EPO's databases drop the first of seven digits after the year
        # (Espacenet, "Publication number"). Others: the USPTO adds zeros, as in D0939807.
        "US": [
            (r"(20\d\d)/?(\d{6,7})", "{}", 7),
            (r"(D|PP|RE|H|T|)0*(\d{1,8})", "{}", 0),
        ],
        # EPO Register, "WO publication numbers": 1978 to June 2002 with five digits after a year
        # of two, until 2003 with six, and since with a year of four digits. Google writes this
        # year for all of them, and some tools then write five digits.
        "WO": [
            (r"(19[789]\d|20\d\d)/?(\d{5,6})", "{}", 6),
            (r"([789]\d)/?(\d{5})", "19{}", 6),
            (r"(0[0-2])/?(\d{5})", "20{}", 6),
            (r"(0[23])/?(\d{6})", "20{}", 6),
        ],
        # The year of an emperor, or of the common era, and at most six digits. DOCDB writes two
        # digits for an emperor's year.
        "JP": [
            (r"([MTSH]\d\d)/?(\d{1,6})", "{}", 6),
            (r"([MTSH])(\d)/(\d{1,6})", "{}0{}", 6),
            (r"(\d{4})/(\d{1,6})", "{}", 6),
            (r"(WO|)(\d+)", "{}", 0),
        ],
        # EPO, "Numbering system - Korea": since 2004 with the type of right, which databases omit.
        "KR": [
            (r"(?:10/?)?((?:19|20)\d\d)/?(\d{7})", "{}", 7),
            (r"([12]0)/(\d{7})", "{}", 0),
            (r"(\d+)", "", 0),
        ],
        # DPMA: DE 37 12 345 A1, DE 199 12 345 A1, and since 2004 DE 10 2008 012 345 A1.
        "DE": [(r"([\d/]+)", "", 0)],
        # Other offices.
        "": [(r"(\D*)([\d/]+)", "{}", 0)],
    }.items()
}

# The EPO adds the letter of the kind code where several series have the same numbers (Open Patent
# Services, "Search formats"): except for A in the following offices, else except for A, B and C.
_SEVERAL_SERIES = "AT AU BA BG CN DK FI IS JP KR NL NO PL SK TW UY YU"

# Numbers that belong to one invention, whatever the kind. In China since 2007, in Germany since
# 2004, and in granted Korean and Taiwanese patents, they contain the type of right.
_ONE_SERIES = re.compile(
    r"(?:EP|US|WO).*|AU\d{10}|CN\d{9}|DE\d{12}|KR[12]0\d{7}|NL[12]\d{6}|TW[IM]\d{6}"
)


def number_of(doc_id: str) -> str | None:
    """Return the office and number of a publication, or None if this is not a publication number.

    A wrong number would merge two inventions, so what is uncertain is not recognised.

    Examples
    --------
    >>> from pres_plugin.publications import number_of
    >>> number_of("US 2010/0123456 A1"), number_of("us2010123456a1")
    ('US20100123456', 'US20100123456')
    """
    text = doc_id.strip().upper()
    found = text[:2] in _OFFICES and _PUBLICATION.fullmatch(text)
    if not found:
        return None
    office, cited_kind, letters, digits, kind = found.groups("")
    number = letters + re.sub(r"\D+", "/", _THOUSANDS.sub("", digits))
    kind = kind or cited_kind
    # Without these, it may be the id of another document: LA010189-0001.
    if not (kind or number.isdigit() or office in _FORMS):
        return None
    for form, head, width in _FORMS.get(office, _FORMS[""]):
        if match := form.fullmatch(number):
            *before, serial = match.groups()
            number = f"{office}{head.format(*before)}{serial:0>{width}}".replace("/", "")
            omitted = "A" if office in _SEVERAL_SERIES else "ABC"
            return number if kind in omitted or _ONE_SERIES.fullmatch(number) else number + kind
    return None
